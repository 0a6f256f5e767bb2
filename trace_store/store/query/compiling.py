"""Typed tree -> conditions on the tables of the store.

`compile_calls` speaks of one call and its run, so each term is a condition on the joined row. `compile_runs` and
`compile_findings` speak of a run that has many calls: there the call terms of one and-group become one condition, "the
run has a call with all of this", and a group with nothing but negated call terms becomes "the run has no call with any
of this". `docs/query.md` says it for a person.

Negation takes what is unknown for what does not hold: a call without a source is not from `odyssey`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import ge, gt, le, lt
from typing import Any, TypeAlias

from sqlalchemy import (
    Column,
    ColumnElement,
    FromClause,
    and_,
    exists,
    false,
    func,
    literal_column,
    not_,
    or_,
    select,
    true,
)

from trace_store.store.query import full_text
from trace_store.store.query.fields import Fact, Field, Kind, Listed, Place, Presence, field_named
from trace_store.store.query.tree import (
    Alternatives,
    Group,
    Negation,
    Node,
    OneOf,
    Operator,
    Pattern,
    Query,
    Span,
    Subtree,
    Term,
    Value,
    Words,
)
from trace_store.store.schema.tables import calls, findings, queue_runs, review_tags, reviews, runs

Condition: TypeAlias = ColumnElement[bool]


def compile_runs(query: Query) -> Condition:
    """The condition on `tables.runs`."""
    return _branch(query.root, "runs")


def compile_calls(query: Query) -> Condition:
    """The condition on `tables.calls` joined with `tables.runs`; run terms speak of the call's run."""
    return _branch(query.root, "calls")


def compile_findings(query: Query) -> Condition:
    """The condition on `tables.findings` joined with `tables.runs`: words, `finding` and `severity` speak of the
    finding itself, every other term of its run."""
    return _branch(query.root, "findings")


def _branch(node: Node, listed: Listed) -> Condition:
    match node:
        case Group(operands):
            return _group(operands, listed)
        case Alternatives(groups):
            return or_(*(_group(group.operands, listed) for group in groups))
        case Negation(operand):
            return _not(_branch(operand, listed))
        case Words(text):
            return _words(text, listed)
        case Term():
            return _term(node, listed)


def _group(operands: tuple[Node, ...], listed: Listed) -> Condition:
    asked: list[Term] = []
    denied: list[Term] = []
    conditions: list[Condition] = [true()]
    for operand in operands:
        match operand:
            case Term(field=Field(of="call")) if listed != "calls":
                asked.append(operand)
            case Negation(operand=Term(field=Field(of="call")) as term) if listed != "calls":
                denied.append(term)
            case _:
                conditions.append(_branch(operand, listed))
    return and_(*conditions, *_of_its_calls(asked, denied))


def _of_its_calls(asked: list[Term], denied: list[Term]) -> Iterator[Condition]:
    """What the call terms of one group say of a run: some call has all that is asked and nothing that is denied;
    where nothing is asked, no call has any of what is denied."""
    if asked:
        holds = [_term(term, "calls") for term in asked] + [_not(_term(term, "calls")) for term in denied]
        yield _has_call(and_(*holds), few=any(_picks_few(term) for term in asked))
    else:
        for term in denied:
            yield not_(_has_call(_term(term, "calls"), few=_picks_few(term)))


def _has_call(holds: Condition, *, few: bool) -> Condition:
    """That the run has a call for which `holds`. Few such calls are gathered from an index, once; where most runs have
    one, it is faster to look into each run until one is met."""
    if few:
        return runs.c.key.in_(select(calls.c.run_key).where(holds).correlate(None))
    return _there_is(calls.c.run_key == runs.c.key, holds)


def _picks_few(term: Term) -> bool:
    """Whether probably few calls have it: a value that is none of the common ones, or more than some number."""
    if term.operator != ":":
        return term.operator in (">", ">=")
    return all(_is_rare(value, term.field) for value in term.values)


def _is_rare(value: Value, field: Field) -> bool:
    match value:
        case OneOf(stored):
            return field.common.isdisjoint(stored)
        case Presence():
            return value is Presence.ANY and field.sparse
        case Subtree(node):
            # The tree below a root is most of what happens.
            return "/" in node.parts[0]
        case _:
            return True


def _term(term: Term, listed: Listed) -> Condition:
    field = field_named(term.field.name, listed)
    exact = tuple(stored for value in term.values if isinstance(value, OneOf) for stored in value.stored)
    others: list[Value] = [value for value in term.values if not isinstance(value, OneOf)]
    values = [OneOf(exact), *others] if exact else others
    return or_(*(_value(value, term.operator, field, listed) for value in values))


def _value(value: Value, operator: Operator, field: Field, listed: Listed) -> Condition:
    if isinstance(value, Fact):
        return _some_row(value.table, value.holds)
    if value is Presence.NONE:
        return not_(_value(Presence.ANY, operator, field, listed))
    return or_(*(_at_place(place, value, operator, field, listed) for place in field.places))


def _at_place(place: Place, value: Value, operator: Operator, field: Field, listed: Listed) -> Condition:
    """The value stands there: in the listed row itself where `place` is part of it, else in some row of the run."""
    holds = _matches(place.value, value, operator, field)
    if field.of == "call" or place.table is runs or (listed == "findings" and place.table is findings):
        return holds
    if value is Presence.ANY:
        return _some_row(place.table, holds)
    inner, outer = _LINKS[place.table]
    return outer.in_(select(inner).where(holds).correlate(None))


def _some_row(table: FromClause, holds: Condition) -> Condition:
    inner, outer = _LINKS[table]
    return _there_is(inner == outer, holds)


def _there_is(tied: Condition, holds: Condition) -> Condition:
    """That the run has such a row. It selects nothing of it, so that an index alone can tell."""
    return exists(literal_column("1")).where(tied, holds).correlate(runs)


_LINKS: dict[FromClause, tuple[Column[Any], Column[Any]]] = {
    calls: (calls.c.run_key, runs.c.key),
    findings: (findings.c.run_key, runs.c.key),
    reviews: (reviews.c.run_id, runs.c.run_id),
    review_tags: (review_tags.c.run_id, runs.c.run_id),
    queue_runs: (queue_runs.c.run_id, runs.c.run_id),
}
"""What ties the rows that go with a run to it."""


def _matches(column: ColumnElement[Any], value: Value, operator: Operator, field: Field) -> Condition:
    match value:
        case OneOf((stored,)) if field.kind is Kind.FLAG:
            # Spelt out: an index over the flagged rows alone cannot serve a parameter.
            return column == literal_column(str(stored))
        case OneOf(stored) if operator == ":":
            return column.in_(stored) if len(stored) > 1 else column == stored[0]
        case OneOf((stored,)):
            return _compared(column, operator, stored)
        case Pattern(parts):
            return column.op("GLOB", is_comparison=True)(_glob(parts))
        case Subtree(Pattern((node,))):
            # One stretch of the index, less what sorts between the node and its children; 0 comes after /.
            return and_(column >= node, column < f"{node}0", not_(and_(column > node, column < f"{node}/")))
        case Subtree(node):
            below = Pattern((*node.parts[:-1], f"{node.parts[-1]}/", ""))
            return or_(_matches(column, node, ":", field), _matches(column, below, ":", field))
        case Span(start_us, end_us):
            return _within(column, operator, start_us, end_us)
        case _:
            return column.is_not(None)


_COMPARISONS: dict[Operator, Callable[[Any, Any], Any]] = {">": gt, ">=": ge, "<": lt, "<=": le}
# Indexed only where they are more than 0, as most are not.
_COUNTERS = (runs.c.failures, runs.c.retries, runs.c.warnings)


def _compared(column: ColumnElement[Any], operator: Operator, number: object) -> Condition:
    condition: Condition = _COMPARISONS[operator](column, number)
    above = isinstance(number, int | float) and (number >= 0 if operator == ">" else operator == ">=" and number > 0)
    if above and any(column is counter for counter in _COUNTERS):
        return and_(column > literal_column("0"), condition)
    return condition


def _within(column: ColumnElement[Any], operator: Operator, start_us: int, end_us: int) -> Condition:
    """A date is a stretch of time: what is before, in and after it are told apart, and nothing is two of them."""
    match operator:
        case ":":
            return and_(column >= start_us, column < end_us)
        case ">=":
            return column >= start_us
        case "<":
            return column < start_us
        case ">":
            return column >= end_us
        case "<=":
            return column < end_us


def _glob(parts: tuple[str, ...]) -> str:
    return "*".join(re.sub(r"[*?[]", r"[\g<0>]", part) for part in parts)


def _words(text: str, listed: Listed) -> Condition:
    match listed:
        case "runs":
            return full_text.runs_with(text)
        case "calls":
            return full_text.calls_with(text)
        case "findings":
            return findings.c.message.contains(full_text.Phrase.of(text).text, autoescape=True)


def _not(condition: Condition) -> Condition:
    return not_(func.coalesce(condition, false()))
