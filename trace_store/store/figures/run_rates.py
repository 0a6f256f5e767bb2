"""What a set of runs is made of, as counts: how many passed, failed, met a class, called a tool. Counts and no shares:
what they leave uncertain is for `comparing` to say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    distinct,
    func,
    literal_column,
    select,
    true,
    union_all,
)

from trace_store.model import Stage
from trace_store.store.connection import Queries
from trace_store.store.query.compiling import Condition, condition_of, source_of, where
from trace_store.store.schema.tables import calls, runs

_STAGES = get_args(Stage)
_RUNS = func.count(distinct(calls.c.run_key))


@dataclass(frozen=True, slots=True)
class ToolCounts:
    """Of the runs that called a tool: how many, in how many of them a call of it failed or was answered with an
    application error (injected failures included), and the same of its calls."""

    runs: int
    failed_in: int
    calls: int
    failures: int


@dataclass(frozen=True, slots=True)
class Rates:
    """The counts over the runs that a query finds, all of runs unless they say otherwise.

    `judged` have a verdict, `passed` are those of them that the judge passed; `failed` is the run itself (R3).
    `with_errors` have a finding of severity error. `classes`: runs with a failed call of that error class (R22, call
    layer). `boundaries`: runs that first failed at that stage (R38). `tools` are keyed by name, null for calls that
    cannot be read.
    """

    runs: int
    calls: int
    judged: int
    passed: int
    failed: int
    with_errors: int
    undeclared: int
    exhausted: int
    thin: int
    classes: Mapping[str, int]
    boundaries: Mapping[str, int]
    tools: Mapping[str | None, ToolCounts]


def rates(self: Queries, query: str = "") -> Rates:
    """Return the counts over the runs that the query finds. Raises QueryError."""
    condition = condition_of(query, "runs")
    statements = {
        "figures": _figures(condition), "classes": _classes(condition), "tools": _tools(condition),
        "failed": _failed_tools(condition),
    }  # fmt: skip
    rows = self.database.read_in_parallel({name: partial(_rows, statement) for name, statement in statements.items()})
    figures = dict(zip(statements["figures"].selected_columns.keys(), rows["figures"][0], strict=True))
    failed = {tool: tuple(numbers) for tool, *numbers in rows["failed"]}
    boundaries = {stage: figures.pop(stage) for stage in _STAGES}
    return Rates(
        **figures,
        classes=dict(rows["classes"]),
        boundaries={stage: number for stage, number in boundaries.items() if number},
        tools={tool: _counts_of(*called, *failed.get(tool, (0, 0))) for tool, *called in rows["tools"]},
    )


def _rows(statement: Select[Any], connection: Connection) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(statement)]


def common_runs(self: Queries, one: str, other: str) -> int:
    """Return how many runs both queries find. Raises QueryError."""
    conditions = [condition for query in (one, other) if (condition := condition_of(query, "runs")) is not None]
    statement = select(func.count()).select_from(runs).where(true(), *conditions)
    with self.database.read() as connection:
        return int(connection.execute(statement).scalar_one())


def _figures(condition: Condition | None) -> Select[Any]:
    statement = select(
        func.count().label("runs"),
        func.coalesce(func.sum(runs.c.calls), 0).label("calls"),
        func.count(runs.c.judge_passed).label("judged"),
        _count(runs.c.judge_passed == 1).label("passed"),
        _count(runs.c.failed == 1).label("failed"),
        _count(runs.c.errors > 0).label("with_errors"),
        _count(runs.c.undeclared > 0).label("undeclared"),
        _count(runs.c.exhausted > 0).label("exhausted"),
        _count(runs.c.view == "thin").label("thin"),
        # There are six: as counts of their own, no statement more has to find the runs.
        *(_count(runs.c.boundary_stage == stage).label(stage) for stage in _STAGES),
    )
    return where(statement.select_from(runs), condition)


def _classes(condition: Condition | None) -> Select[Any]:
    statement = select(calls.c.error_class, _RUNS).select_from(_calls_of(condition))
    return where(statement, condition).where(calls.c.error_class.is_not(None)).group_by(calls.c.error_class)


def _tools(condition: Condition | None) -> Select[Any]:
    statement = select(calls.c.tool_name, _RUNS, func.count()).select_from(_calls_of(condition))
    return where(statement, condition).group_by(calls.c.tool_name)


def _failed_tools(condition: Condition | None) -> Select[Any]:
    # Found by two indexes, of the failed calls and of outcomes: there are few.
    of_calls = where(select(calls.c.tool_name, calls.c.run_key).select_from(_calls_of(condition)), condition)
    rare = union_all(
        of_calls.where(calls.c.failed == literal_column("1")),
        of_calls.where(calls.c.outcome == literal_column("'application_error'")),
    ).subquery()
    return select(rare.c.tool_name, func.count(distinct(rare.c.run_key)), func.count()).group_by(rare.c.tool_name)


def _counts_of(runs: int, calls: int, failed_in: int, failures: int) -> ToolCounts:
    return ToolCounts(runs, failed_in, calls, failures)


def _calls_of(condition: Condition | None) -> FromClause:
    return source_of("calls", None if condition is None else runs.c.key)


def _count(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.count().filter(condition)
