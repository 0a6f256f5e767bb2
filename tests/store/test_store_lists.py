"""Lists: their order, their pages, their totals, and a run's place among its neighbours."""

from __future__ import annotations

import pytest

from tests.store.building import body, call, failed_call, finding, put, put_runs, run_ids, run_of
from trace_store import Store
from trace_store.errors import QueryError
from trace_store.store import Neighbours


@pytest.fixture
def filled(store: Store) -> Store:
    """Three imports: runs a to f, with more and more calls, every second of them failed."""
    names = "abcdef"
    for first in range(0, 6, 2):
        put(store, *(
            body(
                names[n],
                *(call(f"tool_{i}", latency_ms=100.0 * n + i) if i % 2 else failed_call(f"tool_{i}") for i in range(n)),
                model="x",
                metadata={"model": "odd" if n % 2 else "even"},
                judge_passed=None if n == 3 else n > 3,
            )
            for n in range(first, first + 2)
        ), file=f"{first}.jsonl")  # fmt: skip
    return store


def test_the_newest_runs_stand_first(filled: Store) -> None:
    assert run_ids(filled.runs().rows) == list("fedcba")


def test_calls_stand_by_run_and_within_it_in_the_order_of_the_log(filled: Store) -> None:
    rows = filled.calls(limit=10).rows
    assert [(row["run_id"], row["sequence"]) for row in rows] == [("f", n) for n in range(5)] + [
        ("e", n) for n in range(4)
    ] + [("d", 0)]


def test_findings_stand_by_run_and_within_it_in_their_order(store: Store) -> None:
    findings = [finding("retry_exhausted"), finding("call_failed"), finding("actor_silent", "info", "sub_agents")]
    put_runs(store, [run_of(body("a"), *findings), run_of(body("b"), finding())])
    rows = store.findings().rows
    assert [(row["run_id"], row["kind"]) for row in rows] == [
        ("b", "call_failed"), ("a", "retry_exhausted"), ("a", "call_failed"), ("a", "actor_silent"),
    ]  # fmt: skip
    assert store.findings("severity:error").total == 3
    assert store.findings("finding:actor_silent").rows[0]["path"] == "sub_agents"


def test_pages_go_through_the_whole_list_and_say_its_total(filled: Store) -> None:
    pages = [filled.calls("outcome:*", limit=4, offset=offset) for offset in range(0, 20, 4)]
    assert [len(page.rows) for page in pages] == [4, 4, 4, 3, 0]
    assert [page.total for page in pages] == [15] * 5
    seen = [(row["run_id"], row["sequence"]) for page in pages for row in page.rows]
    assert seen == [(name, n) for i, name in enumerate("abcdef"[::-1]) for n in range(5 - i)]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("calls", "abcdef"),
        ("-calls", "fedcba"),
        ("failures", "abcdef"),
        ("-failures", "fedcba"),
        ("run", "abcdef"),
        ("-run", "fedcba"),
        ("imported", "abcdef"),
        ("-imported", "fedcba"),
        ("model", "acebdf"),
        ("-model", "fdbeca"),
        ("verdict", "abcefd"),  # what has no value stands last, whatever the direction
        ("-verdict", "fecbad"),
    ],
)
def test_runs_are_sorted_by_fields(filled: Store, sort: str, expected: str) -> None:
    assert "".join(map(str, run_ids(filled.runs(sort=sort).rows))) == expected
    halves = [filled.runs(sort=sort, limit=3, offset=offset).rows for offset in (0, 3)]
    assert "".join(map(str, run_ids(halves[0] + halves[1]))) == expected


def test_calls_are_sorted_by_latency_those_without_last(filled: Store) -> None:
    rows = filled.calls(sort="-latency_ms").rows
    assert [row["latency_ms"] for row in rows] == [503.0, 501.0, 403.0, 401.0, 301.0, 201.0, *[None] * 9]
    rows = filled.calls(sort="latency_ms").rows
    assert [row["latency_ms"] for row in rows] == [201.0, 301.0, 401.0, 403.0, 501.0, 503.0, *[None] * 9]


def test_calls_are_sorted_by_facts_of_their_run(filled: Store) -> None:
    rows = filled.calls("outcome:ok", sort="model").rows
    assert [row["model"] for row in rows] == ["even"] * 3 + ["odd"] * 3


def test_a_sort_by_nothing_known_is_an_error(filled: Store) -> None:
    with pytest.raises(QueryError, match="latency_ms"):
        filled.calls(sort="-latency_m")


@pytest.mark.parametrize(
    ("query", "total"),
    [
        ("", 15),
        ("model:odd", 9),  # the runs have counted their calls
        ("model:odd outcome:failed", 6),
        ("outcome:failed", 9),
        ("-model:odd", 6),
        ("run:nothing", 0),
        ("tool:tool_0 OR model:even", 9),
        ("reviewed:false", 15),
        ("failures>1", 12),
    ],
)
def test_totals_of_calls(filled: Store, query: str, total: int) -> None:
    page = filled.calls(query, limit=100)
    assert page.total == total
    assert len(page.rows) == total


def test_no_limit_below_nothing(filled: Store) -> None:
    page = filled.runs(limit=-1, offset=-5)
    assert page.rows == []
    assert page.total == 6
    assert run_ids(filled.runs(limit=1, offset=-5).rows) == ["f"]


def test_neighbours_of_a_run_in_a_list(filled: Store) -> None:
    assert filled.lists.neighbours("f") == Neighbours(None, "e", 1, 6)
    assert filled.lists.neighbours("d") == Neighbours("e", "c", 3, 6)
    assert filled.lists.neighbours("a") == Neighbours("b", None, 6, 6)
    assert filled.lists.neighbours("d", "model:odd") == Neighbours("f", "b", 2, 3)
    assert filled.lists.neighbours("b", "model:odd", "calls") == Neighbours(None, "d", 1, 3)
    assert filled.lists.neighbours("c", "run:c") == Neighbours(None, None, 1, 1)


def test_a_run_outside_the_list_has_no_neighbours(filled: Store) -> None:
    assert filled.lists.neighbours("a", "model:odd") is None
    assert filled.lists.neighbours("nobody") is None
    assert filled.lists.neighbours("\udc80") is None


def test_an_empty_store_has_empty_lists(store: Store) -> None:
    for page in (store.runs(), store.calls("outcome:ok"), store.findings(), store.imports.page()):
        assert page.rows == []
        assert page.total == 0
