"""R5, R7-R12 and R15: the transcript, and what is dropped of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.bodies_of import run_of_messages, warned_paths
from trace_store.model import Message, ToolCall


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
