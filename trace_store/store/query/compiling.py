"""Typed tree -> conditions on the tables of the store, and the tables that a statement needs for them.

A query on `calls` is about one call and its run, so each term is a condition on the joined row. On `runs` and
`findings` it is about a run that has many calls: there the call terms of one and-group become one condition, "the run
has a call with all of this", and a group with nothing but negated call terms becomes "the run has no call with any of
this". `docs/query.md` explains it to users.

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
    Select,
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
from sqlalchemy.sql import visitors

from trace_store.store.query import full_text
from trace_store.store.query.fields import TABLES, Fact, Field, FieldColumn, Kind, ListName, Presence, field_named
from trace_store.store.query.parsing import parse
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
from trace_store.store.query.values import matches_pattern
from trace_store.store.schema.tables import calls, findings, queue_runs, review_tags, reviews, runs

Condition: TypeAlias = ColumnElement[bool]


def condition_of(query: str, list_name: ListName) -> Condition | None:
    """Return the condition that `query` puts on the rows of a list; null for a blank query. Raises QueryError."""
    return compile_query(parse(query), list_name) if query.strip() else None


def compile_query(query: Query, list_name: ListName) -> Condition:
    """Return the condition on the list's table, joined with `runs`.

    On `calls`, run terms are about the call's run. On `findings`, words, `finding` and `severity` are about the finding
    itself, every other term about its run.
    """
    return _branch(query.root, list_name)


def is_run(run_id: str) -> Condition:
    """Return the condition on `runs` that a run goes by this id."""
    try:
        run_id.encode()
    except UnicodeEncodeError:
        return false()  # half a character: no id has it, and no database takes it
    return runs.c.run_id == run_id


def where(statement: Select[Any], condition: Condition | None) -> Select[Any]:
    """Return `statement` under the condition, if there is one."""
    return statement if condition is None else statement.where(condition)


def source_of(
    list_name: ListName, *expressions: ColumnElement[Any] | None, also: FromClause | None = None
) -> FromClause:
    """Return the list's table, joined with `also`, which has rows of runs. Runs are joined only when one of the
    expressions, or `also`, needs them: a count of calls need not look up the run of each."""
    table = TABLES[list_name]
    source: FromClause = table
    if also is table or also is runs:
        also = None
    if table is not runs and (also is not None or any(mentions(expression, runs) for expression in expressions)):
        source = source.join(runs, belongs_to_run(table))
    return source if also is None else source.join(also, belongs_to_run(also))


def belongs_to_run(table: FromClause) -> Condition:
    """Return the condition that links the rows of `table` to their run."""
    if "run_key" in table.c:
        return table.c.run_key == runs.c.key
    return table.c.run_id == runs.c.run_id


def mentions(expression: ColumnElement[Any] | None, table: FromClause) -> bool:
    """Return whether a column of `table` stands anywhere in the expression, its subqueries included."""
    return any(column.table is table for column in columns_of(expression))


def columns_of(expression: ColumnElement[Any] | None) -> set[Column[Any]]:
    """Return the columns that stand anywhere in the expression, its subqueries included."""
    elements = () if expression is None else visitors.iterate(expression)
    return {element for element in elements if isinstance(element, Column)}


def _branch(node: Node, list_name: ListName) -> Condition:
    match node:
        case Group(operands):
            return _group(operands, list_name)
        case Alternatives(groups):
            return or_(*(_group(group.operands, list_name) for group in groups))
        case Negation(operand):
            return _not(_branch(operand, list_name))
        case Words(text):
            return _words(text, list_name)
        case Term():
            return _term(node, list_name)


def _group(operands: tuple[Node, ...], list_name: ListName) -> Condition:
    required: list[Term] = []
    excluded: list[Term] = []
    conditions: list[Condition] = [true()]
    for operand in operands:
        match operand:
            case Term(field=Field(of="call")) if list_name != "calls":
                required.append(operand)
            case Negation(operand=Term(field=Field(of="call")) as term) if list_name != "calls":
                excluded.append(term)
            case _:
                conditions.append(_branch(operand, list_name))
    return and_(*conditions, *_call_conditions(required, excluded))


def _call_conditions(required: list[Term], excluded: list[Term]) -> Iterator[Condition]:
    """Yield what the call terms of one group mean for a run: some call has all that is required and nothing that is
    excluded; where nothing is required, no call has any of what is excluded."""
    if required:
        holds = [_term(term, "calls") for term in required] + [_not(_term(term, "calls")) for term in excluded]
        yield _has_call(and_(*holds), few=any(_picks_few(term) for term in required))
    else:
        for term in excluded:
            yield not_(_has_call(_term(term, "calls"), few=_picks_few(term)))


def _has_call(holds: Condition, *, few: bool) -> Condition:
    """Return that the run has a call for which `holds`. Few such calls are gathered from an index, once; where most
    runs have one, it is faster to look into each run until one is met."""
    if few:
        return runs.c.key.in_(select(calls.c.run_key).where(holds).correlate(None))
    return _there_is(calls.c.run_key == runs.c.key, holds)


def _picks_few(term: Term) -> bool:
    """Return whether probably few calls have it: a value that is none of the common ones, or more than some number."""
    if term.operator != ":":
        return term.operator in (">", ">=")
    return all(_is_rare(value, term.field) for value in term.values)


def _is_rare(value: Value, field: Field) -> bool:
    match value:
        case OneOf(values):
            return field.common.isdisjoint(values)
        case Presence():
            return value is Presence.ANY and field.sparse
        case Subtree(node):
            # The tree below a root is most of what happens.
            return "/" in node.parts[0]
        case _:
            return True


def _term(term: Term, list_name: ListName) -> Condition:
    field = field_named(term.field.name, list_name)
    exact = tuple(one for value in term.values if isinstance(value, OneOf) for one in value.values)
    others: list[Value] = [value for value in term.values if not isinstance(value, OneOf)]
    values = [OneOf(exact), *others] if exact else others
    return or_(*(_value(value, term.operator, field, list_name) for value in values))


def _value(value: Value, operator: Operator, field: Field, list_name: ListName) -> Condition:
    if isinstance(value, Fact):
        return _some_row(value.table, value.holds)
    if value is Presence.NONE:
        return not_(_value(Presence.ANY, operator, field, list_name))
    return or_(*(_in_column(column, value, operator, field, list_name) for column in field.columns))


def _in_column(column: FieldColumn, value: Value, operator: Operator, field: Field, list_name: ListName) -> Condition:
    """Return that the value is in the column: of the listed row where that is part of it, else of some row of the
    run."""
    holds = _matches(column.value, value, operator, field)
    if field.of == "call" or column.table is runs or (list_name == "findings" and column.table is findings):
        return holds
    if value is Presence.ANY:
        return _some_row(column.table, holds)
    inner, outer = _LINKS[column.table]
    return outer.in_(select(inner).where(holds).correlate(None))


def _some_row(table: FromClause, holds: Condition) -> Condition:
    inner, outer = _LINKS[table]
    return _there_is(inner == outer, holds)


def _there_is(link: Condition, holds: Condition) -> Condition:
    """Return that the run has such a row. It selects nothing of it, so that an index alone can tell."""
    return exists(literal_column("1")).where(link, holds).correlate(runs)


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
        case OneOf((one,)) if field.kind is Kind.FLAG:
            # Spelt out: an index over the flagged rows alone cannot serve a parameter.
            return column == literal_column(str(one))
        case OneOf(values) if operator == ":":
            return column.in_(values) if len(values) > 1 else column == values[0]
        case OneOf((one,)):
            return _compare(column, operator, one)
        case Pattern(parts):
            matches = column.op("GLOB", is_comparison=True)(_glob(parts))
            spelt = [one for one in (*field.spellings, *field.spellings.values()) if matches_pattern(parts, one)]
            others = {other for one in spelt for other in field.stored_values(one)}
            return or_(matches, column.in_(sorted(others))) if others else matches
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


def _compare(column: ColumnElement[Any], operator: Operator, number: object) -> Condition:
    condition: Condition = _COMPARISONS[operator](column, number)
    above = isinstance(number, int | float) and (number >= 0 if operator == ">" else operator == ">=" and number > 0)
    if above and any(column is counter for counter in _COUNTERS):
        return and_(column > literal_column("0"), condition)
    return condition


def _within(column: ColumnElement[Any], operator: Operator, start_us: int, end_us: int) -> Condition:
    """Return the comparison with a stretch of time: a time is either before it, in it or after it."""
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


def _words(text: str, list_name: ListName) -> Condition:
    match list_name:
        case "runs":
            return full_text.runs_with(text)
        case "calls":
            return full_text.calls_with(text)
        case "findings":
            return full_text.contains_words(findings.c.message, text)


def _not(condition: Condition) -> Condition:
    return not_(func.coalesce(condition, false()))
