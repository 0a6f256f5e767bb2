"""What looks like evidence and is read by no rule is warned of: silence must not pass for a clean run (R6)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_store.contract import normalise
from trace_store.contract.unread import HARMLESS_PARTS, TEXT_MARKS
from trace_store.model import SoftWarning

CALL = "may be a tool call that was not checked"
CALLS = "may hold tool calls that were not checked"
RESULT = "may be the result of a tool call that was not read"
ARGS = {"order_id": "A17"}
HISTORY = [{"role": "user", "content": "Refund A17"}, {"role": "assistant", "content": "Done."}]
LOG = [{"tool_name": "get_order", "arguments": ARGS, "response": {"ok": True}, "source": "odyssey"}]


def warnings_of(**fields: Any) -> list[SoftWarning]:
    return normalise({"final_response": "Done.", **fields}).run.warnings


def said(role: str, *parts: Any, **fields: Any) -> dict[str, Any]:
    return {"messages": [{"role": role, "content": list(parts), **fields}]}


def logged(**fields: Any) -> dict[str, Any]:
    return {"proxy_calls": [{"tool_name": "get_order", **fields}]}


@pytest.mark.parametrize(
    "part",
    [
        {"type": "toolCall", "id": "c", "name": "refund", "arguments": ARGS},
        {"type": "tool-call", "toolCallId": "c", "toolName": "refund", "args": ARGS},
        {"type": "tool-invocation", "toolInvocation": {"toolName": "refund", "args": ARGS}},
        {"type": "tool-refund", "toolCallId": "c", "input": ARGS, "output": {"ok": True}},
        {"type": "server_tool_use", "id": "c", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_call", "action": {"query": "q"}},
        {"type": "action", "name": "refund", "input": ARGS},
        {"toolUse": {"toolUseId": "c", "name": "refund", "input": ARGS}},
        {"functionCall": {"name": "refund", "args": ARGS}},
        {"name": "refund", "args": ARGS},
    ],
)
def test_a_part_that_may_be_a_tool_call(part: dict[str, Any]) -> None:
    (warning,) = warnings_of(**said("assistant", {"type": "text", "text": "Refunding."}, part))
    assert (warning.path, warning.kind, warning.origin) == ("messages[0].content[1]", "noted", "import")
    assert warning.reason.endswith(f"it {CALL}")


@pytest.mark.parametrize(
    "part",
    [
        {"type": "tool-result", "toolCallId": "c", "toolName": "refund", "result": {"ok": True}},
        {"type": "toolResult", "content": "ok"},
        {"type": "web_search_tool_result", "tool_use_id": "c", "content": []},
        {"type": "function_call_output", "call_id": "c", "output": "ok"},
        {"type": "answer", "call_id": "c", "output": "ok"},
        {"toolResult": {"toolUseId": "c", "content": []}},
        {"functionResponse": {"name": "refund", "response": {"ok": True}}},
    ],
)
@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_a_part_that_may_be_a_result(role: str, part: dict[str, Any]) -> None:
    (warning,) = warnings_of(**said(role, part))
    assert warning.path == "messages[0].content[0]"
    assert warning.reason.endswith(f"it {RESULT}")


@pytest.mark.parametrize(
    ("role", "part", "words"),
    [
        ("user", {"type": "tool_use", "id": "c", "name": "refund", "input": ARGS}, CALL),
        ("tool", {"type": "function_call", "name": "refund", "arguments": ARGS}, CALL),
        ("assistant", {"type": "tool_result", "tool_use_id": "c", "content": "ok"}, RESULT),
    ],
)
def test_a_known_part_in_a_message_where_it_is_not_read(role: str, part: dict[str, Any], words: str) -> None:
    (warning,) = warnings_of(**said(role, part))
    assert f"in a message of role {role}" in warning.reason
    assert words in warning.reason


def test_a_part_of_an_unknown_type_without_a_text() -> None:
    (warning,) = warnings_of(**said("assistant", {"type": "chart", "series": [1, 2]}))
    assert warning.reason == "a content part of type chart is not understood; what it says was not read"


@pytest.mark.parametrize(
    ("message", "path", "words"),
    [
        (
            {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
            "function_call",
            CALL,
        ),
        ({"role": "assistant", "content": "", "toolCalls": [{"name": "f"}]}, "toolCalls", CALL),
        ({"role": "assistant", "parts": [{"functionCall": {"name": "f", "args": {}}}]}, "parts", "has no content"),
        (
            {"role": "assistant", "content": "x", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
            "parts[0]",
            CALL,
        ),
        ({"role": "user", "text": "Refund A17"}, "text", "has no content"),
        ({"role": "tool", "tool_call_id": "c", "output": {"ok": True}}, "output", "the result may be in it"),
        ({"role": "tool", "tool_call_id": "c", "content": "", "result": "ok"}, "result", "the result may be in it"),
        (
            {"role": "tool", "tool_call_id": "c", "content": "busy", "is_error": True},
            "is_error",
            "the tool call failed",
        ),
        ({"role": "tool", "tool_call_id": "c", "content": "busy", "status": "error"}, "status", "the tool call failed"),
    ],
)
def test_a_key_of_a_message(message: dict[str, Any], path: str, words: str) -> None:
    (warning,) = warnings_of(messages=[message])
    assert warning.path == f"messages[0].{path}"
    assert words in warning.reason


@pytest.mark.parametrize(
    ("fields", "path", "words"),
    [
        ({"output": "no"}, "output", "the result of the tool call may be in it"),
        ({"content": "no", "isError": True}, "isError", "the tool call failed"),
        ({"content": "no", "status": "error"}, "status", "the tool call failed"),
    ],
)
def test_a_key_of_a_result_in_a_part(fields: dict[str, Any], path: str, words: str) -> None:
    (warning,) = warnings_of(**said("tool", {"type": "tool_result", "tool_use_id": "c", **fields}))
    assert warning.path == f"messages[0].content[0].{path}"
    assert words in warning.reason


@pytest.mark.parametrize("call", [{"name": "f", "params": ARGS}, {"function": {"name": "f", "kwargs": ARGS}}])
def test_arguments_under_another_key(call: dict[str, Any]) -> None:
    (warning,) = warnings_of(messages=[{"role": "assistant", "tool_calls": [call]}])
    assert warning.path is not None
    assert warning.path.startswith("messages[0].tool_calls[0].")
    assert warning.reason.endswith("the arguments of the call may be in it")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"params": ARGS}, "the arguments of the call may be in it"),
        ({"result": {"ok": True}}, "the response of the call may be in it"),
        ({"output": "ok"}, "the response of the call may be in it"),
        ({"success": False}, "it may say that the call failed"),
        ({"is_error": True}, "it may say that the call failed"),
        ({"error_message": "busy"}, "it may say that the call failed"),
        ({"status": "failed"}, "it may say that the call failed"),
        ({"http_status": "503"}, "it may say that the call failed"),
        ({"code": 500}, "it may say that the call failed"),
        ({"statusCode": 500}, "the name of this field is status_code"),
        ({"errorClass": "lock_contention"}, "the name of this field is error_class"),
    ],
)
def test_a_key_of_a_logged_call(fields: dict[str, Any], words: str) -> None:
    (warning,) = warnings_of(**logged(**fields))
    assert warning.path == f"calls[0].{next(iter(fields))}"
    assert words in warning.reason


@pytest.mark.parametrize(
    ("fields", "path", "words"),
    [
        ({"metadata": {"proxy_calls": LOG}}, "metadata.proxy_calls", CALLS),
        ({"result": {"tool_log": LOG}}, "result.tool_log", CALLS),
        ({"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}, "tool_calls", CALLS),
        ({"steps": [{"name": "f", "input": ARGS, "output": 1}]}, "steps", CALLS),
        ({"spans": [{"toolName": "f", "output": 1}]}, "spans", CALLS),
        ({"history": [*HISTORY, {"role": "assistant", "tool_calls": [{"name": "f"}]}]}, "history", CALLS),
        ({"metadata": {"messages": HISTORY}}, "metadata.messages", "the transcript of the run"),
        ({"transcript": HISTORY}, "transcript", "the transcript of the run"),
        (
            {"trajectory": {"turns": [{"from": "human", "value": "hi"}]}},
            "trajectory.turns",
            "the transcript of the run",
        ),
        ({"proxy_calls": LOG, "calls": [*LOG, *LOG]}, "calls", "one log"),
        ({"proxyCalls": LOG}, "proxyCalls", "the name of this field is proxy_calls"),
        ({"errorClass": "agent_timeout"}, "errorClass", "the name of this field is error_class"),
        ({"tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}]}, "tools", "declare tools"),
        ({"success": False}, "success", "the run failed"),
        ({"exception": "Boom"}, "exception", "the run failed"),
        ({"status": "FAILED"}, "status", "not one that counts as a failure"),
        ({"status": "crashed"}, "status", "not one that counts as a failure"),
    ],
)
def test_a_key_of_the_body(fields: dict[str, Any], path: str, words: str) -> None:
    (warning,) = warnings_of(**fields)
    assert warning.path == path
    assert words in warning.reason


@pytest.mark.parametrize(
    "text",
    [
        *(f"I look it up. {mark} refund A17" for mark in TEXT_MARKS),
        json.dumps([{"type": "tool_use", "id": "c", "name": "refund", "input": ARGS}]),
        str([{"type": "tool_use", "id": "c", "name": "refund", "input": ARGS}]),
    ],
)
def test_a_tool_call_in_a_text(text: str) -> None:
    (warning,) = warnings_of(messages=[{"role": "assistant", "content": text}])
    assert warning.path == "messages[0].content"
    assert warning.reason.endswith("was not checked")
    assert warnings_of(messages=[{"role": "user", "content": text}]) == []


@pytest.mark.parametrize(
    "fields",
    [
        *(said("user", {"type": type_, type_: "x"}) for type_ in sorted(HARMLESS_PARTS)),
        said(
            "assistant", {"type": "thinking", "thinking": "t"}, "text", {"text": "x"}, {"type": "note", "text": "x"}, 5
        ),
        said("assistant", {"type": "tool_use", "id": "c", "name": "f", "input": ARGS}),
        {"messages": [{"role": "assistant", "content": '[{"type": "refund"}] <b>a call</b> [1]'}]},
        said("user", {"type": "tool_result", "tool_use_id": "c", "content": "", "is_error": False}),
        said("user", {"type": [], "name": "x"}, {"type": {}, "id": 1}, {"image_url": {"url": "u"}}),
        {
            "messages": [
                {"role": "assistant", "content": None, "refusal": None, "function_call": None, "name": "planner"}
            ]
        },
        {"messages": [{"role": "tool", "tool_call_id": "c", "content": "ok", "status": "success", "error": None}]},
        {"messages": [{"role": "assistant", "content": "<tool_call>{}</tool_call>", "tool_calls": [{"name": "f"}]}]},
        logged(response={"success": False}, result=None, status="ok", code=200, success=True, errors=[]),
        logged(response=None, source="error", status="failed", message="busy"),
        {"status": "completed", "success": True, "tags": ["a"], "checks": [{"name": "refunded", "result": "pass"}]},
        {"scores": [{"name": "accuracy", "value": 0.5}], "config": {"tools": [{"name": "f", "description": "d"}]}},
        {"messages": HISTORY, "input": HISTORY, "tools_schema": [{"name": "f", "input_schema": {}}], "tools": ["f"]},
        {"status": "failed", "success": False, "errors": ["x"]},
    ],
)
def test_what_is_read_or_harmless_is_quiet(fields: dict[str, Any]) -> None:
    assert warnings_of(**fields) == []


def test_one_warning_a_kind_with_a_count() -> None:
    part = {"type": "toolCall", "name": "f", "arguments": {}}
    messages = [{"role": "assistant", "content": [part] * 3} for _ in range(400)]
    (warning,) = warnings_of(messages=messages)
    assert warning.path == "messages[0].content[0]"
    assert warning.reason.endswith("(and 1,199 more like it)")


def test_keys_are_counted_apart() -> None:
    warnings = warnings_of(proxy_calls=[{"tool_name": "f", "success": False, "errors": ["e"]}] * 3)
    assert [(warning.path, warning.reason.endswith("(and 2 more like it)")) for warning in warnings] == [
        ("calls[0].success", True),
        ("calls[0].errors", True),
    ]


def test_many_kinds_are_bounded() -> None:
    parts = [{"type": f"kind{i}"} for i in range(5_000)]
    warnings = warnings_of(**said("assistant", *parts))
    assert len(warnings) == 51
    assert warnings[-1].reason.startswith("4,950 more kinds")


def test_a_long_name_is_shortened() -> None:
    (warning,) = warnings_of(**said("assistant", {"type": "x" * 100_000}))
    assert len(warning.reason) < 200


SCALARS = st.sampled_from([None, True, False, 0, 500, "", "x", "failed", "503", "toolCall", "tool_result"])
KEYS = st.sampled_from([
    "type", "name", "toolName", "function", "args", "input", "output", "result", "content", "parts", "toolUse", "text",
    "success", "status", "errors", "tool_calls", "function_call", "role", "tools", "calls", "statusCode", "",
])  # fmt: skip
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=5)


@given(
    st.lists(OBJECTS, max_size=3),
    st.lists(OBJECTS, max_size=3),
    st.sampled_from(["user", "assistant", "tool"]),
    OBJECTS,
    OBJECTS,
)
def test_any_shape_is_noticed_or_not_and_never_raises(
    parts: list[Any], calls: list[Any], role: str, message: dict[str, Any], body: dict[str, Any]
) -> None:
    run = normalise({**body, "messages": [{**message, "role": role, "content": parts}], "proxy_calls": calls}).run
    assert all(warning.path is not None for warning in run.warnings)
