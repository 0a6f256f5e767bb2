"""The judge held against the evidence and against the reviewers: where they disagree, and over what.

*Evidence* is the worst severity among a run's findings: `errors`, else `warnings`, else `clean`; infos are none. The
judge and the evidence *disagree* on a run that passed with errors, and on one that failed without.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sqlalchemy import Connection, case, desc, distinct, func, literal_column, select

from trace_store.store.connection import Queries
from trace_store.store.figures.statistics import frame
from trace_store.store.query import field_named
from trace_store.store.query.compiling import belongs_to_run, condition_of, where
from trace_store.store.schema.tables import findings, reviews, runs

if TYPE_CHECKING:
    import pandas as pd

Verdict: TypeAlias = Literal["passed", "failed"]

EVIDENCE = ("errors", "warnings", "clean")
GROUPS = ("model", "check")

_EVIDENCE = case((runs.c.errors > 0, "errors"), (runs.c.cautions > 0, "warnings"), else_="clean")

# Spelt out: an index over the errors alone cannot serve a parameter.
_IS_ERROR = findings.c.severity == literal_column("'error'")


@dataclass(frozen=True, slots=True)
class Judgements:
    """DataFrames. `verdict` is the judge's: `passed`, `failed`, or null where there is none.

    `evidence`: `verdict`, `evidence`, `runs`: each pair that some run has.
    `reviewers`: `verdict`, `review` (the reviewer's verdict, null where there is none), `runs`.
    `errors`: `kind`, `passed`, `failed`: judged runs with a finding of that kind, of severity error; those that go with
    most passed runs first.
    `groups`: by GROUPS, one table each: the group's name (null where there is none), `judged`, `passed_with_errors`,
    `failed_without` (errors), `disagree` (both); where most runs disagree first.
    """

    evidence: pd.DataFrame
    reviewers: pd.DataFrame
    errors: pd.DataFrame
    groups: dict[str, pd.DataFrame]


def judgements(self: Queries, query: str = "") -> Judgements:
    """Return what the judge says of the runs that the query finds, against the evidence and the reviewers. Raises
    QueryError."""
    reads = {"judge": _count_by_verdict, "reviewers": _count_by_review, "errors": _count_by_error}
    rows = self.database.read_in_parallel({name: partial(read, query=query) for name, read in reads.items()})
    judged = rows["judge"]
    evidence = _sum_counts(((verdict, severity), count) for verdict, severity, _, _, count in judged)
    verdicts = _sum_counts((verdict, count) for verdict, _, _, _, count in judged)
    reviewed = {(verdict, review): count for verdict, review, count in rows["reviewers"]}
    for verdict, count in verdicts.items():
        rest = count - sum(number for (judge, _), number in reviewed.items() if judge == verdict)
        if rest:
            reviewed[verdict, None] = rest
    return Judgements(
        evidence=frame([(*pair, count) for pair, count in evidence.items()], ["verdict", "evidence", "runs"]),
        reviewers=frame([(*pair, count) for pair, count in reviewed.items()], ["verdict", "review", "runs"]),
        errors=frame(rows["errors"], ["kind", "passed", "failed"]),
        groups={name: _group(judged, index, name) for index, name in enumerate(GROUPS, start=2)},
    )


def _count_by_verdict(connection: Connection, query: str) -> list[Any]:
    """Count runs by verdict, evidence, model and check, in one walk of an index: the other tables are sums of these."""
    groups = (runs.c.judge_passed, _EVIDENCE, runs.c.model, runs.c.check_id)
    statement = where(select(*groups, func.count()).select_from(runs), condition_of(query, "runs")).group_by(*groups)
    return [(_public_verdict(verdict), *rest) for verdict, *rest in connection.execute(statement)]


def _count_by_review(connection: Connection, query: str) -> list[Any]:
    """Count runs with a reviewer's verdict: review by review, of which there are few."""
    groups = (runs.c.judge_passed, reviews.c.verdict)
    statement = select(*groups, func.count()).select_from(reviews.join(runs, belongs_to_run(reviews)))
    statement = where(statement, condition_of(query, "runs")).where(reviews.c.verdict.is_not(None)).group_by(*groups)
    return [(_public_verdict(verdict), *rest) for verdict, *rest in connection.execute(statement)]


def _count_by_error(connection: Connection, query: str) -> list[Any]:
    passed, failed = (
        func.count(distinct(case((runs.c.judge_passed == verdict, runs.c.key)))).label(name)
        for name, verdict in (("passed", 1), ("failed", 0))
    )
    statement = select(findings.c.kind, passed, failed).select_from(findings.join(runs, belongs_to_run(findings)))
    statement = where(statement, condition_of(query, "runs")).where(_IS_ERROR)
    # The errors alone, by kind: few, where the findings of all judged runs are many.
    statement = statement.with_hint(findings, "INDEXED BY findings_errors", "sqlite")
    statement = statement.where(runs.c.judge_passed.is_not(None)).group_by(findings.c.kind)
    return [tuple(row) for row in connection.execute(statement.order_by(desc("passed"), findings.c.kind))]


def _group(judged: Sequence[Any], index: int, name: str) -> pd.DataFrame:
    all_judged, with_errors, without_errors = (
        _sum_counts((row[index], row[-1]) for row in judged if holds(row[0], row[1]))
        for holds in (
            lambda verdict, evidence: verdict is not None,
            lambda verdict, evidence: verdict == "passed" and evidence == "errors",
            lambda verdict, evidence: verdict == "failed" and evidence != "errors",
        )
    )
    rows = []
    for group, count in all_judged.items():
        passed, failed = with_errors.get(group, 0), without_errors.get(group, 0)
        rows.append((group, count, passed, failed, passed + failed))
    rows.sort(key=lambda row: (-row[4], -row[1], str(row[0])))
    return frame(rows, [name, "judged", "passed_with_errors", "failed_without", "disagree"])


def _sum_counts(counts: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    sums: dict[Any, int] = {}
    for key, count in counts:
        sums[key] = sums.get(key, 0) + count
    return sums


def _public_verdict(verdict: int | None) -> Any:
    """Return the verdict as a query writes it."""
    return field_named("verdict").public_value(verdict)
