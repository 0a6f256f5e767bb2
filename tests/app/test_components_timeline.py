"""The timeline's data: where each call stands in time, in which lane, and what the time went into."""

from __future__ import annotations

from typing import Any

import pytest

from app.components.timeline import build_timeline, sum_durations
from trace_store.contract import normalise
from trace_store.model import Run

LOCK: dict[str, Any] = {"source": "error", "status_code": 503, "error": {"detail": {"error_class": "lock_contention"}}}


def call(second: float | None, latency_ms: float | None = 100.0, **fields: Any) -> dict[str, Any]:
    started = {} if second is None else {"started_at": f"2026-04-01T09:00:{second:06.3f}Z"}
    return {"tool_name": "get", "arguments": {}, "source": "odyssey", "latency_ms": latency_ms, **started, **fields}


def run_of(*calls: dict[str, Any], **body: Any) -> Run:
    return normalise({"final_response": "Done.", "proxy_calls": list(calls), **body}).run


def test_calls_stand_where_the_log_says_they_began() -> None:
    data = build_timeline(run_of(call(2.0, arguments={"n": 1}), call(1.5, arguments={"n": 2}), call(4.0)))
    assert [bar["at"] for bar in data["bars"]] == [500.0, 0.0, 2500.0]
    assert data["began"] == "2026-04-01 09:00:01.5 UTC"
    assert data["figures"] == {"wall": 2600.0, "calls": 300.0, "parallel": 0.0, "waits": 0, "idle": 2300.0}


@pytest.mark.parametrize(("runtime_ms", "figure"), [(48_000, 48_000.0), (2_620, None), ("long", None)])
def test_the_running_time_of_the_agent_is_a_figure_where_the_log_spans_another(
    runtime_ms: object, figure: float | None
) -> None:
    calls = [call(1.5, arguments={"n": 1}), call(4.0, arguments={"n": 2})]
    run = run_of(*calls, metadata={"agent_runtime_ms": runtime_ms})
    assert build_timeline(run)["figures"].get("runtime") == figure


def test_without_times_calls_stand_in_order_each_as_wide_as_its_latency() -> None:
    data = build_timeline(run_of(call(None, 300.0), call(None, None, arguments={"n": 2}), call(None, 10.0)))
    assert data["began"] is None
    assert [(bar["at"], bar.get("ms")) for bar in data["bars"]] == [(0.0, 300.0), (300.0, None), (350.0, 10.0)]
    assert not any("untimed" in bar for bar in data["bars"])
    assert data["figures"] == {"calls": 310.0}


def test_a_call_without_a_time_among_others_stands_after_the_one_before_and_says_so() -> None:
    first, second = build_timeline(run_of(call(1.0), call(None, arguments={"n": 2})))["bars"]
    assert (second["at"], second["untimed"]) == (100.0, True)
    assert "untimed" not in first


def test_a_chain_brings_its_waits() -> None:
    data = build_timeline(run_of(call(0.0, **LOCK), call(0.6), call(3.0, arguments={"n": 2})))
    assert data["waits"] == {"0": [500.0]}
    assert [bar["chain"] for bar in data["bars"]] == [0, 0, 1]
    assert data["figures"]["waits"] == 500.0
    assert data["figures"]["idle"] == 2300.0


def test_lanes_are_the_acting_labels_in_the_order_of_the_tree() -> None:
    run = run_of(
        call(0.0, actor_id="lead/wrter"),
        call(1.0),
        call(2.0, actor_id="lead"),
        sub_agents=["lead", "writer", "idle"],
    )
    data = build_timeline(run)
    assert [(lane["path"], lane["status"]) for lane in data["lanes"]] == [
        ("lead", "declared"),
        ("lead/wrter", "undeclared"),
        ("", "unattributed"),
    ]
    assert data["lanes"][1]["suggestion"] == "writer"
    assert [bar["lane"] for bar in data["bars"]] == [1, 2, 0]


def test_messages_and_events_with_a_time_are_marked() -> None:
    run = run_of(
        call(1.0),
        messages=[{"role": "user", "content": "hi", "timestamp": "2026-04-01T09:00:00Z"}, {"role": "user"}],
        trace_events=[{"event_type": "custom", "payload": {}, "__occurred_at": "2026-04-01T09:00:03Z"}],
    )
    data = build_timeline(run)
    assert [(mark["at"], mark["word"]) for mark in data["marks"]] == [
        (0.0, "message 0: user"),
        (3000.0, "trace event: custom"),
    ]
    assert data["bars"][0]["at"] == 1000.0


@pytest.mark.parametrize(
    ("spans", "calls", "parallel"),
    [([(0, 10), (5, 15)], 15, 5), ([(0, 10), (2, 4)], 10, 2), ([(0, 10), (20, 30)], 20, 0)],
)
def test_what_ran_side_by_side_is_counted_once(spans: list[tuple[float, float]], calls: float, parallel: float) -> None:
    figures = sum_durations(spans, spans, [], timed=True)
    assert (figures["calls"], figures["parallel"]) == (calls, parallel)
