"""Writing into a query text: how facets and charts add and take away terms. The rest of the text stays as it was.

Only the terms of the outermost and-group are touched: what stands in parentheses or beside an OR is a person's own.
"""

from __future__ import annotations

import re

from trace_store.store.query.fields import Stored
from trace_store.store.query.parsing import parse
from trace_store.store.query.tree import Alternatives, Group, Negation, Term, Value

_BARE = re.compile(r"""[^\s"(),*'‘’“”„«»][^\s"(),*]*""")


def quoted(value: str) -> str:
    """`value` as it is written after a field's colon: in quotes where it would read as something else."""
    if value != "none" and _BARE.fullmatch(value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def term(field: str, value: Stored | None, *, negated: bool = False) -> str:
    """The term `field:value`; None is `none`. Flags and closed sets take what a query writes, not what is stored."""
    written = "none" if value is None else quoted(str(value))
    return f"{'-' if negated else ''}{field}:{written}"


def has(text: str, field: str, value: Stored | None, *, negated: bool = False) -> bool:
    """Whether `text` already asks for the value, alone or as one of several. Raises QueryError, as all here do, where
    `text` or the term means nothing."""
    wanted = _meaning(field, value)
    return any(wanted in found.values for found in _terms(text, field, negated=negated))


def narrow(text: str, addition: str) -> str:
    """`text` and-ed with another query: a comparison, words, whatever a chart or a figure stands for."""
    parts = [(part.strip(), parse(part).root) for part in (text, addition)]
    return " ".join(f"({part})" if isinstance(root, Alternatives) else part for part, root in parts if part)


def add(text: str, field: str, value: Stored | None, *, negated: bool = False) -> str:
    """`text` that also allows the value (or, negated, also excludes it): joined with a comma to a term of that field,
    else as a term of its own."""
    addition = term(field, value, negated=negated)
    if has(text, field, value, negated=negated):
        return text
    for found in _terms(text, field, negated=negated):
        return f"{text[: found.end]},{addition.partition(':')[2]}{text[found.end :]}"
    return narrow(text, addition)


def remove(text: str, field: str, value: Stored | None, *, negated: bool = False) -> str:
    """`text` without the value; without the whole term where it was the only one."""
    wanted = _meaning(field, value)
    for found in reversed(_terms(text, field, negated=negated)):
        kept = [text[slice(*span)] for span, meant in zip(found.spans, found.values, strict=True) if meant != wanted]
        if kept:
            text = text[: found.spans[0][0]] + ",".join(kept) + text[found.end :]
        else:
            text = _cut(text, found.start - 1 if negated else found.start, found.end)
    return text


def toggle(text: str, field: str, value: Stored | None, *, negated: bool = False) -> str:
    """`text` with the value where it was without, and the other way round."""
    change = remove if has(text, field, value, negated=negated) else add
    return change(text, field, value, negated=negated)


def clear(text: str, field: str) -> str:
    """`text` without any term of that field, comparisons and negations included."""
    for found, negated in reversed(_outermost(text)):
        if found.field.name == field:
            text = _cut(text, found.start - 1 if negated else found.start, found.end)
    return text


def _meaning(field: str, value: Stored | None) -> Value:
    (meaning,) = _terms(term(field, value), field, negated=False)[0].values
    return meaning


def _terms(text: str, field: str, *, negated: bool) -> list[Term]:
    return [
        found
        for found, denied in _outermost(text)
        if found.field.name == field and found.operator == ":" and denied == negated
    ]


def _outermost(text: str) -> list[tuple[Term, bool]]:
    """The terms of the outermost and-group in their order, each with whether it is negated."""
    root = parse(text).root
    found: list[tuple[Term, bool]] = []
    for operand in root.operands if isinstance(root, Group) else ():
        match operand:
            case Term():
                found.append((operand, False))
            case Negation(operand=Term() as denied):
                found.append((denied, True))
    return found


def _cut(text: str, start: int, end: int) -> str:
    return f"{text[:start].rstrip()} {text[end:].lstrip()}".strip()
