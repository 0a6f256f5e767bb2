"""R31: trace events, telemetry, declared and observed edges."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.bodies_of import at, logged, warned_paths
from trace_store.model import Event, Run


def handoff(origin: Any, target: Any, **more: Any) -> dict[str, Any]:
    return {"event_type": "handoff", "payload": {"from_sub_agent": origin, "to_sub_agent": target, **more}}


def edges(run: Run) -> list[tuple[str, str, str, str | None]]:
    return [(edge["from"], edge["to"], edge["kind"], edge["reason"]) for edge in run.topology.edges]


def test_events_and_telemetry_are_read() -> None:
    run = logged(
        trace_events=[{"event_type": "custom", "payload": {"a": 1}, "sequence": 3, "__occurred_at": at(0), "id": "e"}],
        telemetry=[{"kind": "note", "payload": "p", "step_ref": 4, "actor_id": " a ", "occurred_at": at(1)}],
    )
    assert run.events == [
        Event("trace", "custom", at(0), 3, payload={"a": 1}, extra={"id": "e"}),
        Event("telemetry", "note", at(1), actor_id="a", step_ref="4", payload="p"),
    ]
    assert (run.extra, warned_paths(run)) == ({}, [])


def test_trace_events_stand_under_one_of_two_keys() -> None:
    assert [event.kind for event in logged(events=[{"event_type": "x"}]).events] == ["x"]
    both = logged(events=[{"event_type": "x"}], trace_events=[{"event_type": "y"}])
    assert [event.kind for event in both.events] == ["y"]
    assert both.extra == {"events": [{"event_type": "x"}]}


def test_a_record_that_is_no_object_is_kept_without_a_kind() -> None:
    run = logged(events=["x", {}], telemetry=[None])
    assert run.events == [Event("trace", None, payload="x"), Event("trace", None), Event("telemetry", None)]
    assert warned_paths(run) == ["events[0]", "telemetry[0]"]


def test_fields_of_an_event_of_the_wrong_type_warn_and_are_kept() -> None:
    wrong = {"event_type": 5, "sequence": "3", "__occurred_at": "soon", "actor_id": []}
    run = logged(trace_events=[wrong])
    assert run.events == [Event("trace", None, extra=wrong)]
    assert set(warned_paths(run)) == {f"trace_events[0].{key}" for key in wrong}


def test_edges_are_declared_by_the_catalog_and_observed_in_hand_offs() -> None:
    run = logged(
        sub_agents=[{"actor_id": "a", "talks_to": ["b", "c", "b", "", 5]}, {"actor_id": "b", "talks_to": "c"}],
        trace_events=[
            handoff("a", "b", reason="r"),
            handoff("b", "b"),
            handoff("b", None),
            handoff(" a ", "b", reason="r"),
        ],
        topology={"entry": "a"},
    )
    assert run.topology.entry == "a"
    assert edges(run) == [("a", "b", "declared", None), ("a", "c", "declared", None), ("a", "b", "observed", "r")]


def test_a_hand_off_may_stand_on_the_event_itself() -> None:
    assert edges(logged(events=[{"event_type": "handoff", "from_sub_agent": "a", "to_sub_agent": "b"}])) == [
        ("a", "b", "observed", None)
    ]


def test_only_hand_offs_of_the_trace_are_observed() -> None:
    payload = handoff("a", "b")["payload"]
    run = logged(
        events=[{"event_type": "custom", "payload": payload}], telemetry=[{"kind": "handoff", "payload": payload}]
    )
    assert edges(run) == []


@pytest.mark.parametrize(
    ("entry", "expected", "warned"), [(" a ", "a", []), ("", None, []), (5, None, ["topology.entry"])]
)
def test_the_declared_entry(entry: Any, expected: str | None, warned: list[str]) -> None:
    run = logged(topology={"entry": entry})
    assert (run.topology.entry, warned_paths(run)) == (expected, warned)
    assert run.extra == {"topology": {"entry": entry}}
