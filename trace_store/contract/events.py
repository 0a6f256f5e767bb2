"""Trace events and telemetry (R31), and the edges between actors: declared, or observed in hand-offs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from trace_store.contract.actors import Catalog
from trace_store.contract.fields import WarningCollector, as_array, as_string, take_identifier, take_time, take_typed
from trace_store.contract.scalars import integer
from trace_store.model import JSON, Edge, Event, Path, Topology

TRACE_KEYS = ("trace_events", "events")
"""The keys for the trace events of a body, the canonical one first."""

TELEMETRY_KEY = "telemetry"

TRACE_EVENT_TYPES = frozenset({
    "assistant_message", "thinking", "system_prompt", "custom", "llm_payload", "handoff", "subagent_message",
    "subagent_final",
})  # fmt: skip
"""The reserved types of trace events; others are kept under their own name."""

TELEMETRY_KINDS = frozenset({"guardrail_decision", "handoff_traversal", "state_snapshot", "note"})
"""The reserved kinds of telemetry; others are kept under their own name."""

OCCURRED_KEYS = ("__occurred_at", "occurred_at", "started_at", "timestamp")


def take_events(body: dict[str, JSON], warnings: WarningCollector) -> list[Event]:
    """Take the trace events, then the telemetry, each in the order of the file.

    A record that is not an object is an event without a kind, with the record as its payload.
    """
    events: list[Event] = []
    key = next((key for key in TRACE_KEYS if body.get(key) is not None), TRACE_KEYS[0])
    for i, record in enumerate(take_typed(body, key, as_array, "an array of events", Path(), warnings) or ()):
        events.append(_read_event("trace", "event_type", record, Path.of(key, i), warnings))
    for i, record in enumerate(
        take_typed(body, TELEMETRY_KEY, as_array, "an array of records", Path(), warnings) or ()
    ):
        events.append(_read_event("telemetry", "kind", record, Path.of(TELEMETRY_KEY, i), warnings))
    return events


def _read_event(
    lane: Literal["trace", "telemetry"], kind_key: str, record: JSON, path: Path, warnings: WarningCollector
) -> Event:
    if not isinstance(record, dict):
        warnings.add_wrong_type(path, "noted", "an object", record)
        return Event(lane, None, payload=record)
    rest = record.copy()
    at = take_time(rest, OCCURRED_KEYS, path, warnings)
    return Event(
        lane,
        take_typed(rest, kind_key, as_string, "a string", path, warnings),
        None if at is None else at.text,
        take_typed(rest, "sequence", integer, "an integer", path, warnings),
        _read_label(take_typed(rest, "actor_id", as_string, "a string", path, warnings)),
        take_identifier(rest, "step_ref", path, warnings),
        rest.pop("payload", None),
        rest,
    )


def read_topology(declared: JSON, catalog: Catalog, events: list[Event], warnings: WarningCollector) -> Topology:
    """Return the declared entry, and the edges: those of `talks_to` declared, those of `handoff` events observed."""
    entry = None
    if isinstance(declared, dict):
        entry = _read_label(declared.get("entry"))
        if declared.get("entry") is not None and not isinstance(declared["entry"], str):
            warnings.add_wrong_type(Path.of("topology", "entry"), "nulled", "a string", declared["entry"])
    elif declared is not None:
        warnings.add_wrong_type(Path.of("topology"), "nulled", "an object", declared)
    edges: dict[tuple[str, str, str, str | None], Edge] = {}
    for edge in (*_declared_edges(catalog), *_observed_edges(events)):
        edges.setdefault((edge["from"], edge["to"], edge["kind"], edge["reason"]), edge)
    return Topology(entry, list(edges.values()))


def _declared_edges(catalog: Catalog) -> Iterator[Edge]:
    for label, declaration in catalog.actors.items():
        for other in declaration.talks_to:
            yield {"from": label, "to": other, "kind": "declared", "reason": None}


def _observed_edges(events: list[Event]) -> Iterator[Edge]:
    for event in events:
        if event.lane == "trace" and event.kind == "handoff":
            details = event.payload if isinstance(event.payload, dict) else event.extra
            origin, target = _read_label(details.get("from_sub_agent")), _read_label(details.get("to_sub_agent"))
            if origin is not None and target is not None and origin != target:
                yield {"from": origin, "to": target, "kind": "observed", "reason": as_string(details.get("reason"))}


def _read_label(value: JSON) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
