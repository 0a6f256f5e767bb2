"""Tools with what was called, what failed, how long it took, what broke its schema, and how it was declared (R33, R34).

Three statements, because they ask three kinds of rows: calls, findings, and the declarations that runs carry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import orjson
from sqlalchemy import Connection, Select, and_, desc, distinct, func, select

from trace_store.store import percentiles
from trace_store.store.connection import Queries, call_sequence
from trace_store.store.figures.statistics import count_calls, frame
from trace_store.store.query.compiling import belongs_to_run, condition_of, mentions, source_of, where
from trace_store.store.schema.tables import RUN_SHIFT, calls, findings, runs

if TYPE_CHECKING:
    import pandas as pd

VIOLATIONS = ("arguments_invalid", "response_invalid")
"""The kinds of findings that say so (R34)."""

COLUMNS = (
    "tool", "calls", "failures", "failure_rate", "application_errors", "p50_ms", "p95_ms", "retries", "wasted_ms",
    "violations", "modes",
)  # fmt: skip


def tools(self: Queries, query: str = "") -> pd.DataFrame:
    """Return the tools of the calls that the query finds, the most called first.

    By COLUMNS: `tool` is null for calls that cannot be read, which are in no rate (R19); `application_errors` are not
    among the failures; the latencies are percentiles
    of those known; `violations` are logged calls whose arguments or response do not fit the declared schema, one each;
    `modes` are those that the runs declare for the tool, in the order of the alphabet (several where runs differ).
    Raises QueryError."""
    reads: dict[str, Callable[..., list[Any]]] = {
        "calls": _count_calls,
        "unreadable": partial(_count_outcome, outcome="unreadable"),
        "errors": partial(_count_outcome, outcome="application_error"),
        "violations": _count_violations,
        "modes": _declared_modes,
    }
    tables = self.database.read_in_parallel({name: partial(read, query=query) for name, read in reads.items()})
    unreadable, errors, violations, modes = (
        dict(tables[name]) for name in ("unreadable", "errors", "violations", "modes")
    )
    rows: list[list[object]] = []
    for tool, count, failures, retries, wasted_ms, latencies in tables["calls"]:
        p50_ms, p95_ms, _ = percentiles.parse_percentiles(latencies)
        readable = count - unreadable.get(tool, 0)
        rate = failures / readable if readable else 0.0
        figures = [count, failures, rate, errors.get(tool, 0), p50_ms, p95_ms, retries, wasted_ms]
        rows.append([tool, *figures, violations.get(tool, 0), modes.get(tool)])
    return frame(rows, COLUMNS)


def _count_calls(connection: Connection, query: str) -> list[Any]:
    number = func.count().label("calls")
    statement = _of_calls(
        query,
        calls.c.tool_name,
        number,
        func.coalesce(func.sum(calls.c.failed), 0),
        func.count().filter(calls.c.attempt > 1),
        func.coalesce(func.sum(calls.c.wasted_ms), 0.0),
        percentiles.percentiles(calls.c.latency_ms),
    )
    return list(connection.execute(statement.group_by(calls.c.tool_name).order_by(desc(number), calls.c.tool_name)))


def _count_outcome(
    connection: Connection, query: str, outcome: Literal["unreadable", "application_error"]
) -> list[Any]:
    counts = count_calls(connection, outcome, condition_of(query, "calls"), [calls.c.tool_name])
    return [(tool, number) for (tool,), number in counts.items()]


def _count_violations(connection: Connection, query: str) -> list[Any]:
    """Count the calls that a finding's path leads to. A tool call of the transcript without a receipt was not called,
    and is not counted."""
    condition = condition_of(query, "calls")
    same = and_(findings.c.run_key == calls.c.run_key, call_sequence(findings.c.path) == calls.c.sequence)
    source = findings.join(calls, same)
    if mentions(condition, runs):
        source = source.join(runs, belongs_to_run(calls))
    # A call whose arguments and response are both at fault has two findings.
    number = func.count(distinct(calls.c.run_key.op("<<")(RUN_SHIFT) + calls.c.sequence))
    statement = select(calls.c.tool_name, number).select_from(source)
    statement = where(statement, condition).where(findings.c.kind.in_(VIOLATIONS))
    return list(connection.execute(statement.group_by(calls.c.tool_name)))


def _declared_modes(connection: Connection, query: str) -> list[tuple[str, list[str]]]:
    statement = where(select(runs.c.tool_modes), condition_of(query, "runs")).where(runs.c.tool_modes.is_not(None))
    # One text for each set of declarations: each is read once, and all of them in one go.
    texts = set(connection.execute(statement).scalars())
    declared: set[tuple[str, str | None]] = set()
    for modes in orjson.loads(f"[{','.join(texts)}]"):
        declared.update(modes.items())
    of_tool: defaultdict[str, list[str]] = defaultdict(list)
    for tool, mode in declared:
        if mode is not None:
            of_tool[tool].append(mode)
    return [(tool, sorted(modes)) for tool, modes in of_tool.items()]


def _of_calls(query: str, *columns: Any) -> Select[Any]:
    condition = condition_of(query, "calls")
    return where(select(*columns).select_from(source_of("calls", condition)), condition)
