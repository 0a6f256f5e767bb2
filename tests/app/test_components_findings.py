"""The findings component's data: order, and the texts of the registry."""

from __future__ import annotations

from app.components.findings import findings_data
from trace_store.evidence.registry import KINDS
from trace_store.model import Finding


def test_the_gravest_come_first_and_equals_stay_as_they_were_found() -> None:
    found = [
        Finding("agent_retry", "info", "calls[2]", "again", "R25"),
        Finding("call_failed", "error", "calls[1]", "failed", "R19"),
        Finding("unknown_source", "warning", "calls[0]", "cache", "R17"),
        Finding("stale_token", "error", "calls[0]", "stale", "R23"),
    ]
    shown = findings_data(found)["findings"]
    assert [finding["kind"] for finding in shown] == ["call_failed", "stale_token", "unknown_source", "agent_retry"]
    assert shown[0] == {
        "kind": "call_failed",
        "severity": "error",
        "path": "calls[1]",
        "message": "failed",
        "rule": "R19",
    }


def test_each_kind_that_was_found_brings_its_text_once() -> None:
    found = [Finding("call_failed", "error", f"calls[{n}]", "failed", "R19") for n in range(3)]
    kinds = findings_data(found)["kinds"]
    known = KINDS["call_failed"]
    assert list(kinds) == ["call_failed"]
    assert list(kinds["call_failed"].values()) == [known.title, known.seen, known.matters, known.check, known.todo]


def test_a_kind_that_only_a_later_version_knows_is_shown_without_a_text() -> None:
    data = findings_data([Finding("from_the_future", "info", "calls[0]", "new", "R99")])
    assert [finding["kind"] for finding in data["findings"]] == ["from_the_future"]
    assert data["kinds"] == {}
