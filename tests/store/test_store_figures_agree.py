"""The same count is the same number wherever it is shown: one store with every outcome, counted in every way."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.store.building import body, call, failed_call, put
from trace_store import Store
from trace_store.model import Outcome

FAILURES, APPLICATION_ERRORS, READABLE, RUNS_WITH_EITHER = 3, 2, 9, 3


@pytest.fixture
def filled(store: Store) -> Store:
    refused = {"response": {"error": "permission_denied"}}
    put(
        store,
        body("fine", call("get"), call("get"), call("pay")),
        body("failed", failed_call("get"), call("get"), call("pay", source="injected", matched_rule_index=0)),
        body("refused", call("get", **refused), call("pay", **refused)),
        body("mixed", failed_call("pay"), {"response": {}}),
    )
    return store


def test_the_store_has_every_outcome(filled: Store) -> None:
    assert set(filled.stats(by=["outcome"])["outcome"]) == set(get_args(Outcome))


def test_failed_calls_are_as_many_everywhere(filled: Store) -> None:
    stats, tools = filled.stats(), filled.figures.tools()
    figures = filled.figures.failure_tables("", ["figures"])["figures"]
    assert [int(table["failures"].sum()) for table in (stats, tools, figures)] == [FAILURES] * 3
    assert filled.calls("outcome:failed,injected_failure").total == FAILURES
    assert sum(int(str(row["failures"])) for row in filled.runs().rows) == FAILURES
    actors = filled.figures.actors()
    assert int(actors["failed"].sum()) == FAILURES


def test_application_errors_are_as_many_everywhere_and_apart(filled: Store) -> None:
    stats, tools = filled.stats(), filled.figures.tools()
    figures = filled.figures.failure_tables("", ["figures"])["figures"]
    assert [int(table["application_errors"].sum()) for table in (stats, tools, figures)] == [APPLICATION_ERRORS] * 3
    assert filled.calls("outcome:application_error").total == APPLICATION_ERRORS


def test_two_sets_of_runs_count_both_as_failed(filled: Store) -> None:
    tools = filled.figures.rates("").tools
    assert sum(tool.failures for tool in tools.values()) == FAILURES + APPLICATION_ERRORS
    assert (tools["pay"].failed_in, tools["pay"].runs) == (RUNS_WITH_EITHER, 4)
    assert (tools["get"].failed_in, tools["get"].calls) == (2, 5)


def test_what_cannot_be_read_is_in_no_rate(filled: Store) -> None:
    figures = filled.figures.failure_tables("", ["figures"])["figures"]
    assert int(figures["calls"].iloc[0]) == READABLE
    assert filled.stats()["failure_rate"].tolist() == [FAILURES / READABLE]
