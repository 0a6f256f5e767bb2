"""R16, R17, R20, R21: where the log stands, what its fields go by, and what cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.bodies_of import logged, one_call, warned_paths
from trace_store.contract import normalise
from trace_store.contract.calls import LOG_KEYS, is_unreadable
from trace_store.contract.outcomes import has_inconsistent_rule_index, has_inconsistent_validation


@pytest.mark.parametrize("key", LOG_KEYS)
def test_the_log_goes_by_five_names(key: str) -> None:
    run = normalise({"final_response": "x", key: [{"tool": "f"}]}).run
    assert [call.tool_name for call in run.calls] == ["f"]
    assert (run.has_log, run.extra) == (True, {})


def test_an_empty_array_is_a_log() -> None:
    run = normalise({"final_response": "x", "calls": []}).run
    assert (run.has_log, run.calls, run.chains, run.actors) == (True, [], [], [])


def test_no_log_is_none() -> None:
    assert not normalise({"final_response": "x", "proxy_calls": None}).run.has_log


def test_the_canonical_log_wins_and_the_other_stays() -> None:
    run = normalise({"final_response": "x", "calls": [{"tool": "g"}], "proxy_calls": [{"tool": "f"}]}).run
    assert [call.tool_name for call in run.calls] == ["f"]
    assert run.extra == {"calls": [{"tool": "g"}]}
    assert warned_paths(run) == ["calls"]


def test_the_same_log_twice_is_one_log() -> None:
    log = [{"tool": "f"}]
    assert warned_paths(normalise({"final_response": "x", "calls": log, "proxy_calls": log}).run) == []


def test_a_null_or_wrong_log_gives_way_to_the_next() -> None:
    run = normalise({"final_response": "x", "proxy_calls": None, "calls": 3, "proxy_log": [{"tool": "f"}]}).run
    assert [call.tool_name for call in run.calls] == ["f"]
    assert warned_paths(run) == ["calls"]
    assert run.extra["calls"] == 3


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ({"args": {"a": 1}, "arguments": None}, "arguments", {"a": 1}),
        ({"input": {"a": 1}, "arguments": None}, "arguments", {"a": 1}),
        ({"actor": "w"}, "actor_id", "w"),
        ({"X-Pipelines-Actor-Id": "w"}, "actor_id", "w"),
        ({"actor_id": None, "x-PIPELINES-actor-id": "w"}, "actor_id", "w"),
        ({"headers": {"Accept": "*", "X-PIPELINES-ACTOR-ID": "w"}}, "actor_id", "w"),
        ({"http_status": 404}, "status_code", 404),
        ({"status": 404.0}, "status_code", 404),
        ({"status_code": None, "http_status": None, "status": 404}, "status_code", 404),
        ({"timestamp": "2026-04-01T00:00:00Z"}, "started_at", "2026-04-01T00:00:00Z"),
        ({"occurred_at": "2026-04-01T00:00:00Z"}, "started_at", "2026-04-01T00:00:00Z"),
        ({"idempotency_key": 7}, "idempotency_key", "7"),
        ({"idempotency_key": ""}, "idempotency_key", None),
    ],
)
def test_aliases_stand_for_the_canonical_name(fields: dict[str, Any], name: str, value: Any) -> None:
    run = logged(fields)
    assert getattr(run.calls[0], name) == value
    assert warned_paths(run) == []


@pytest.mark.parametrize(
    ("fields", "name", "value", "left"),
    [
        ({"arguments": {"a": 1}, "args": {"b": 2}}, "arguments", {"a": 1}, {"args": {"b": 2}}),
        ({"tool_name": "f", "name": "g", "tool": "h"}, "tool_name", "f", {"name": "g", "tool": "h"}),
        ({"actor_id": "a", "actor": "b"}, "actor_id", "a", {"actor": "b"}),
        ({"actor_id": "", "actor": "b"}, "actor_id", None, {"actor": "b"}),
        ({"status_code": 200, "status": 404}, "status_code", 200, {"status": 404}),
        (
            {"started_at": "2026-04-01T00:00:00Z", "timestamp": 5},
            "started_at",
            "2026-04-01T00:00:00Z",
            {"timestamp": 5},
        ),
    ],
)
def test_the_canonical_name_wins_and_the_other_is_kept(
    fields: dict[str, Any], name: str, value: Any, left: dict[str, Any]
) -> None:
    call = one_call(**fields)
    assert getattr(call, name) == value
    assert call.extra == left


@pytest.mark.parametrize("status", ["ok", "404", True, None, 4.5])
def test_a_status_that_is_no_integer_is_another_thing(status: Any) -> None:
    run = logged({"status": status})
    assert run.calls[0].status_code is None
    assert run.calls[0].extra == {"status": status}
    assert warned_paths(run) == (["calls[0].status"] if status == "404" else [])


def test_headers_stay_as_they_are() -> None:
    headers = {"x-pipelines-actor-id": "w", "accept": "*"}
    assert one_call(headers=headers).extra == {"headers": headers}


@pytest.mark.parametrize(
    "headers", [["x-pipelines-actor-id"], {}, {"x-pipelines-actor-id": None}, "x-pipelines-actor-id: w"]
)
def test_headers_without_a_label_attribute_nothing(headers: Any) -> None:
    assert one_call(headers=headers).actor_status == "unattributed"


def test_arguments_are_no_attribution() -> None:
    call = one_call(arguments={"actor_id": "a", "headers": {"x-pipelines-actor-id": "b"}})
    assert (call.actor_id, call.actor_status) == (None, "unattributed")


@pytest.mark.parametrize("entry", ["text", None, 5, [], True])
def test_an_entry_that_is_no_object_is_kept_as_unreadable(entry: Any) -> None:
    run = logged(entry, {})
    assert [(call.sequence, call.tool_name) for call in run.calls] == [(0, None), (1, "get_order")]
    assert run.calls[0].extra == {"entry": entry}
    assert is_unreadable(run.calls[0]) and not is_unreadable(run.calls[1])
    assert warned_paths(run) == ["calls[0]"]


@pytest.mark.parametrize("name", [None, "", 5, {"name": "f"}])
def test_a_call_of_the_tool_lane_without_a_tool_name_is_unreadable(name: Any) -> None:
    run = logged({"tool_name": name, "source": "odyssey"})
    assert is_unreadable(run.calls[0])
    assert warned_paths(run) == ["calls[0]"]
    assert run.calls[0].extra == ({} if name is None else {"tool_name": name})


def test_an_unreadable_call_is_neither_ok_nor_failed_and_so_is_its_chain() -> None:
    run = logged("text", {"tool_name": None, "source": "odyssey"}, {})
    assert [call.outcome for call in run.calls] == ["unreadable", "unreadable", "ok"]
    assert [chain.outcome for chain in run.chains] == ["unreadable", "unreadable", "succeeded"]
    assert run.actors[0].failed == 0


def test_an_unreadable_call_that_says_it_failed_has_failed() -> None:
    assert one_call(tool_name=None, source="error", status_code=503).outcome == "failed"  # R19: the first that holds


def test_the_other_lanes_need_no_tool_name() -> None:
    data = {"tool_name": None, "kind": "read", "intent": "orders", "operation": "list"}
    run = logged(data, {"tool_name": None, "lane": "telemetry"}, {"tool_name": None, "lane": "data"})
    assert [call.lane for call in run.calls] == ["data", "telemetry", "data"]
    assert not any(is_unreadable(call) for call in run.calls)
    assert warned_paths(run) == []
    assert run.calls[0].extra == {"kind": "read", "intent": "orders", "operation": "list"}


def test_what_the_call_says_of_its_lane_comes_first() -> None:
    assert one_call(lane="tool", kind="read", intent="orders", operation="list").lane == "tool"


def test_two_of_three_do_not_make_the_data_lane() -> None:
    assert one_call(kind="read", intent="orders", operation=None).lane == "tool"


@pytest.mark.parametrize("lane", ["Data", "", 5, ["data"]])
def test_an_unknown_lane_warns(lane: Any) -> None:
    run = logged({"lane": lane})
    assert (run.calls[0].lane, run.calls[0].extra, warned_paths(run)) == ("tool", {"lane": lane}, ["calls[0].lane"])


@pytest.mark.parametrize(
    ("source", "family"),
    [
        ("odyssey", "simulated"),
        ("injected", "simulated"),
        ("error", "simulated"),
        ("passthrough", "live"),
        ("transport_error", "live"),
        ("cache", None),
        ("", None),
        (None, None),
    ],
)
def test_sources_belong_to_families(source: str | None, family: str | None) -> None:
    call = one_call(source=source)
    assert (call.source, call.family) == (source, family)


def test_a_source_that_is_no_text_is_kept_as_one() -> None:
    call = one_call(source=5)
    assert (call.source, call.family, call.extra) == ("5", None, {"source": 5})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("latency_ms", -1),
        ("latency_ms", "12"),
        ("latency_ms", True),
        ("latency_ms", ""),
        ("matched_rule_index", "0"),
        ("matched_rule_index", False),
        ("matched_rule_index", 0.5),
        ("status_code", "404"),
        ("status_code", True),
        ("status_code", 2**63),
        ("error_class", 5),
        ("idempotency_key", {}),
        ("started_at", "soon"),
        ("started_at", True),
        ("attempt", "2"),
        ("attempt", True),
    ],
)
def test_a_field_of_the_wrong_type_becomes_null_warns_and_is_kept(key: str, value: Any) -> None:
    run = logged({key: value})
    call = run.calls[0]
    assert warned_paths(run) == [f"calls[0].{key}"]
    assert call.extra == {key: value}
    assert key == "attempt" or getattr(call, key) is None


@pytest.mark.parametrize(("value", "latency_ms"), [(3, 3.0), (0, 0.0), (0.25, 0.25), (None, None)])
def test_a_latency_is_a_float(value: Any, latency_ms: float | None) -> None:
    call = one_call(latency_ms=value)
    assert (call.latency_ms, type(call.latency_ms)) == (latency_ms, type(latency_ms))


@pytest.mark.parametrize("value", [0, 3, 2.0, -1])
def test_a_rule_index_is_an_integer_and_zero_is_a_rule(value: Any) -> None:
    assert one_call(matched_rule_index=value).matched_rule_index == value


@pytest.mark.parametrize(
    ("source", "index", "inconsistent"),
    [("odyssey", 0, True), ("injected", None, True), ("injected", 0, False), ("odyssey", None, False), (None, 1, True)],
)
def test_a_rule_index_belongs_to_injected_calls(source: str | None, index: int | None, inconsistent: bool) -> None:
    assert has_inconsistent_rule_index(one_call(source=source, matched_rule_index=index)) is inconsistent


@pytest.mark.parametrize(
    ("source", "validation", "inconsistent"),
    [("odyssey", {"ok": True}, False), ("passthrough", {}, True), (None, {}, True), ("passthrough", None, False)],
)
def test_a_validation_belongs_to_odyssey(source: str | None, validation: Any, inconsistent: bool) -> None:
    assert has_inconsistent_validation(one_call(source=source, validation=validation)) is inconsistent


def test_paths_name_calls_whatever_key_the_log_stood_under() -> None:
    run = normalise({"final_response": "x", "tool_call_log": [{"tool": "f", "latency_ms": "x"}]}).run
    assert warned_paths(run) == ["calls[0].latency_ms"]


def test_unknown_keys_of_a_call_are_kept_and_the_error_bodies_with_them() -> None:
    call = one_call(error="e", error_body={"a": 1}, body=[], detail="d", trace=1, attempt=2)
    assert call.error == "e"
    assert call.extra == {"error_body": {"a": 1}, "body": [], "detail": "d", "trace": 1, "attempt": 2}


def test_text_arguments_are_decoded_in_the_log_too() -> None:
    assert (one_call(arguments='{"a": 1}').arguments, one_call(arguments="[").arguments_decoded) == ({"a": 1}, False)
