"""What failed, and how: the aggregates of the Failures page, each a table that can be asked for alone. Layers are never
added together (R22)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sqlalchemy import Connection, Select, case, desc, distinct, func, literal_column, select, union_all

from trace_store.contract.vocabulary import SOURCES
from trace_store.store.connection import Database
from trace_store.store.figures.signatures import over_time, signatures
from trace_store.store.figures.statistics import frame
from trace_store.store.parallel import side_by_side
from trace_store.store.query.conditions import columns_of, condition_of, mentions, source_of, where
from trace_store.store.schema.tables import RUN_SHIFT, calls, chains, runs

if TYPE_CHECKING:
    import pandas as pd

FailureTable: TypeAlias = Literal[
    "figures", "signatures", "over_time", "call_classes", "run_classes", "envelope_classes", "tools_by_class",
    "sources", "rules", "chains", "attempts",
]  # fmt: skip

# Spelt out: an index over the failed calls alone cannot serve a parameter.
_FAILED = calls.c.failed == literal_column("1")
_IN_THE_INDEX = set(next(index for index in calls.indexes if index.name == "calls_failed").columns)
_RUNS = func.count(distinct(calls.c.run_key)).label("runs")
_CALLS = func.count().label("calls")
_FAILURES = func.coalesce(func.sum(calls.c.failed), 0).label("failures")


@dataclass(frozen=True, slots=True)
class Failures:
    """DataFrames, the most frequent first; values that there are not are null.

    `figures`: one row: `runs` with calls, `failed_in` how many of them a call failed, `calls`, `failures`, `retries`
    (attempts beyond the first of their chain), `wasted_ms`.
    `signatures`, `over_time`: see `failure_signatures`.
    `call_classes`, `run_classes`, `envelope_classes`: `error_class`, `runs`, `count`: of failed calls, of runs, of
    envelopes that a call or a run carries. Of calls, null is a failure without a class.
    `tools_by_class`: `tool`, `error_class`, `calls`: failed ones.
    `sources`: `source`, `calls`, `failures`, `family` (null for an unknown source, R17).
    `rules`: `rule` (the index of a failure rule that fired), `runs`, `calls`.
    `chains`: `chain` (its outcome), `chains`, `wasted_ms`.
    `attempts`: `attempt`, `calls`, `failures`, by attempt.
    """

    figures: pd.DataFrame
    signatures: pd.DataFrame
    over_time: pd.DataFrame
    call_classes: pd.DataFrame
    run_classes: pd.DataFrame
    envelope_classes: pd.DataFrame
    tools_by_class: pd.DataFrame
    sources: pd.DataFrame
    rules: pd.DataFrame
    chains: pd.DataFrame
    attempts: pd.DataFrame


def failures(database: Database, query: str) -> Failures:
    """The failures of what the query finds: calls where it is of calls, their runs where it is of runs. Raises
    QueryError."""
    return Failures(**failure_tables(database, query, _TABLES))


def failure_tables(database: Database, query: str, names: Iterable[FailureTable]) -> dict[FailureTable, pd.DataFrame]:
    """Those tables of `Failures`, read side by side. Raises QueryError."""
    return side_by_side(database, {name: partial(_TABLES[name], query=query) for name in names})


def _figures(connection: Connection, query: str) -> pd.DataFrame:
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
    asked = columns_of(condition_of(query, "calls"))
    if asked and asked <= _IN_THE_INDEX:
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


_TABLES: dict[FailureTable, Callable[..., pd.DataFrame]] = {
    "figures": _figures,
    "signatures": signatures,
    "over_time": over_time,
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
