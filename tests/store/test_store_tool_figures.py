"""Tools with their figures: what broke a schema is counted by call, and modes are those that runs declare."""

from __future__ import annotations

import pytest

from tests.store.building import body, call, failed_call, finding, put_runs, run_of
from tests.store.test_store_statistics import records
from trace_store import Store
from trace_store.model import Tool


def tool(name: str, mode: str | None) -> Tool:
    return Tool(name, mode, None, None, False)


@pytest.fixture
def filled(store: Store) -> Store:
    first = run_of(
        body(
            "a", call("get", latency_ms=100.0), failed_call("get", latency_ms=300.0), *(call("see") for _ in range(9))
        ),
        finding("arguments_invalid", path="calls[0].arguments.id"),
        finding("response_invalid", "warning", path="calls[0].response"),
        finding("response_invalid", "warning", path="calls[10].response.items[3]"),
        finding("arguments_invalid", path="messages[1].tool_calls[0].arguments"),
        finding("call_failed", path="calls[1]"),
    )
    first[0].tools = [tool("get", "simulated"), tool("see", None)]
    second = run_of(body("b", call("get")), finding("arguments_invalid", path="calls[0].arguments"))
    second[0].tools = [tool("get", "live"), tool("never_called", "executed")]
    put_runs(store, [first, second])
    return store


def test_figures_of_each_tool(filled: Store) -> None:
    assert records(filled.figures.tools()) == [
        {"tool": "see", "calls": 9, "failures": 0, "failure_rate": 0.0, "application_errors": 0, "p50_ms": None,
         "p95_ms": None, "retries": 0, "wasted_ms": 0.0, "violations": 1, "modes": None},
        {"tool": "get", "calls": 3, "failures": 1, "failure_rate": 1 / 3, "application_errors": 0,
         "p50_ms": 200.0, "p95_ms": 290.0, "retries": 0, "wasted_ms": 0.0, "violations": 2,
         "modes": ["live", "simulated"]},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "violations", "modes"),
    [
        ("run:a", {"see": 1, "get": 1}, ["simulated"]),
        ("run:b", {"get": 1}, ["live"]),
        ("outcome:failed", {"get": 0}, ["simulated"]),
        ("outcome:ok run:a tool:get", {"get": 1}, ["simulated"]),
    ],
)
def test_only_what_a_query_finds_is_counted(
    filled: Store, query: str, violations: dict[str, int], modes: list[str]
) -> None:
    rows = {row["tool"]: row for row in records(filled.figures.tools(query))}
    assert {name: row["violations"] for name, row in rows.items()} == violations
    assert rows["get"]["modes"] == modes


def test_an_empty_store_has_no_tools(store: Store) -> None:
    assert len(store.figures.tools()) == 0
