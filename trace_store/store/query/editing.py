"""Edits of a query text: how facets and charts add and take away terms. The rest of the text stays as it was.

Only the terms of the outermost and-group are touched: what stands in parentheses or beside an OR is a person's own.
"""

from __future__ import annotations

import re

from trace_store.store.query.fields import FieldValue
from trace_store.store.query.parsing import parse
from trace_store.store.query.tree import Alternatives, Group, Negation, Term, Value

_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_NOT_IN_A_LINE = re.compile(f"[{_CONTROL}]")
_BARE = re.compile(rf"""[^\s"(),*{_CONTROL}'‘’“”„«»][^\s"(),*{_CONTROL}]*""")


def quote(value: str) -> str:
    """Return `value` as it is written after a field's colon: in quotes where it would read as something else, with
    escapes for characters that a line of text does not hold."""
    if value != "none" and _BARE.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _NOT_IN_A_LINE.sub(_escape, escaped) + '"'


def _escape(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"


def term(field: str, value: FieldValue | None, *, negated: bool = False) -> str:
    """Return the term `field:value`; None is `none`. Flags and closed sets take what a query writes, not what is
    stored."""
    return f"{'-' if negated else ''}{field}:{'none' if value is None else quote(str(value))}"


def has_value(text: str, field: str, value: FieldValue | None, *, negated: bool = False) -> bool:
    """Return whether `text` already asks for the value, alone or as one of several. Raises QueryError, as all functions
    here do, where `text` or the term cannot be understood."""
    meaning = _meaning(field, value)
    return any(meaning in match.values for match in _terms(text, field, negated=negated))


def add_query(text: str, addition: str) -> str:
    """Return `text` and-ed with another query: a comparison, words, whatever a chart or a figure stands for."""
    parts = [(part.strip(), parse(part).root) for part in (text, addition)]
    return " ".join(f"({part})" if isinstance(root, Alternatives) else part for part, root in parts if part)


def add_value(text: str, field: str, value: FieldValue | None, *, negated: bool = False) -> str:
    """Return `text` that also allows the value (or, negated, also excludes it): joined with a comma to a term of that
    field, else as a term of its own."""
    addition = term(field, value, negated=negated)
    if has_value(text, field, value, negated=negated):
        return text
    for match in _terms(text, field, negated=negated):
        return f"{text[: match.end]},{addition.partition(':')[2]}{text[match.end :]}"
    return add_query(text, addition)


def remove_value(text: str, field: str, value: FieldValue | None, *, negated: bool = False) -> str:
    """Return `text` without the value; without the whole term where it was the only one."""
    meaning = _meaning(field, value)
    for match in reversed(_terms(text, field, negated=negated)):
        others = [text[slice(*span)] for span, other in zip(match.spans, match.values, strict=True) if other != meaning]
        if others:
            text = text[: match.spans[0][0]] + ",".join(others) + text[match.end :]
        else:
            text = _without_span(text, match.start - 1 if negated else match.start, match.end)
    return text


def toggle_value(text: str, field: str, value: FieldValue | None, *, negated: bool = False) -> str:
    """Return `text` with the value where it was without, and the other way round."""
    change = remove_value if has_value(text, field, value, negated=negated) else add_value
    return change(text, field, value, negated=negated)


def clear_field(text: str, field: str) -> str:
    """Return `text` without any term of that field, comparisons and negations included."""
    for match, negated in reversed(_outermost(text)):
        if match.field.name == field:
            text = _without_span(text, match.start - 1 if negated else match.start, match.end)
    return text


def _meaning(field: str, value: FieldValue | None) -> Value:
    (meaning,) = _terms(term(field, value), field, negated=False)[0].values
    return meaning


def _terms(text: str, field: str, *, negated: bool) -> list[Term]:
    return [
        match
        for match, is_negated in _outermost(text)
        if match.field.name == field and match.operator == ":" and is_negated == negated
    ]


def _outermost(text: str) -> list[tuple[Term, bool]]:
    """Return the terms of the outermost and-group in their order, each with whether it is negated."""
    root = parse(text).root
    terms: list[tuple[Term, bool]] = []
    for operand in root.operands if isinstance(root, Group) else ():
        match operand:
            case Term():
                terms.append((operand, False))
            case Negation(operand=Term() as inner):
                terms.append((inner, True))
    return terms


def _without_span(text: str, start: int, end: int) -> str:
    return f"{text[:start].rstrip()} {text[end:].lstrip()}".strip()
