"""What can stand at the cursor of a search bar: the names of fields, and the values of a field.

Works on text that is not a query yet, so it looks at nothing but the term before the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from trace_store.errors import QueryError
from trace_store.store.query.editing import quote
from trace_store.store.query.fields import FIELDS, Field, Kind, ListName, closest, field_named

ValueSource: TypeAlias = Callable[[Field, str], Iterable[str]]
"""The values that a text field has in the store and that begin with what is typed, best first."""

_TERM = re.compile(r'(?:"(?:[^"\\]|\\.)*(?:"|\Z)|[^\s()"])+', re.DOTALL)
_HEAD = re.compile(r"([^\W\d][\w.-]*)(:|[<>]=?)")
_VALUE = re.compile(r'(?:"(?:[^"\\]|\\.)*(?:"|\Z)|[^,"])+', re.DOTALL)
_REST_OF_WORD = re.compile(r'[^\s(),":<>]*')


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`text` may stand in place of the characters from `start` to `end`; `description` says what it is, where the
    text alone does not."""

    text: str
    description: str
    start: int
    end: int


def complete(
    text: str, cursor: int | None = None, *, list_name: ListName = "runs", values: ValueSource | None = None
) -> list[Suggestion]:
    """Return suggestions for the position of the cursor (the end, where none is given), best first; none inside a
    phrase or after an unknown field. `values` supplies the values of text fields; closed sets and flags need nobody."""
    cursor = len(text) if cursor is None else cursor
    rest = _REST_OF_WORD.match(text, cursor)
    end = rest.end() if rest else cursor
    term = next((match[0] for match in _TERM.finditer(text[:cursor]) if match.end() == cursor), "")
    term = term.removeprefix("-")
    head = _HEAD.match(term)
    if head is None:
        return (
            []
            if '"' in term
            else [_suggest_field(field, cursor - len(term), end) for field in _matching_fields(term, list_name)]
        )
    try:
        field = field_named(head[1], list_name)
    except QueryError:
        return []
    before = _VALUE.findall(term, head.end())
    typed = "" if not before or term.endswith(",") else before[-1]
    options = _options(field, head[2], typed.removeprefix('"'), values)
    return [
        Suggestion(value, description, cursor - len(typed), end)
        for value, description in options
        if value not in before[: len(before) - bool(typed)]
    ]


def _matching_fields(typed: str, list_name: ListName) -> Iterator[Field]:
    names = dict.fromkeys(field.name for field in FIELDS)
    begins = [name for name in names if name.startswith(typed.lower())]
    within = [name for name in names if typed.lower() in name]
    for name in dict.fromkeys([*begins, *within]) or closest(typed, names):
        yield field_named(name, list_name)


def _suggest_field(field: Field, start: int, end: int) -> Suggestion:
    operator = ">" if field.kind in (Kind.NUMBER, Kind.TIME) else ":"
    return Suggestion(f"{field.name}{operator}", field.description, start, end)


def _options(field: Field, operator: str, typed: str, values: ValueSource | None) -> Iterator[tuple[str, str]]:
    """Yield the values that can be written, each with what it is."""
    names = list(field.values)
    if values is not None and field.kind is Kind.TEXT:
        names = list(values(field, typed))
    for name in names:
        if name.startswith(typed):
            yield quote(name), ""
    if typed:
        return
    if field.kind in (Kind.NUMBER, Kind.TIME) and field.example.startswith(f"{field.name}{operator}"):
        yield re.split(":|[<>]=?", field.example, maxsplit=1)[1], f"for example: {field.example}"
    if operator == ":" and field.kind is not Kind.FLAG:
        yield "*", "has any"
        if not field.always:
            yield "none", "has none"
