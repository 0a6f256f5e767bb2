"""What a set of runs is made of, counted by run, class, boundary and tool; and what two sets share."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.building import body, boundary, call, failed_call, finding, put, put_runs, run_of
from trace_store import Store
from trace_store.errors import QueryError
from trace_store.store import ToolCounts

RUNS = [
    body("one", call("get"), failed_call("get"), failed_call("pay"), judge_passed=True, metadata={"model": "heron"}),
    body("two", failed_call("get", "run_token_expired"), failed_call("get"), judge_passed=False),
    body("three", call("get"), judge_passed=True, messages=[{"role": "user", "content": "hello"}]),
    body("four", status="failed"),
]


@pytest.fixture
def filled(store: Store) -> Store:
    put(store, *RUNS)
    return store


def test_runs_are_counted_by_how_they_ended(filled: Store) -> None:
    rates = filled.figures.rates()
    assert (rates.runs, rates.calls, rates.judged, rates.passed, rates.failed, rates.thin) == (4, 6, 3, 2, 1, 3)


def test_a_run_counts_once_in_a_class_and_a_tool_however_often_it_met_them(filled: Store) -> None:
    rates = filled.figures.rates()
    assert rates.classes == {"lock_contention": 2, "run_token_expired": 1}
    assert rates.tools == {
        "get": ToolCounts(runs=3, failed_in=2, calls=5, failures=3),
        "pay": ToolCounts(runs=1, failed_in=1, calls=1, failures=1),
    }


def test_a_query_narrows_every_count(filled: Store) -> None:
    rates = filled.figures.rates("model:heron")
    assert (rates.runs, rates.judged, rates.passed) == (1, 1, 1)
    assert rates.classes == {"lock_contention": 1}
    assert rates.tools["get"] == ToolCounts(1, 1, 2, 1)


def test_a_term_of_a_call_chooses_runs_and_not_their_calls(filled: Store) -> None:
    rates = filled.figures.rates("error_class:run_token_expired")
    assert rates.runs == 1
    assert rates.classes == {"lock_contention": 1, "run_token_expired": 1}


def test_nothing_found_is_all_zeros(filled: Store) -> None:
    rates = filled.figures.rates("model:nobody")
    assert (rates.runs, rates.calls, rates.judged, rates.classes, rates.tools) == (0, 0, 0, {}, {})


def test_findings_and_boundaries_are_counted_by_run(store: Store) -> None:
    run, raw, digest = run_of(body("one", failed_call("get")), finding(), finding(path="calls[1]"))
    run.boundary = boundary("receipt")
    put_runs(store, [(run, raw, digest), run_of(body("two"), finding("repeated_call", "info"))])
    rates = store.figures.rates()
    assert rates.with_errors == 1
    assert rates.boundaries == {"receipt": 1}


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [("", "", 4), ("verdict:passed", "", 2), ("verdict:passed", "verdict:failed", 0), ("tool:get", "view:thin", 2)],
)
def test_runs_that_both_queries_find_are_counted(filled: Store, one: str, other: str, both: int) -> None:
    assert filled.figures.common_runs(one, other) == both


@pytest.mark.parametrize(
    "asked", [lambda store: store.figures.rates("colour:red"), lambda store: store.figures.common_runs("", "a:b")]
)
def test_a_query_that_means_nothing_is_refused(filled: Store, asked: Any) -> None:
    with pytest.raises(QueryError):
        asked(filled)
