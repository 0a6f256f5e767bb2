"""Figures over runs, and the values of fields."""

from __future__ import annotations

import pytest

from tests.store.building import body, call, failed_call, finding, put, put_runs, run_of
from trace_store import Store
from trace_store.errors import QueryError
from trace_store.model import Review
from trace_store.store import Totals

ENVELOPE = {"error_class": "policy", "error_code": "policy_denied", "stage": "planning", "retryable": False}
MESSAGES = [{"role": "user", "content": "hi"}]


@pytest.fixture
def filled(store: Store) -> Store:
    exhausted = [failed_call("get_order", arguments={"id": 1}) for _ in range(4)]
    put_runs(store, [
        run_of(body("good", call("get_order"), call("pay"), messages=MESSAGES, judge_passed=True)),
        run_of(body("thin", call("get_order", actor_id="boss"), sub_agents=["boss"])),
        run_of(body("tired", *exhausted, messages=MESSAGES, judge_passed=False), finding("retry_exhausted")),
        run_of(body("stray", call("pay", actor_id="bos"), sub_agents=["boss"], messages=MESSAGES, status="timeout"),
               finding("actor_undeclared", "warning"), finding("actor_silent", "info")),
        run_of(body("policy", call("pay", response={"error": ENVELOPE}), final_response="", error=ENVELOPE)),
    ])  # fmt: skip
    store.reviews.save("good", Review("pass", tags=("fine", "seen")))
    store.reviews.save("tired", Review(failure_mode="gave up", tags=("seen",)))
    return store


def test_totals_of_everything_and_of_a_query(filled: Store) -> None:
    assert filled.figures.totals() == Totals(
        runs=5, failed=2, thin=2, with_errors=1, undeclared=1, exhausted=1, unreviewed=3, calls=9
    )
    assert filled.figures.totals("tool:pay") == Totals(
        runs=3, failed=2, thin=1, with_errors=0, undeclared=1, exhausted=0, unreviewed=2, calls=4
    )
    assert filled.figures.totals("run:nothing") == Totals(0, 0, 0, 0, 0, 0, 0, 0)


def test_each_total_is_what_its_filter_finds(filled: Store) -> None:
    totals = filled.figures.totals()
    for figure, query in {
        "failed": "failed:true",
        "thin": "view:thin",
        "with_errors": "severity:error",
        "undeclared": "actor_status:undeclared",
        "exhausted": "chain:exhausted",
        "unreviewed": "reviewed:false",
    }.items():
        assert filled.runs(query).total == getattr(totals, figure), figure


@pytest.mark.parametrize(
    ("field", "runs"),
    [
        ("tool", [("get_order", 3), ("pay", 3)]),
        ("outcome", [("ok", 3), ("application_error", 1), ("failed", 1)]),
        ("error_class", [("lock_contention", 1)]),
        ("actor_status", [("unattributed", 3), ("declared", 1), ("undeclared", 1)]),
        ("attempt", [(1, 5), (2, 1), (3, 1), (4, 1)]),
        ("verdict", [("failed", 1), ("passed", 1)]),
        ("failed", [("false", 3), ("true", 2)]),
        ("view", [("rich", 3), ("thin", 2)]),
        ("run_status", [("timed_out", 1)]),
        ("finding", [("actor_silent", 1), ("actor_undeclared", 1), ("retry_exhausted", 1)]),
        ("severity", [("error", 1), ("info", 1), ("warning", 1)]),
        ("envelope_class", [("policy", 1)]),  # of the run and of its call: one run
        ("import", [(1, 5)]),
        ("tag", [("seen", 2), ("fine", 1)]),
        ("review", [("pass", 1)]),
        ("failure_mode", [("gave up", 1)]),
        ("reviewed", [("false", 3), ("true", 2)]),
        ("scenario", []),
    ],
)
def test_values_of_a_field_with_how_many_runs_have_them(
    filled: Store, field: str, runs: list[tuple[object, int]]
) -> None:
    assert filled.figures.facet("", field) == runs
    for value, number in runs:
        assert filled.runs(f'{field}:"{value}"').total == number


@pytest.mark.parametrize(
    ("field", "calls"),
    [
        ("tool", [("get_order", 6), ("pay", 3)]),
        ("outcome", [("failed", 4), ("ok", 4), ("application_error", 1)]),
        ("verdict", [("failed", 4), ("passed", 2)]),
        ("severity", [("error", 4), ("info", 1), ("warning", 1)]),
        ("envelope_class", [("policy", 1)]),
        ("tag", [("seen", 6), ("fine", 2)]),
        ("review", [("pass", 2)]),
    ],
)
def test_values_of_a_field_with_how_many_calls_have_them(
    filled: Store, field: str, calls: list[tuple[object, int]]
) -> None:
    assert filled.figures.facet("", field, list_name="calls") == calls
    for value, number in calls:
        assert filled.calls(f'{field}:"{value}"').total == number


def test_values_of_a_field_among_findings(filled: Store) -> None:
    assert filled.figures.facet("", "severity", list_name="findings") == [("error", 1), ("info", 1), ("warning", 1)]
    assert filled.figures.facet("severity:error", "finding", list_name="findings") == [("retry_exhausted", 1)]
    assert filled.figures.facet("", "run_status", list_name="findings") == [("timed_out", 2)]


def test_values_within_a_query_and_up_to_a_limit(filled: Store) -> None:
    assert filled.figures.facet("tool:pay", "tool") == [("pay", 3), ("get_order", 1)]
    assert filled.figures.facet("tool:pay", "tool", list_name="calls") == [("pay", 3)]
    assert filled.figures.facet("tool:pay", "tag", limit=1) == [("fine", 1)]
    assert filled.figures.facet("reviewed:true", "review") == [("pass", 1)]
    assert filled.figures.facet("outcome:ok view:rich", "tool", list_name="calls") == [("pay", 2), ("get_order", 1)]


def test_a_review_of_an_older_version_is_a_value_too(filled: Store) -> None:
    put(filled, body("good", status="changed"))
    assert filled.figures.facet("", "review") == [("pass", 1), ("stale", 1)]


def test_values_of_no_field_are_an_error(filled: Store) -> None:
    with pytest.raises(QueryError, match="did you mean tool"):
        filled.figures.facet("", "tol")


def test_facets_read_side_by_side_are_those_read_alone(filled: Store) -> None:
    asked = [("", "tool"), ("tool:pay", "tool"), ("verdict:passed", "outcome"), ("", "tag")]
    assert filled.figures.facets(asked) == {
        (query, field): filled.figures.facet(query, field) for query, field in asked
    }
    assert filled.figures.facets([("", "outcome")], list_name="calls", limit=1) == {
        ("", "outcome"): filled.figures.facet("", "outcome", 1, list_name="calls")
    }


def test_a_query_that_means_nothing_is_an_error_among_facets_too(filled: Store) -> None:
    with pytest.raises(QueryError):
        filled.figures.facets([("", "tool"), ("colour:red", "tool")])
