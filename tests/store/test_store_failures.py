"""What failed and how: layers apart, and every number against what was put."""

from __future__ import annotations

import pytest

from tests.store.building import body, call, failed_call, put
from tests.store.test_store_statistics import records
from trace_store import Store

ENVELOPE = {"error_class": "policy", "error_code": "policy_denied", "stage": "planning", "retryable": False}


@pytest.fixture
def filled(store: Store) -> Store:
    again = {"arguments": {"id": 1}}
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
    assert records(filled.failures().classes) == [
        {"layer": "call", "error_class": "lock_contention", "runs": 2, "count": 6},
        {"layer": "call", "error_class": None, "runs": 2, "count": 2},
        {"layer": "call", "error_class": "custom", "runs": 1, "count": 1},
        {"layer": "run", "error_class": "agent_timeout", "runs": 2, "count": 2},
        {"layer": "envelope", "error_class": "policy", "runs": 2, "count": 2},
    ]


def test_tools_by_class(filled: Store) -> None:
    assert records(filled.failures().tools_by_class) == [
        {"tool": "get", "error_class": "lock_contention", "calls": 6},
        {"tool": "pay", "error_class": None, "calls": 2},
        {"tool": "pay", "error_class": "custom", "calls": 1},
    ]


def test_sources_and_their_families(filled: Store) -> None:
    assert records(filled.failures().sources) == [
        {"source": "error", "calls": 7, "failures": 7, "family": "simulated"},
        {"source": "odyssey", "calls": 3, "failures": 0, "family": "simulated"},
        {"source": "injected", "calls": 2, "failures": 2, "family": "simulated"},
        {"source": "martian", "calls": 1, "failures": 0, "family": None},
        {"source": "passthrough", "calls": 1, "failures": 0, "family": "live"},
    ]


def test_rules_that_fired(filled: Store) -> None:
    assert records(filled.failures().rules) == [
        {"rule": 0, "runs": 1, "calls": 1},
        {"rule": 2, "runs": 1, "calls": 1},
    ]


def test_chains_and_attempts(filled: Store) -> None:
    failures = filled.failures()
    chains = {row["chain"]: row["chains"] for row in records(failures.chains)}
    assert chains == {"recovered": 1, "succeeded": 3, "exhausted": 1, "failed": 3, "application_error": 1}
    assert records(failures.attempts) == [
        {"attempt": 1, "calls": 9, "failures": 5},
        {"attempt": 2, "calls": 2, "failures": 2},
        {"attempt": 3, "calls": 2, "failures": 1},
        {"attempt": 4, "calls": 1, "failures": 1},
    ]


def test_tools_are_the_breakdown_by_tool(filled: Store) -> None:
    assert records(filled.failures("run:a").tools) == records(filled.stats("run:a", by=["tool"]))


@pytest.mark.parametrize("query", ["run:b", "outcome:* run:b", "file:* run_status:timeout"])
def test_only_what_the_query_finds(filled: Store, query: str) -> None:
    failures = filled.failures(query)
    assert records(failures.classes) == [
        {"layer": "call", "error_class": "lock_contention", "runs": 1, "count": 4},
        {"layer": "call", "error_class": None, "runs": 1, "count": 1},
    ]
    assert {row["chain"]: row["chains"] for row in records(failures.chains)} == {"exhausted": 1, "failed": 1}
    assert [row["calls"] for row in records(failures.sources)] == [5]


def test_chains_of_all_calls_are_those_of_the_chains_themselves(filled: Store) -> None:
    assert records(filled.failures("outcome:*").chains) == records(filled.failures().chains)


def test_an_empty_store_has_empty_tables(store: Store) -> None:
    failures = store.failures()
    for name in ("classes", "tools_by_class", "sources", "rules", "chains", "attempts", "tools"):
        assert len(getattr(failures, name)) == 0, name
    assert list(failures.classes.columns) == ["layer", "error_class", "runs", "count"]
