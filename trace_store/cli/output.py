"""Printing: rows as a table, JSON, JSON lines or CSV. Run data is hostile: a terminal gets plain, visible text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence

import orjson
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from trace_store.cli.options import Format
from trace_store.exports.tables import write_csv_to

ROW_BY_ROW = frozenset({Format.jsonl, Format.csv})
"""Formats for a program, which holds no more of a list than a row."""

UNBOUNDED = 10_000
"""Columns of a console that is not a terminal: nothing is cut or wrapped."""

# Control characters as their pictures; marks that reorder or hide text by name. A newline stays.
_VISIBLE = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"} | {0x7F: "␡"}
_VISIBLE |= {code: f"<U+{code:04X}>" for code in (*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def visible(text: str) -> str:
    """Return `text` without what a terminal would obey."""
    return text.translate(_VISIBLE)


def plain(value: object) -> str:
    """Return a value as one line of a table."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.1f}".removesuffix(".0") if abs(value) >= 1 else f"{value:.3g}"
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    return visible(" ".join(text.split()))


def write(data: bytes) -> None:
    """Write bytes to standard output, exactly, after what was printed before."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def say(text: str) -> None:
    """Print a line for the person at the terminal, on standard error."""
    print(visible(text), file=sys.stderr)


def console() -> Console:
    """Return standard output for text: the terminal's width, or none at all."""
    terminal = Console(file=sys.stdout, markup=False, highlight=False, emoji=False)
    if not terminal.is_terminal:
        terminal.width = UNBOUNDED
    return terminal


def print_rows(
    rows: Iterable[Mapping[str, object]],
    total: int,
    *,
    kind: str,
    form: Format,
    columns: Sequence[str],
    table_columns: Sequence[str],
) -> None:
    """Print `rows`, which are some of `total`, and always how many. `kind` names them in the plural; a table has the
    columns `table_columns`, CSV has all `columns`. JSON lines and CSV are written as the rows come."""
    if form in ROW_BY_ROW:
        sys.stdout.flush()
        count = _write_lines(rows) if form is Format.jsonl else write_csv_to(sys.stdout.buffer, rows, columns)
        say(f"{count:,} of {total:,} {kind}")
        return
    page = list(rows)
    if form is Format.json:
        write(orjson.dumps({"total": total, "rows": page}, option=orjson.OPT_INDENT_2) + b"\n")
        return
    if page:
        console().print(_table(page, table_columns), end="")
    print(f"{len(page):,} of {total:,} {kind}")


def _write_lines(rows: Iterable[Mapping[str, object]]) -> int:
    count = 0
    for row in rows:
        sys.stdout.buffer.write(orjson.dumps(row) + b"\n")
        count += 1
    return count


def pluralise(count: int, thing: str) -> str:
    """Return a number of things: `1 run`, `2,000 runs`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def _table(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        numbers = any(type(row.get(column)) in (int, float) for row in rows)
        table.add_column(column, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(row.get(column))) for column in columns))
    return table
