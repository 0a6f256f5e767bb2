"""What failed, and how: by signature (boundary, tool, and class or message; R38), over time, by layer, tool and so on.

Each table can be read alone. Layers are never added together (R22).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, case, desc, distinct, func, literal_column, select, union_all

from trace_store.contract.vocabulary import SOURCES
from trace_store.store.connection import Queries
from trace_store.store.figures.statistics import count_calls, frame
from trace_store.store.query.compiling import belongs_to_run, columns_of, condition_of, mentions, source_of, where
from trace_store.store.schema.tables import RUN_SHIFT, calls, chains, reviews, runs
from trace_store.store.timestamps import iso_timestamp

if TYPE_CHECKING:
    import pandas as pd

FailureTable: TypeAlias = Literal[
    "figures", "signatures", "over_time", "call_classes", "run_classes", "envelope_classes", "tools_by_class",
    "sources", "rules", "chains", "attempts",
]  # fmt: skip

# Spelt out: an index over the failed calls alone cannot serve a parameter.
_FAILED = calls.c.failed == literal_column("1")
_COLUMNS_OF_THE_INDEX = set(next(index for index in calls.indexes if index.name == "calls_failed").columns)
HOUR_US = 3_600_000_000

_SIGNATURE = (runs.c.boundary_stage, runs.c.boundary_tool, runs.c.boundary_class, runs.c.boundary_message)
_GATHERED_SIGNATURE: tuple[ColumnElement[Any], ...] = tuple(
    literal_column(f"+{column}").label(column.name) for column in _SIGNATURE
)
"""The same where a query leaves a part of the runs: those are gathered and sorted. Given the plain columns, the planner
would walk all runs in the order of their index, and look up each."""

_RUNS = func.count(distinct(calls.c.run_key)).label("runs")
_CALLS = func.count().label("calls")
_FAILURES = func.coalesce(func.sum(calls.c.failed), 0).label("failures")


def failure_tables(
    self: Queries, query: str = "", names: Iterable[FailureTable] | None = None
) -> dict[FailureTable, pd.DataFrame]:
    """Return the tables that `names` lists, or all of them: the failures of what the query finds, read in parallel.

    They count the calls where the query is of calls, the calls of its runs where it is of runs. The most frequent come
    first, and a value that there is not is null.

    `figures`: one row: `runs` with calls, `failed_in` (those of them with a failed call), `calls` that can be read, as
    others are in no rate (R19), `failures`, `application_errors` (not among the failures), `retries` (attempts beyond
    the first of their chain), `wasted_ms`.
    `signatures`: `stage`, `tool`, `error_class`, `message` (the signature of a run, R38: the message where there is no
    class), `runs`, `reviewed` (those of them with a review), `first_seen`, `last_seen` (of the runs' starts). Runs that
    failed at no boundary are in none.
    `over_time`: runs by the hour of their start: `hour_us` (its begin, microseconds since the epoch, UTC), `runs`,
    `failed` (those of them that failed at a boundary), in the order of time. Hours without runs are left out.
    `call_classes`, `run_classes`, `envelope_classes`: `error_class`, `runs`, `count`: of failed calls, of runs, of
    envelopes that a call or a run carries. Of calls, null is a failure without a class.
    `tools_by_class`: `tool`, `error_class`, `calls`: failed ones.
    `sources`: `source`, `calls`, `failures`, `family` (null for an unknown source, R17).
    `rules`: `rule` (the index of a failure rule that fired), `runs`, `calls`.
    `chains`: `chain` (its outcome), `chains`, `wasted_ms`.
    `attempts`: `attempt`, `calls`, `failures`, by attempt.

    Raises QueryError.
    """
    reads = {name: partial(_TABLES[name], query=query) for name in (_TABLES if names is None else names)}
    return self.database.read_in_parallel(reads)


def _figures(connection: Connection, query: str) -> pd.DataFrame:
    figures = _figures_of_all(connection, query)
    condition = condition_of(query, "calls")
    unreadable = count_calls(connection, "unreadable", condition).get((), 0)
    errors = count_calls(connection, "application_error", condition).get((), 0)
    return figures.assign(calls=figures["calls"] - unreadable, application_errors=errors)


def _figures_of_all(connection: Connection, query: str) -> pd.DataFrame:
    condition = condition_of(query, "calls")
    if mentions(condition, calls):
        statement = _of_calls(
            query,
            _RUNS,
            func.count(distinct(case((_FAILED, calls.c.run_key)))).label("failed_in"),
            _CALLS,
            _FAILURES,
            func.count().filter(calls.c.attempt > 1).label("retries"),
            func.coalesce(func.sum(calls.c.wasted_ms), 0.0).label("wasted_ms"),
        )
        return _frame(connection, statement)
    # Only runs are asked about, and each has counted its calls.
    statement = select(
        func.count().filter(runs.c.calls > 0).label("runs"),
        func.count().filter(runs.c.failures > 0).label("failed_in"),
        func.coalesce(func.sum(runs.c.calls), 0).label("calls"),
        func.coalesce(func.sum(runs.c.failures), 0).label("failures"),
        func.coalesce(func.sum(runs.c.retries), 0).label("retries"),
        func.coalesce(func.sum(runs.c.wasted_ms), 0.0).label("wasted_ms"),
    ).select_from(runs)
    return _frame(connection, where(statement, condition))


def _call_classes(connection: Connection, query: str) -> pd.DataFrame:
    error_class = calls.c.error_class.label("error_class")
    statement = _of_calls(query, error_class, _RUNS, func.count().label("count")).where(_FAILED)
    return _frame(connection, statement.group_by(error_class).order_by(desc("count"), error_class))


def _run_classes(connection: Connection, query: str) -> pd.DataFrame:
    error_class = runs.c.error_class.label("error_class")
    statement = select(error_class, func.count().label("runs"), func.count().label("count"))
    statement = where(statement.select_from(runs), condition_of(query, "runs")).where(error_class.is_not(None))
    return _frame(connection, statement.group_by(error_class).order_by(desc("count"), error_class))


def _envelope_classes(connection: Connection, query: str) -> pd.DataFrame:
    of_calls = _of_calls(query, calls.c.run_key.label("run_key"), calls.c.envelope_class.label("error_class"))
    of_runs = where(select(runs.c.key, runs.c.envelope_class), condition_of(query, "runs"))
    both = union_all(
        of_calls.where(calls.c.envelope_class.is_not(None)), of_runs.where(runs.c.envelope_class.is_not(None))
    ).subquery()
    statement = select(
        both.c.error_class, func.count(distinct(both.c.run_key)).label("runs"), func.count().label("count")
    )
    return _frame(connection, statement.group_by(both.c.error_class).order_by(desc("count"), both.c.error_class))


def _tools_by_class(connection: Connection, query: str) -> pd.DataFrame:
    tool, error_class = calls.c.tool_name.label("tool"), calls.c.error_class.label("error_class")
    statement = _of_calls(query, tool, error_class, _CALLS).where(_FAILED)
    columns = columns_of(condition_of(query, "calls"))
    if columns and columns <= _COLUMNS_OF_THE_INDEX:
        # The failed calls alone: fewer than most values of a filter have, all of whose rows the planner would look up.
        statement = statement.with_hint(calls, "INDEXED BY calls_failed", "sqlite")
    return _frame(connection, statement.group_by(tool, error_class).order_by(desc("calls"), tool, error_class))


def _sources(connection: Connection, query: str) -> pd.DataFrame:
    import pandas as pd  # here, as in `statistics.frame`

    source = calls.c.source.label("source")
    statement = _of_calls(query, source, _CALLS, _FAILURES).group_by(source).order_by(desc("calls"))
    sources = _frame(connection, statement)
    return sources.assign(family=pd.Series([SOURCES.get(name) for name in sources["source"]], dtype=object))


def _rules(connection: Connection, query: str) -> pd.DataFrame:
    rule = calls.c.matched_rule_index.label("rule")
    return _frame(connection, _of_calls(query, rule, _RUNS, _CALLS).where(rule.is_not(None)).group_by(rule))


def _chains(connection: Connection, query: str) -> pd.DataFrame:
    if condition_of(query, "calls") is None:
        # The chains themselves, in the order of their index; asked of calls, a chain is what its calls say of it.
        outcome, number = chains.c.outcome.label("chain"), func.count().label("chains")
        statement = select(outcome, number, func.coalesce(func.sum(chains.c.wasted_ms), 0.0).label("wasted_ms"))
    else:
        outcome = calls.c.chain_outcome.label("chain")
        chain = calls.c.run_key.op("<<")(RUN_SHIFT) + calls.c.chain
        wasted_ms = func.coalesce(func.sum(calls.c.wasted_ms), 0.0).label("wasted_ms")
        statement = _of_calls(query, outcome, func.count(distinct(chain)).label("chains"), wasted_ms)
    return _frame(connection, statement.group_by(outcome).order_by(desc("chains"), outcome))


def _attempts(connection: Connection, query: str) -> pd.DataFrame:
    attempt = calls.c.attempt.label("attempt")
    return _frame(connection, _of_calls(query, attempt, _CALLS, _FAILURES).group_by(attempt).order_by(attempt))


def _signatures(connection: Connection, query: str) -> pd.DataFrame:
    condition = condition_of(query, "runs")
    number = func.count().label("runs")
    groups: tuple[ColumnElement[Any], ...] = _SIGNATURE if condition is None else _GATHERED_SIGNATURE
    statement = select(*groups, number, func.min(runs.c.started_us), func.max(runs.c.started_us)).select_from(runs)
    statement = where(statement, condition).where(groups[0].is_not(None)).group_by(*groups)
    # Review by review, of which there are few, and not run by run.
    reviewed_runs = select(*_SIGNATURE, func.count()).select_from(reviews.join(runs, belongs_to_run(reviews)))
    reviewed_runs = where(reviewed_runs, condition).where(runs.c.boundary_stage.is_not(None)).group_by(*_SIGNATURE)
    reviewed = {tuple(row[:4]): row[4] for row in connection.execute(reviewed_runs)}
    rows = [
        (*row[:5], reviewed.get(tuple(row[:4]), 0), iso_timestamp(row[5]), iso_timestamp(row[6]))
        for row in connection.execute(statement.order_by(desc(number), *groups))
    ]
    return frame(rows, ["stage", "tool", "error_class", "message", "runs", "reviewed", "first_seen", "last_seen"])


def _over_time(connection: Connection, query: str) -> pd.DataFrame:
    hour = runs.c.started_us.op("/")(HOUR_US).label("hour")
    statement = select(hour, func.count(), func.count(runs.c.boundary_stage)).select_from(runs)
    statement = where(statement, condition_of(query, "runs")).where(runs.c.started_us.is_not(None))
    rows = connection.execute(statement.group_by(hour).order_by(hour))
    return frame([(number * HOUR_US, count, failed) for number, count, failed in rows], ["hour_us", "runs", "failed"])


_TABLES: dict[FailureTable, Callable[..., pd.DataFrame]] = {
    "figures": _figures,
    "signatures": _signatures,
    "over_time": _over_time,
    "call_classes": _call_classes,
    "run_classes": _run_classes,
    "envelope_classes": _envelope_classes,
    "tools_by_class": _tools_by_class,
    "sources": _sources,
    "rules": _rules,
    "chains": _chains,
    "attempts": _attempts,
}


def _of_calls(query: str, *columns: Any) -> Select[Any]:
    condition = condition_of(query, "calls")
    return where(select(*columns).select_from(source_of("calls", condition)), condition)


def _frame(connection: Connection, statement: Select[Any]) -> pd.DataFrame:
    result = connection.execute(statement)
    return frame([tuple(row) for row in result], list(result.keys()))
