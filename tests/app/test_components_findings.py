"""The findings component's data: order, and the texts of the registry."""

from __future__ import annotations

from app.components.findings import build_findings
from tests.browser.component_runs import call, run
from trace_store.contract.findings.registry import KINDS
from trace_store.model import Finding, Message, Path, ToolCall


def test_the_most_severe_come_first_and_equals_stay_as_they_were_found() -> None:
    found = [
        Finding("agent_retry", "info", Path("calls[2]"), "again", "R25"),
        Finding("call_failed", "error", Path("calls[1]"), "failed", "R19"),
        Finding("unknown_source", "warning", Path("calls[0]"), "cache", "R17"),
        Finding("stale_token", "error", Path("calls[0]"), "stale", "R23"),
    ]
    shown = build_findings(run("r", None, calls=[call(0), call(1)], findings=found))["findings"]
    assert [finding["kind"] for finding in shown] == ["call_failed", "stale_token", "unknown_source", "agent_retry"]
    assert shown[0] == {
        "kind": "call_failed",
        "title": "Call failed",
        "severity": "error",
        "path": "calls[1]",
        "place": "call 1: get_order",
        "message": "failed",
    }


def test_each_kind_that_was_found_brings_its_text_once() -> None:
    found = [Finding("call_failed", "error", Path(f"calls[{n}]"), "failed", "R19") for n in range(3)]
    kinds = build_findings(run("r", None, findings=found))["kinds"]
    known = KINDS["call_failed"]
    assert list(kinds) == ["call_failed"]
    assert list(kinds["call_failed"].values()) == [
        known.meaning,
        known.why_it_matters,
        known.false_alarms,
        known.what_to_do,
    ]


def test_a_kind_that_only_a_later_version_knows_is_shown_without_a_text() -> None:
    data = build_findings(run("r", None, findings=[Finding("from_the_future", "info", Path("calls[0]"), "new", "R99")]))
    assert [(finding["kind"], finding["title"]) for finding in data["findings"]] == [
        ("from_the_future", "from the future")
    ]
    assert data["kinds"] == {}


def test_a_place_is_said_in_words_and_one_that_has_none_by_its_path() -> None:
    paths = ["messages[4].tool_calls[0]", "messages[4]", "messages[3]", "calls[0].actor_id", "tools_schema[2]"]
    found = [Finding("call_failed", "error", Path(path), "failed", "R19") for path in paths]
    messages = [Message(1, "user", "x"), Message(4, "assistant", None, tool_calls=[ToolCall("c", "refund", {})])]
    data = build_findings(run("r", messages, calls=[call(0)], findings=found))
    assert [(one["path"], one["place"]) for one in data["findings"]] == list(
        zip(
            paths,
            ["message 4: refund", "message 4: assistant", "message 3", "call 0: get_order", "tools_schema[2]"],
            strict=True,
        )
    )
