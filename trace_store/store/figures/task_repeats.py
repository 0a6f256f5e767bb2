"""Repeated runs of one task: how often each task passed, and the nearest run that ended the other way."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import case, desc, func, select

from trace_store.errors import QueryError
from trace_store.store.connection import Queries
from trace_store.store.lists.pages import Page
from trace_store.store.query import field_named
from trace_store.store.query.compiling import condition_of, where
from trace_store.store.schema.tables import runs
from trace_store.store.timestamps import iso_timestamp

_PASSED = func.count().filter(runs.c.judge_passed == 1)
_FAILED = func.count().filter(runs.c.judge_passed == 0)
# The judge's verdict, and without one a failure of the run itself (R3).
_OUTCOME = func.coalesce(runs.c.judge_passed, case((runs.c.failed == 1, 0)))


def repeats(
    self: Queries, query: str = "", by: Sequence[str] = ("task",), least: int = 2, limit: int = 50, offset: int = 0
) -> Page:
    """Return a page of groups: the runs that the query finds by fields of a run, with at least `least` runs each.

    Rows have the fields under their names, `runs`, `passed` and `failed` (by the judge), `unjudged`, and `first` and
    `last`, when the earliest and the latest started. Those that the judge passed and failed stand first, the more of
    the rarer verdict the higher. Raises QueryError.
    """
    fields = [field_named(name) for name in by]
    for field in fields:
        if len(field.columns) != 1 or field.columns[0].table is not runs:
            raise QueryError(
                f"runs are not grouped by {field.name}", hint="a run must have one value of it, of its own"
            )
    groups = [field.columns[0].value.label(field.name) for field in fields]
    numbers = (
        func.count().label("runs"),
        _PASSED.label("passed"),
        _FAILED.label("failed"),
        func.min(runs.c.started_us).label("first"),
        func.max(runs.c.started_us).label("last"),
    )
    groups_query = where(select(*groups, *numbers).select_from(runs), condition_of(query, "runs"))
    if least > 1:
        groups_query = groups_query.where(*(group.element.is_not(None) for group in groups))
    groups_query = groups_query.group_by(*groups).having(func.count() >= least)
    table = groups_query.subquery()
    order = (desc(func.min(table.c.passed, table.c.failed)), desc(table.c.runs))
    page = select(table, func.count().over().label("of_all"))
    page = page.order_by(*order, *(table.c[field.name] for field in fields)).limit(max(limit, 0)).offset(max(offset, 0))
    with self.database.read() as connection:
        rows = [dict(row) for row in connection.execute(page).mappings()]
        if rows:
            return Page([_public_row(row) for row in rows], rows[0]["of_all"])
        return Page([], connection.execute(select(func.count()).select_from(table)).scalar_one())


def _public_row(row: dict[str, Any]) -> dict[str, object]:
    unjudged = row["runs"] - row["passed"] - row["failed"]
    times = {"first": iso_timestamp(row["first"]), "last": iso_timestamp(row["last"])}
    return {name: value for name, value in row.items() if name != "of_all"} | {"unjudged": unjudged} | times


def counterparts(self: Queries, run_ids: Iterable[str]) -> dict[str, str]:
    """Return for each of these runs that passed the nearest run of its task that failed, and the other way round.

    It is one of the same model if there is one, then the nearest in time. Runs that have none, or no verdict, are left
    out.
    """
    # A run that does not say when it started stands before all others.
    started = func.coalesce(runs.c.started_us, 0).label("started")
    judged = select(runs.c.run_id, runs.c.task_id, runs.c.model, started, _OUTCOME.label("outcome"))
    judged = judged.where(_OUTCOME.is_not(None))
    pairs: dict[str, str] = {}
    with self.database.read() as connection:
        selection = judged.where(runs.c.run_id.in_(list(run_ids)), runs.c.task_id.is_not(None))
        ours = connection.execute(selection).all()
        for task in {run.task_id for run in ours}:
            by_outcome: defaultdict[tuple[Any, ...], list[tuple[int, str]]] = defaultdict(list)
            for run in connection.execute(judged.where(runs.c.task_id == task).order_by("started", runs.c.key)):
                by_outcome[run.outcome, run.model].append((run.started, run.run_id))
                by_outcome[run.outcome,].append((run.started, run.run_id))
            for run in ours:
                others = by_outcome.get((1 - run.outcome, run.model)) or by_outcome.get((1 - run.outcome,))
                if run.task_id == task and others:
                    pairs[run.run_id] = _find_nearest(others, run.started)
    return pairs


def _find_nearest(sorted_by_time: Sequence[tuple[int, str]], time_us: int) -> str:
    after = bisect_left(sorted_by_time, (time_us,))
    beside = sorted_by_time[max(0, after - 1) : after + 1]
    return min(beside, key=lambda run: abs(run[0] - time_us))[1]
