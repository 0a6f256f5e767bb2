"""The judge held against the evidence and the reviewers, each number against runs put for it."""

from __future__ import annotations

import pytest

from tests.store.building import body, finding, put_runs, run_of
from tests.store.test_store_statistics import records
from trace_store import Store
from trace_store.errors import QueryError
from trace_store.model import Review

ERROR, WARNING = finding("call_failed"), finding("failure_hidden", "warning")
INFO = finding("agent_retry", "info")


@pytest.fixture
def filled(store: Store) -> Store:
    """Of model x and y: passed with errors, with warnings and clean; failed with errors and without; one not judged."""
    runs = [
        run_of(body("a", judge_passed=True, metadata={"model": "x"}, check_id="k1"), ERROR, ERROR, WARNING),
        run_of(body("b", judge_passed=True, metadata={"model": "x"}, check_id="k1"), ERROR),
        run_of(body("c", judge_passed=True, metadata={"model": "y"}, check_id="k1"), WARNING),
        run_of(body("d", judge_passed=True, metadata={"model": "y"}), INFO),
        run_of(body("e", judge_passed=False, metadata={"model": "x"}, check_id="k2"), ERROR),
        run_of(body("f", judge_passed=False, metadata={"model": "y"}, check_id="k2"), WARNING),
        run_of(body("g", metadata={"model": "z"}), ERROR),
    ]
    put_runs(store, runs)
    return store


def test_verdicts_by_evidence(filled: Store) -> None:
    rows = records(filled.figures.judgements().evidence)
    assert {(row["verdict"], row["evidence"]): row["runs"] for row in rows} == {
        ("passed", "errors"): 2,
        ("passed", "warnings"): 1,
        ("passed", "clean"): 1,
        ("failed", "errors"): 1,
        ("failed", "warnings"): 1,
        (None, "errors"): 1,
    }


def test_verdicts_by_review(filled: Store) -> None:
    for run_id, review in {
        "a": Review(verdict="fail"),
        "b": Review(verdict="pass"),
        "e": Review(verdict="fail"),
        "f": Review(verdict="unsure"),
        "g": Review(note="a review without a verdict"),
    }.items():
        filled.reviews.save(run_id, review)
    rows = records(filled.figures.judgements().reviewers)
    assert {(row["verdict"], row["review"]): row["runs"] for row in rows} == {
        ("passed", "pass"): 1,
        ("passed", "fail"): 1,
        ("passed", None): 2,
        ("failed", "fail"): 1,
        ("failed", "unsure"): 1,
        (None, None): 1,
    }


def test_kinds_of_errors_by_verdict_each_run_once(filled: Store) -> None:
    assert records(filled.figures.judgements().errors) == [{"kind": "call_failed", "passed": 2, "failed": 1}]


def test_models_and_checks_where_most_runs_disagree_first(filled: Store) -> None:
    groups = filled.figures.judgements().groups
    assert records(groups["model"]) == [
        {"model": "x", "judged": 3, "passed_with_errors": 2, "failed_without": 0, "disagree": 2},
        {"model": "y", "judged": 3, "passed_with_errors": 0, "failed_without": 1, "disagree": 1},
    ]
    assert [(row["check"], row["judged"], row["disagree"]) for row in records(groups["check"])] == [
        ("k1", 3, 2),
        ("k2", 2, 1),
        (None, 1, 0),
    ]


def test_only_the_runs_that_a_query_finds(filled: Store) -> None:
    filled.reviews.save("e", Review(verdict="fail"))
    judged = filled.figures.judgements("model:x verdict:failed")
    assert records(judged.evidence) == [{"verdict": "failed", "evidence": "errors", "runs": 1}]
    assert records(judged.reviewers) == [{"verdict": "failed", "review": "fail", "runs": 1}]
    assert records(judged.errors) == [{"kind": "call_failed", "passed": 0, "failed": 1}]
    with pytest.raises(QueryError):
        filled.figures.judgements("toool:x")


@pytest.mark.parametrize(
    ("term", "evidence"),
    [
        ("severity:error", "errors"),
        ("severity:warning -severity:error", "warnings"),
        ("-severity:error,warning", "clean"),
    ],
)
def test_evidence_is_what_its_terms_find(filled: Store, term: str, evidence: str) -> None:
    rows = records(filled.figures.judgements().evidence)
    assert filled.runs(term).total == sum(row["runs"] for row in rows if row["evidence"] == evidence)
