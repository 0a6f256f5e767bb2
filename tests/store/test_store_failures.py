"""What failed and how: layers apart, and every number against what was put."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tests.store.building import body, call, failed_call, put
from tests.store.test_store_statistics import records
from trace_store import Store
from trace_store.errors import QueryError
from trace_store.store import FailureTable

ENVELOPE = {"error_class": "policy", "error_code": "policy_denied", "stage": "planning", "retryable": False}


@pytest.fixture
def filled(store: Store) -> Store:
    again: dict[str, Any] = {"arguments": {"id": 1}}
    put(
        store,
        body("a", failed_call("get", **again), failed_call("get", **again), call("get", **again), call("pay")),
        body("b", *(failed_call("get", **again) for _ in range(4)), failed_call("pay", None), status="timeout"),
        body("c", call("pay", source="injected", status_code=429, matched_rule_index=0),
             call("pay", source="injected", status_code=500, matched_rule_index=2, error_class="custom"),
             call("pay", response=ENVELOPE), call("see", source="passthrough"), call("see", source="martian"),
             error_class="agent_timeout"),
        body("d", final_response="", error=ENVELOPE),
        body("e", final_response="", error_class="agent_timeout"),
    )  # fmt: skip
    return store


def test_classes_by_layer(filled: Store) -> None:
    failures = filled.figures.failure_tables()
    assert records(failures["call_classes"]) == [
        {"error_class": "lock_contention", "runs": 2, "count": 6},
        {"error_class": None, "runs": 2, "count": 2},
        {"error_class": "custom", "runs": 1, "count": 1},
    ]
    assert records(failures["run_classes"]) == [{"error_class": "agent_timeout", "runs": 2, "count": 2}]
    assert records(failures["envelope_classes"]) == [{"error_class": "policy", "runs": 2, "count": 2}]


def test_tools_by_class(filled: Store) -> None:
    assert records(filled.figures.failure_tables()["tools_by_class"]) == [
        {"tool": "get", "error_class": "lock_contention", "calls": 6},
        {"tool": "pay", "error_class": None, "calls": 2},
        {"tool": "pay", "error_class": "custom", "calls": 1},
    ]


def test_sources_and_their_families(filled: Store) -> None:
    assert records(filled.figures.failure_tables()["sources"]) == [
        {"source": "error", "calls": 7, "failures": 7, "family": "simulated"},
        {"source": "odyssey", "calls": 3, "failures": 0, "family": "simulated"},
        {"source": "injected", "calls": 2, "failures": 2, "family": "simulated"},
        {"source": "martian", "calls": 1, "failures": 0, "family": None},
        {"source": "passthrough", "calls": 1, "failures": 0, "family": "live"},
    ]


def test_rules_that_fired(filled: Store) -> None:
    assert records(filled.figures.failure_tables()["rules"]) == [
        {"rule": 0, "runs": 1, "calls": 1},
        {"rule": 2, "runs": 1, "calls": 1},
    ]


def test_chains_and_attempts(filled: Store) -> None:
    failures = filled.figures.failure_tables()
    chains = {row["chain"]: row["chains"] for row in records(failures["chains"])}
    assert chains == {"recovered": 1, "succeeded": 3, "exhausted": 1, "failed": 3, "application_error": 1}
    assert records(failures["attempts"]) == [
        {"attempt": 1, "calls": 9, "failures": 5},
        {"attempt": 2, "calls": 2, "failures": 2},
        {"attempt": 3, "calls": 2, "failures": 1},
        {"attempt": 4, "calls": 1, "failures": 1},
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("outcome:failed", [("get", "lock_contention", 6), ("pay", None, 1)]),
        ("actor:none", [("get", "lock_contention", 6), ("pay", None, 2), ("pay", "custom", 1)]),
        ("outcome:failed run:b", [("get", "lock_contention", 4), ("pay", None, 1)]),
        ("chain:exhausted", [("get", "lock_contention", 4)]),
    ],
)
def test_tools_by_class_of_what_a_query_finds(filled: Store, query: str, expected: list[Any]) -> None:
    rows = records(filled.figures.failure_tables(query)["tools_by_class"])
    assert [(row["tool"], row["error_class"], row["calls"]) for row in rows] == expected


FIGURES = ("runs", "failed_in", "calls", "failures", "retries")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", (3, 3, 14, 9, 5)),
        ("run:a,b", (2, 2, 9, 7, 5)),
        ("run:a outcome:*", (1, 1, 4, 2, 2)),
        ("tool:see", (1, 0, 2, 0, 0)),
        ("run:d", (0, 0, 0, 0, 0)),
    ],
)
def test_the_figures_of_all_calls(filled: Store, query: str, expected: tuple[int, ...]) -> None:
    (row,) = records(filled.figures.failure_tables(query)["figures"])
    assert tuple(row[name] for name in FIGURES) == expected


def test_figures_are_the_same_by_runs_and_by_calls(filled: Store) -> None:
    assert records(filled.figures.failure_tables("outcome:*")["figures"]) == records(
        filled.figures.failure_tables()["figures"]
    )


def test_tables_can_be_asked_for_alone(filled: Store) -> None:
    tables = filled.figures.failure_tables("run:a", ["sources", "rules"])
    assert list(tables) == ["sources", "rules"]
    assert records(tables["sources"]) == records(filled.figures.failure_tables("run:a")["sources"])
    assert tables["rules"].empty


def test_a_query_that_means_nothing_is_an_error_of_each_table(filled: Store) -> None:
    with pytest.raises(QueryError):
        filled.figures.failure_tables("toool:a", ["sources"])
    with pytest.raises(QueryError):
        filled.figures.failure_tables("toool:a")


@pytest.mark.parametrize("query", ["run:b", "outcome:* run:b", "file:* run_status:timeout"])
def test_only_what_the_query_finds(filled: Store, query: str) -> None:
    failures = filled.figures.failure_tables(query)
    assert records(failures["call_classes"]) == [
        {"error_class": "lock_contention", "runs": 1, "count": 4},
        {"error_class": None, "runs": 1, "count": 1},
    ]
    assert failures["run_classes"].empty
    assert {row["chain"]: row["chains"] for row in records(failures["chains"])} == {"exhausted": 1, "failed": 1}
    assert [row["calls"] for row in records(failures["sources"])] == [5]


def test_chains_of_all_calls_are_those_of_the_chains_themselves(filled: Store) -> None:
    by_calls, by_chains = filled.figures.failure_tables("outcome:*"), filled.figures.failure_tables()
    assert records(by_calls["chains"]) == records(by_chains["chains"])


def test_an_empty_store_has_empty_tables(store: Store) -> None:
    failures = store.figures.failure_tables()
    assert set(failures) == set(get_args(FailureTable))
    for name, table in failures.items():
        assert len(table) == (name == "figures"), name
    assert records(failures["figures"]) == [dict.fromkeys([*FIGURES, "wasted_ms", "application_errors"], 0)]
    assert list(failures["run_classes"].columns) == ["error_class", "runs", "count"]
