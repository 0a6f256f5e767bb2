"""Breakdowns of calls: each figure against the same one counted by hand."""

from __future__ import annotations

import random
import statistics
from collections import defaultdict
from typing import Any

import pytest

from tests.store.building import body, call, failed_call, put
from trace_store import Store
from trace_store.errors import QueryError
from trace_store.model import Review


def records(frame: Any) -> list[dict[str, Any]]:
    """The rows of a table, with None where there is nothing."""
    rows: list[dict[str, Any]] = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return rows


def test_figures_of_each_group(store: Store) -> None:
    retried = [
        failed_call("get", arguments={"a": 1}, latency_ms=100.0, started_at="2026-04-01T00:00:00Z"),
        call("get", arguments={"a": 1}, latency_ms=300.0, started_at="2026-04-01T00:00:00.7Z"),
    ]
    put(
        store,
        body("a", *retried, call("get", latency_ms=200.0)),
        body("b", call("pay", source="injected", status_code=500)),
    )
    assert records(store.stats(by=["tool"])) == [
        {"tool": "get", "runs": 1, "calls": 3, "share": 0.75, "failures": 1, "failure_rate": 1 / 3,
         "application_errors": 0, "p50_ms": 200.0,
         "p95_ms": 290.0, "p99_ms": 298.0, "retries": 1, "wasted_ms": 700.0},
        {"tool": "pay", "runs": 1, "calls": 1, "share": 0.25, "failures": 1, "failure_rate": 1.0,
         "application_errors": 0, "p50_ms": None,
         "p95_ms": None, "p99_ms": None, "retries": 0, "wasted_ms": 0.0},
    ]  # fmt: skip


def test_without_fields_everything_is_one_group(store: Store) -> None:
    put(store, body("a", call(latency_ms=1.0)), body("b", failed_call(latency_ms=3.0)))
    assert records(store.stats()) == [
        {"runs": 2, "calls": 2, "share": 1.0, "failures": 1, "failure_rate": 0.5, "application_errors": 0,
         "p50_ms": 2.0, "p95_ms": 2.9,
         "p99_ms": 2.98, "retries": 0, "wasted_ms": 0.0}
    ]  # fmt: skip


def test_an_empty_store_has_no_groups(store: Store) -> None:
    frame = store.stats(by=["tool", "outcome"])
    assert len(frame) == 0
    assert list(frame.columns)[:3] == ["tool", "outcome", "runs"]
    assert records(store.stats())[0]["calls"] == 0


def test_percentiles_against_the_standard_library(store: Store) -> None:
    rng = random.Random(5)
    latencies = defaultdict(list)
    bodies = []
    for number in range(60):
        log = []
        for _ in range(rng.randint(1, 9)):
            tool, ms = rng.choice("abc"), round(rng.lognormvariate(5, 1), 3)
            latencies[tool].append(ms)
            log.append(call(tool, arguments={"n": len(latencies[tool])}, latency_ms=ms))
        bodies.append(body(f"run-{number}", *log))
    put(store, *bodies)
    for row in records(store.stats(by=["tool"])):
        points = statistics.quantiles(latencies[row["tool"]], n=100, method="inclusive")
        assert [row["p50_ms"], row["p95_ms"], row["p99_ms"]] == pytest.approx([points[49], points[94], points[98]])
        assert row["calls"] == len(latencies[row["tool"]])


def test_groups_by_fields_of_calls_runs_and_reviews(store: Store) -> None:
    put(
        store,
        body("a", call("x"), failed_call("x"), judge_passed=True, metadata={"model": "m1"}),
        body("b", failed_call("y"), judge_passed=False, started_at="2026-04-02T23:59:59Z"),
    )
    store.reviews.save("b", Review("fail", failure_mode="slow"))

    def groups(*by: str, query: str = "") -> list[tuple[object, ...]]:
        return [(*(row[name] for name in by), row["calls"]) for row in records(store.stats(query, by=by))]

    assert groups("verdict") == [("passed", 2), ("failed", 1)]
    assert groups("model") == [("m1", 2), (None, 1)]
    assert groups("tool", "outcome") == [("x", "failed", 1), ("x", "ok", 1), ("y", "failed", 1)]
    assert groups("review") == [(None, 2), ("fail", 1)]
    assert groups("reviewed") == [(None, 2), ("true", 1)]
    assert groups("failure_mode", "tool") == [(None, "x", 2), ("slow", "y", 1)]
    assert groups("retryable") == [("true", 2), ("false", 1)]
    assert groups("tool", query="outcome:failed") == [("x", 1), ("y", 1)]
    assert groups("tool", query="verdict:passed") == [("x", 2)]
    assert groups("tool", "tool", query="run:b") == [("y", "y", 1)]


def test_times_are_grouped_by_day(store: Store) -> None:
    days = ["2026-04-01T00:00:00Z", "2026-04-01T23:59:59.999999Z", "2026-04-02T00:00:00Z", "2026-04-01T23:00:00-05:00"]
    put(store, body("a", *(call(f"t{n}", started_at=at) for n, at in enumerate(days)), call("untimed")))
    rows = records(store.stats(by=["started"]))
    assert [(row["started"], row["calls"]) for row in rows] == [("2026-04-01", 2), ("2026-04-02", 2), (None, 1)]


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("finding", "a run may have many a finding"),
        ("tag", "a run may have many a tag"),
        ("calls", "calls is a figure of each group"),
        ("toool", "did you mean tool"),
    ],
)
def test_what_calls_cannot_be_grouped_by(store: Store, field: str, said: str) -> None:
    with pytest.raises(QueryError, match=said):
        store.stats(by=[field])


def test_unreadable_calls_are_counted_and_in_no_failure_rate(store: Store) -> None:
    log: list[Any] = [call("get"), failed_call("get", None), {"source": "odyssey"}, "x"]
    put(store, body("a", *log))
    (row,) = records(store.stats())
    assert (row["calls"], row["failures"], row["failure_rate"]) == (4, 1, 0.5)
    by_outcome = {row["outcome"]: (row["calls"], row["failure_rate"]) for row in records(store.stats(by=["outcome"]))}
    assert by_outcome == {"ok": (1, 0.0), "failed": (1, 1.0), "unreadable": (2, 0.0)}
    tools = {row["tool"]: (row["calls"], row["failure_rate"]) for row in records(store.figures.tools())}
    assert tools == {"get": (2, 0.5), None: (2, 0.0)}
    for query in ("", "lane:tool"):
        (figures,) = records(store.figures.failure_tables(query, ["figures"])["figures"])
        assert (figures["calls"], figures["failures"]) == (2, 1)
    assert dict(store.figures.facet("", "outcome", list_name="calls")) == {"unreadable": 2, "ok": 1, "failed": 1}
    assert dict(store.figures.facet("", "chain", list_name="calls"))["unreadable"] == 2
    assert store.stats("outcome:unreadable")["failure_rate"].tolist() == [0.0]
