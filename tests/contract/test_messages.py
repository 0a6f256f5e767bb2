"""R5, R7-R12, R15 and R45: the transcript, and what is dropped of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.bodies_of import run_of_messages, warned_paths
from trace_store.model import Message, ToolCall, ToolResult


def message(**fields: Any) -> Message:
    run = run_of_messages({"role": "assistant", **fields})
    assert run.messages is not None
    return run.messages[0]


def tool_call(entry: dict[str, Any]) -> ToolCall:
    tool_calls = message(tool_calls=[entry]).tool_calls
    assert tool_calls is not None
    return tool_calls[0]


def test_a_rich_run_has_a_message() -> None:
    assert run_of_messages({"role": "user"}).view == "rich"
    assert run_of_messages({"role": "nobody"}).view == "thin"


def test_indexes_are_those_of_the_original_array() -> None:
    run = run_of_messages("x", {"role": "user"}, None, {"role": "tool"}, {"content": "x"})
    assert [m.index for m in run.messages or []] == [1, 3]
    assert warned_paths(run) == ["messages[0]", "messages[2]", "messages[4]"]


@pytest.mark.parametrize("role", [None, "", "User", "developer", "function", 1, ["user"], " user"])
def test_a_role_out_of_the_set_drops_the_message(role: Any) -> None:
    run = run_of_messages({"role": role, "content": "x"})
    assert (run.messages, warned_paths(run)) == (None, ["messages[0]"])


@pytest.mark.parametrize("role", ["system", "user", "assistant", "tool"])
def test_the_roles(role: str) -> None:
    assert message(role=role).role == role


@pytest.mark.parametrize("content", ["", "x", [], ["a", 1], None])
def test_content_that_stays(content: Any) -> None:
    assert message(content=content).content == content


@pytest.mark.parametrize("content", [{"type": "text"}, 1, True, 0.5])
def test_content_that_drops_the_message(content: Any) -> None:
    run = run_of_messages({"role": "user", "content": content})
    assert (run.messages, warned_paths(run)) == (None, ["messages[0]"])


@pytest.mark.parametrize(
    ("key", "value"), [("tool_call_id", 7), ("tool_calls", {}), ("thinking", "t"), ("thinking", [1])]
)
def test_a_rich_field_of_the_wrong_type_becomes_null_and_the_message_stays(key: str, value: Any) -> None:
    run = run_of_messages({"role": "user", "content": "x", key: value})
    assert run.messages is not None
    assert getattr(run.messages[0], key) is None
    assert run.messages[0].extra == {key: value}
    assert warned_paths(run) == [f"messages[0].{key}"]


def test_rich_fields_that_are_null_do_not_warn() -> None:
    run = run_of_messages({"role": "user", "tool_call_id": None, "tool_calls": None, "thinking": None})
    assert (warned_paths(run), (run.messages or [])[0].extra) == ([], {})


def test_thinking_is_an_array_of_objects() -> None:
    assert message(thinking=[{"text": "t"}]).thinking == [{"text": "t"}]
    assert message(thinking=[]).thinking == []


def test_an_empty_array_of_tool_calls_stays_one() -> None:
    assert message(tool_calls=[]).tool_calls == []


def test_a_nested_tool_call_is_flattened_and_its_rest_kept() -> None:
    nested = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}", "strict": True}, "x": 1}
    assert tool_call(nested) == ToolCall("c", "f", {}, extra={"function": {"strict": True}, "x": 1})


def test_an_entry_with_its_own_name_is_flat() -> None:
    call = tool_call({"name": "f", "type": "function", "function": {"name": "g", "arguments": {"a": 1}}})
    assert (call.name, call.arguments) == ("f", None)
    assert call.extra == {"type": "function", "function": {"name": "g", "arguments": {"a": 1}}}


def test_a_null_name_is_no_name_of_its_own() -> None:
    assert tool_call({"name": None, "function": {"name": "g"}}).name == "g"


@pytest.mark.parametrize(
    "entry", ["f", None, {}, {"name": ""}, {"name": 5}, {"name": "", "function": {"name": "g"}}, {"function": {}}]
)
def test_an_entry_without_a_name_is_dropped(entry: Any) -> None:
    run = run_of_messages({"role": "assistant", "tool_calls": [entry, {"name": "g"}]})
    assert warned_paths(run) == ["messages[0].tool_calls[0]"]
    assert [(call.name, call.index) for call in (run.messages or [])[0].tool_calls or []] == [("g", 1)]


def test_an_id_that_is_no_text_becomes_null() -> None:
    run = run_of_messages({"role": "assistant", "tool_calls": [{"id": 5, "name": "f"}, {"id": None, "name": "g"}]})
    assert [call.id for call in (run.messages or [])[0].tool_calls or []] == [None, None]
    assert warned_paths(run) == ["messages[0].tool_calls[0].id"]


@pytest.mark.parametrize(
    ("arguments", "read", "decoded"),
    [
        (None, None, True),
        ("", None, True),
        ({"a": 1}, {"a": 1}, True),
        ('{"a": 1}', {"a": 1}, True),
        (' {"a": 1}\n', {"a": 1}, True),
        ("{}", {}, True),
        ('{"a": 1', '{"a": 1', False),
        ('{"a": 1,}', '{"a": 1,}', False),
        ("{'a': 1}", "{'a': 1}", False),
        (" ", " ", False),
        ("null", "null", False),
        ("[1]", "[1]", False),
        ('"text"', '"text"', False),
        ('{"a": NaN}', '{"a": NaN}', False),
        ([1], [1], False),
        (7, 7, False),
        (False, False, False),
    ],
)
def test_arguments_are_decoded_and_never_repaired(arguments: Any, read: Any, decoded: bool) -> None:
    call = tool_call({"name": "f", "arguments": arguments})
    assert (call.arguments, call.arguments_decoded) == (read, decoded)


def test_other_keys_of_a_message_are_kept() -> None:
    assert message(content="x", name="Ann", refusal=None).extra == {"name": "Ann", "refusal": None}


@pytest.mark.parametrize("key", ["arguments", "args", "input", "parameters"])
def test_arguments_go_by_several_names_in_both_forms(key: str) -> None:
    for entry in ({"name": "f", key: {"n": 1}}, {"function": {"name": "f", key: '{"n": 1}'}}):
        call = tool_call(entry)
        assert (call.name, call.arguments, call.arguments_decoded, call.extra) == ("f", {"n": 1}, True, {})


def test_the_first_name_for_arguments_that_is_not_null_counts() -> None:
    call = tool_call({"name": "f", "arguments": None, "args": "", "input": {"n": 1}})
    assert (call.arguments, call.arguments_decoded, call.extra) == (None, True, {"input": {"n": 1}})


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_reasoning_as_a_text_is_thinking_where_there_is_none(key: str) -> None:
    assert message(**{key: "look"}).thinking == [{"type": "thinking", "thinking": "look"}]
    assert message(**{key: "look", "thinking": None}).extra == {}
    own = message(**{key: "look", "thinking": [{"text": "own"}]})
    assert (own.thinking, own.extra) == ([{"text": "own"}], {key: "look"})


@pytest.mark.parametrize("value", ["", None, {"effort": "high"}, 5])
def test_reasoning_that_is_no_text_is_no_thinking(value: Any) -> None:
    read = message(reasoning=value)
    assert (read.thinking, read.extra) == (None, {"reasoning": value})


def test_calls_of_parts_come_after_the_messages_own() -> None:
    content = [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "a", "name": "f", "input": {"n": 1}},
        {"type": "tool_use", "id": "b", "name": "g", "input": {"n": 2}, "cache": True},
        {"type": "tool_call", "id": "c", "args": {}},
        {"type": "function_call", "id": 5, "function": {"name": "h", "arguments": "{}"}},
    ]
    own = [{"id": "a", "name": "f"}, "broken"]
    run = run_of_messages({"role": "assistant", "content": content, "tool_calls": own})
    assert run.messages is not None
    (read,) = run.messages
    assert [(call.index, call.id, call.name, call.arguments) for call in read.tool_calls or []] == [
        (0, "a", "f", None),
        (2, "b", "g", {"n": 2}),
        (4, None, "h", {}),
    ]
    assert (read.tool_calls or [])[1].extra == {"cache": True}
    assert read.content == content
    assert warned_paths(run) == [
        "messages[0].tool_calls[1]",
        "messages[0].content[3]",
        "messages[0].content[4].id",
    ]


def test_parts_that_repeat_an_id_among_themselves_are_calls_of_their_own() -> None:
    part = {"type": "tool_use", "id": "f", "name": "f", "input": {}}
    assert [call.index for call in message(content=[part, part]).tool_calls or []] == [0, 1]


@pytest.mark.parametrize("role", ["system", "user", "tool"])
def test_only_the_assistant_calls_in_parts(role: str) -> None:
    part = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    assert message(role=role, content=[part]).tool_calls is None


@pytest.mark.parametrize("role", ["user", "tool"])
def test_results_in_parts(role: str) -> None:
    content = [
        "text",
        {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "x"}], "is_error": True},
        {"type": "tool_result", "tool_call_id": "b", "is_error": "yes"},
        {"type": "tool_result", "tool_use_id": 5, "content": "y"},
        {"type": "tool_result", "tool_use_id": "c", "content": {"n": 1}},
    ]
    run = run_of_messages({"role": role, "content": content})
    assert run.messages is not None
    assert run.messages[0].tool_results == [
        ToolResult(1, "a", [{"type": "text", "text": "x"}], is_error=True),
        ToolResult(2, "b", None),
        ToolResult(3, None, "y"),
    ]
    assert warned_paths(run) == ["messages[0].content[3].tool_use_id", "messages[0].content[4]"]
    assert run_of_messages({"role": "assistant", "content": content}).messages == [
        Message(0, "assistant", content=content)
    ]


@pytest.mark.parametrize("type_", ["thinking", "redacted_thinking", "reasoning"])
def test_thinking_parts_come_after_the_messages_own_thinking(type_: str) -> None:
    part, own = {"type": type_, "data": "x"}, {"type": "thinking", "thinking": "own"}
    read = message(content=[part, own, {"type": "text", "text": "x"}], thinking=[own])
    assert read.thinking == [own, part]


@pytest.mark.parametrize("type_", [None, 5, ["tool_use"], {"a": 1}, "tool", "text"])
def test_other_parts_stay_content_alone(type_: Any) -> None:
    read = message(content=[{"type": type_, "id": "a", "name": "f"}])
    assert (read.tool_calls, read.tool_results, read.thinking) == (None, [], None)
