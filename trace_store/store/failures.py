"""What failed, and how: the aggregates of the Failures page. Layers are never added together (R22)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Select, desc, distinct, func, literal_column, select, union_all

from trace_store.contract.classes import SOURCES
from trace_store.store.conditions import condition_of, source_of, where
from trace_store.store.statistics import frame, stats
from trace_store.store.tables import RUN_SHIFT, calls, chains, runs

if TYPE_CHECKING:
    import pandas as pd

# Spelt out: an index over the failed calls alone cannot serve a parameter.
_FAILED = calls.c.failed == literal_column("1")
_RUNS = func.count(distinct(calls.c.run_key)).label("runs")
_CALLS = func.count().label("calls")
_FAILURES = func.coalesce(func.sum(calls.c.failed), 0).label("failures")


@dataclass(frozen=True, slots=True)
class Failures:
    """DataFrames, the most frequent first; values that there are not are null.

    `classes`: `layer` (call, run, envelope), `error_class`, `runs`, `count`: of failed calls, of runs, of envelopes
    that a call or a run carries. In the layer call, null is a failure without a class.
    `tools_by_class`: `tool`, `error_class`, `calls`: failed ones.
    `sources`: `source`, `calls`, `failures`, `family` (null for an unknown source, R17).
    `rules`: `rule` (the index of a failure rule that fired), `runs`, `calls`.
    `chains`: `chain` (its outcome), `chains`, `wasted_ms`.
    `attempts`: `attempt`, `calls`, `failures`, by attempt.
    `tools`: the breakdown by tool, as `stats` gives it.
    """

    classes: pd.DataFrame
    tools_by_class: pd.DataFrame
    sources: pd.DataFrame
    rules: pd.DataFrame
    chains: pd.DataFrame
    attempts: pd.DataFrame
    tools: pd.DataFrame


def failures(connection: Connection, query: str) -> Failures:
    """The failures of what the query finds: calls where it is of calls, their runs where it is of runs. Raises
    QueryError."""
    import pandas as pd  # here, as in `statistics.frame`

    layers = {"call": _call_classes(query), "run": _run_classes(query), "envelope": _envelope_classes(query)}
    tables = [_frame(connection, statement).assign(layer=layer) for layer, statement in layers.items()]
    source = calls.c.source.label("source")
    sources = _frame(connection, _of_calls(query, source, _CALLS, _FAILURES).group_by(source).order_by(desc("calls")))
    rule = calls.c.matched_rule_index.label("rule")
    attempt = calls.c.attempt.label("attempt")
    return Failures(
        classes=pd.concat([table for table in tables if len(table)] or tables[:1], ignore_index=True)[
            ["layer", "error_class", "runs", "count"]
        ],
        tools_by_class=_frame(connection, _tools_by_class(query)),
        sources=sources.assign(family=pd.Series([SOURCES.get(name) for name in sources["source"]], dtype=object)),
        rules=_frame(connection, _of_calls(query, rule, _RUNS, _CALLS).where(rule.is_not(None)).group_by(rule)),
        chains=_frame(connection, _chains(query)),
        attempts=_frame(connection, _of_calls(query, attempt, _CALLS, _FAILURES).group_by(attempt).order_by(attempt)),
        tools=stats(connection, query, ["tool"]),
    )


def _call_classes(query: str) -> Select[Any]:
    error_class = calls.c.error_class.label("error_class")
    statement = _of_calls(query, error_class, _RUNS, func.count().label("count")).where(_FAILED)
    return statement.group_by(error_class).order_by(desc("count"), error_class)


def _run_classes(query: str) -> Select[Any]:
    error_class = runs.c.error_class.label("error_class")
    statement = select(error_class, func.count().label("runs"), func.count().label("count"))
    statement = where(statement.select_from(runs), condition_of(query, "runs")).where(error_class.is_not(None))
    return statement.group_by(error_class).order_by(desc("count"), error_class)


def _envelope_classes(query: str) -> Select[Any]:
    of_calls = _of_calls(query, calls.c.run_key.label("run_key"), calls.c.envelope_class.label("error_class"))
    of_runs = where(select(runs.c.key, runs.c.envelope_class), condition_of(query, "runs"))
    both = union_all(
        of_calls.where(calls.c.envelope_class.is_not(None)), of_runs.where(runs.c.envelope_class.is_not(None))
    ).subquery()
    statement = select(
        both.c.error_class, func.count(distinct(both.c.run_key)).label("runs"), func.count().label("count")
    )
    return statement.group_by(both.c.error_class).order_by(desc("count"), both.c.error_class)


def _tools_by_class(query: str) -> Select[Any]:
    tool, error_class = calls.c.tool_name.label("tool"), calls.c.error_class.label("error_class")
    statement = _of_calls(query, tool, error_class, _CALLS).where(_FAILED)
    return statement.group_by(tool, error_class).order_by(desc("calls"), tool, error_class)


def _chains(query: str) -> Select[Any]:
    condition = condition_of(query, "calls")
    if condition is None:
        # The chains themselves, in the order of their index; asked of calls, a chain is what its calls say of it.
        outcome, number = chains.c.outcome.label("chain"), func.count().label("chains")
        statement = select(outcome, number, func.coalesce(func.sum(chains.c.wasted_ms), 0.0).label("wasted_ms"))
        return statement.group_by(outcome).order_by(desc("chains"), outcome)
    outcome = calls.c.chain_outcome.label("chain")
    chain = calls.c.run_key.op("<<")(RUN_SHIFT) + calls.c.chain
    wasted_ms = func.coalesce(func.sum(calls.c.wasted_ms), 0.0).label("wasted_ms")
    statement = _of_calls(query, outcome, func.count(distinct(chain)).label("chains"), wasted_ms)
    return statement.group_by(outcome).order_by(desc("chains"), outcome)


def _of_calls(query: str, *columns: Any) -> Select[Any]:
    condition = condition_of(query, "calls")
    return where(select(*columns).select_from(source_of("calls", condition)), condition)


def _frame(connection: Connection, statement: Select[Any]) -> pd.DataFrame:
    result = connection.execute(statement)
    return frame([tuple(row) for row in result], list(result.keys()))
