"""The field tables of `docs/query.md`.

Run `python -m trace_store.store.query.field_docs docs/query.md` after a change of the fields; a test compares.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from trace_store.store.query.fields import FIELDS, Field, Kind

FEW = 10
"""Values that a cell of the table lists."""

BEGIN = "<!-- fields: made from trace_store/store/query/fields.py -->"
END = "<!-- end of fields -->"


def field_tables() -> str:
    """Return the tables as Markdown: the fields of a call, then those of a run."""
    return "\n".join(
        [
            "### Fields of a call",
            "",
            *_table([field for field in FIELDS if field.of == "call"]),
            "",
            "### Fields of a run",
            "",
            *_table([field for field in FIELDS if field.of == "run"]),
            *_long_sets(),
        ]
    )


def with_field_tables(document: str) -> str:
    """Return `document` with the tables between its two markers made anew. Raises ValueError where there are none."""
    before, _, rest = document.partition(BEGIN)
    _, marker, after = rest.partition(END)
    if not marker:
        raise ValueError(f"no {BEGIN} … {END} in the document")
    return f"{before}{BEGIN}\n\n{field_tables()}\n\n{END}{after}"


def _table(fields: list[Field]) -> Iterator[str]:
    yield "| field | takes | what | example |"
    yield "|---|---|---|---|"
    for field in fields:
        yield f"| `{field.name}` | {_takes(field)} | {field.description} | `{field.example}` |"


def _takes(field: Field) -> str:
    if len(field.values) > FEW:
        return f"one of {len(field.values)} values, listed below"
    if field.kind in (Kind.CLOSED, Kind.FLAG):
        return ", ".join(f"`{value}`" for value in field.values)
    return str(field.kind.value)


def _long_sets() -> Iterator[str]:
    for field in FIELDS:
        if len(field.values) > FEW:
            yield from ("", f"### Values of `{field.name}`", "")
            yield from (f"* `{value}`" for value in field.values)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(with_field_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
