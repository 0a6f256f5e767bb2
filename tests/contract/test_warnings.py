"""What each soft warning says that the import did (R14)."""

from __future__ import annotations

from typing import Any

import pytest

from trace_store.contract import normalise
from trace_store.contract.fields import MAX_WARNINGS
from trace_store.model import Path

CALL = {"tool_name": "f"}


@pytest.mark.parametrize(
    ("fields", "path", "kind"),
    [
        ({"messages": [5]}, Path.message(0), "dropped"),
        ({"messages": [{"role": "developer"}]}, Path.message(0), "dropped"),
        ({"messages": [{"role": "user", "content": 5}]}, Path.message(0), "dropped"),
        ({"messages": [{"role": "assistant", "tool_calls": [5]}]}, Path.message(0) / "tool_calls" / 0, "dropped"),
        ({"messages": [{"role": "assistant", "tool_calls": [{}]}]}, Path.message(0) / "tool_calls" / 0, "dropped"),
        ({"soft_warnings": [5]}, Path.of("soft_warnings", 0), "dropped"),
        ({"messages": {}}, Path.of("messages"), "nulled"),
        ({"messages": [{"role": "user", "thinking": "t"}]}, Path.message(0) / "thinking", "nulled"),
        ({"metadata": []}, Path.of("metadata"), "nulled"),
        ({"proxy_calls": {}}, Path.of("proxy_calls"), "nulled"),
        ({"proxy_calls": [CALL | {"latency_ms": -1}]}, Path.call(0) / "latency_ms", "nulled"),
        ({"calls": [CALL | {"started_at": "soon"}]}, Path.call(0) / "started_at", "nulled"),
        ({"sub_agents": {}}, Path.of("sub_agents"), "nulled"),
        ({"topology": {"entry": 5}}, Path.of("topology", "entry"), "nulled"),
        ({"final_response": "x" * 50_001}, Path.of("final_response"), "changed"),
        ({"proxy_calls": [CALL | {"lane": "fast"}]}, Path.call(0) / "lane", "changed"),
        ({"proxy_calls": [CALL | {"attempt": "first"}]}, Path.call(0) / "attempt", "noted"),
        ({"proxy_calls": [5]}, Path.call(0), "noted"),
        ({"trace_events": [5]}, Path.of("trace_events", 0), "noted"),
        ({"metadata": {"model": 5}}, Path.of("metadata", "model"), "noted"),
        ({"started_at": "2026-04-01T09:00:00"}, Path.of("started_at"), "noted"),
    ],
)
def test_a_warning_says_what_the_import_did_at_its_path(fields: dict[str, Any], path: Path, kind: str) -> None:
    (warning,) = normalise({"final_response": "x", **fields}).run.warnings
    assert (warning.origin, warning.kind) == ("import", kind)
    assert warning.path is not None
    assert warning.path.steps == path.steps


def test_warnings_beyond_a_bound_are_counted() -> None:
    body = {"final_response": "x", "messages": [5] * (MAX_WARNINGS + 20), "success": False}
    *listed, count, unread = normalise(body).run.warnings
    assert [warning.path for warning in listed] == [Path.message(i) for i in range(MAX_WARNINGS)]
    assert (count.path, count.kind) == (f"messages[{MAX_WARNINGS}]", "noted")
    assert count.reason == "20 more warnings are not listed: a run has 1,000 at most"
    assert unread.path == "success"


def test_an_answer_under_another_key_is_noted_there() -> None:
    (warning,) = normalise({"output": "x"}).run.warnings
    assert (warning.path, warning.kind) == ("output", "noted")


def test_a_warning_of_the_export_has_neither_path_nor_kind() -> None:
    (warning,) = normalise({"final_response": "x", "soft_warnings": ["rich mode dropped"]}).run.warnings
    assert (warning.origin, warning.path, warning.kind) == ("export", None, None)
