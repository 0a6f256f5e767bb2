"""The transcript: messages (R7-R12, R15, R45), metadata (R13) and the warnings of the export (R14).

What is malformed is dropped, or read as null, with a warning; it never fails the run. A known key of the wrong type
stays under its own key in `extra`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from trace_store.contract.arguments import decode_arguments
from trace_store.contract.fields import WarningCollector, as_array, as_string, take, take_typed
from trace_store.contract.scalars import count, duration, kind_of
from trace_store.model import JSON, Message, Path, Role, SoftWarning, ToolCall, ToolResult

ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}

ARGUMENTS_KEYS = ("arguments", "args", "input", "parameters")
"""The keys for the arguments of a tool call, the canonical one first (R11)."""

REASONING_KEYS = ("reasoning_content", "reasoning")
"""The keys for thinking as a string, used if a message has no `thinking` (R12)."""

CALL_PARTS = frozenset({"tool_use", "tool_call", "function_call"})
RESULT_PART = "tool_result"
RESULT_ID_KEYS = ("tool_use_id", "tool_call_id")
THINKING_PARTS = frozenset({"thinking", "redacted_thinking", "reasoning"})
"""The types of the content parts that are read as calls, results and thinking (R45)."""


def read_messages(entries: list[JSON], warnings: WarningCollector) -> list[Message] | None:
    """Return the readable messages, each with its index in the original array (R15), or None without any (R7)."""
    messages = [
        message for i, entry in enumerate(entries) if (message := _read_message(i, entry, warnings)) is not None
    ]
    return messages or None


def _read_message(i: int, entry: JSON, warnings: WarningCollector) -> Message | None:
    if not isinstance(entry, dict):
        warnings.add_wrong_type(Path.message(i), "dropped", "an object", entry)
        return None
    rest = entry.copy()
    stated = rest.pop("role", None)
    role = ROLES.get(stated) if isinstance(stated, str) else None
    if role is None:
        what = f"the role {stated[:40]!r}" if isinstance(stated, str) else f"{kind_of(stated)} for a role"
        warnings.add(Path.message(i), "dropped", f"the message has {what}; it must be one of {', '.join(ROLES)}")
        return None
    content = rest.pop("content", None)
    if content is not None and not isinstance(content, str | list):
        warnings.add_wrong_type(Path.message(i), "dropped", "content that is a string, an array or null", content)
        return None
    message = Message(i, role, content, extra=rest)
    own_calls = _read_rich_fields(message, Path.message(i), warnings) if rest else 0
    if isinstance(content, list):
        _read_parts(message, content, own_calls, warnings)
    return message


def _read_rich_fields(message: Message, path: Path, warnings: WarningCollector) -> int:
    """Read the fields beside the content (R10-R12); return how many entries the message's own `tool_calls` has."""
    rest = message.extra
    message.tool_call_id = take_typed(rest, "tool_call_id", as_string, "a string", path, warnings)
    tool_calls = take_typed(rest, "tool_calls", as_array, "an array", path, warnings)
    if tool_calls is not None:
        read = (
            _read_tool_call(j, entry, Path.tool_call(message.index, j), warnings) for j, entry in enumerate(tool_calls)
        )
        message.tool_calls = [call for call in read if call is not None]
    if rest.get("thinking") is None:
        message.thinking = _take_reasoning(rest)
    else:
        message.thinking = take_typed(rest, "thinking", _array_of_objects, "an array of objects", path, warnings)
    return len(tool_calls or ())


def _take_reasoning(rest: dict[str, JSON]) -> list[dict[str, JSON]] | None:
    """Take the reasoning of a message without `thinking`, a non-empty string (R12)."""
    rest.pop("thinking", None)
    for key in REASONING_KEYS:
        if isinstance(rest.get(key), str) and rest[key]:
            return [{"type": "thinking", "thinking": rest.pop(key)}]
    return None


def _read_parts(message: Message, content: list[JSON], own_calls: int, warnings: WarningCollector) -> None:
    """Read the content parts that are calls, results or thinking (R45); the content itself stays as it is."""
    own_ids = {call.id for call in message.tool_calls or () if call.id}
    own_thinking = message.thinking or []
    calls: list[ToolCall] = []
    thinking: list[dict[str, JSON]] = []
    index = own_calls
    for number, part in enumerate(content):
        type_ = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict) or not isinstance(type_, str):
            continue
        if type_ in CALL_PARTS and message.role == "assistant":
            if isinstance(id_ := part.get("id"), str) and id_ in own_ids:
                continue
            call = _read_call_part(index, part, Path.of("messages", message.index, "content", number), warnings)
            index += 1  # a call that is dropped leaves a gap, as in `tool_calls` (R15)
            if call is not None:
                calls.append(call)
        elif type_ == RESULT_PART and message.role in ("user", "tool"):
            path = Path.of("messages", message.index, "content", number)
            if (result := _read_result_part(number, part, path, warnings)) is not None:
                message.tool_results.append(result)
        elif type_ in THINKING_PARTS and part not in own_thinking:
            thinking.append(part)
    if calls:
        message.tool_calls = [*(message.tool_calls or ()), *calls]
    if thinking:
        message.thinking = [*own_thinking, *thinking]


def _read_call_part(index: int, part: dict[str, JSON], path: Path, warnings: WarningCollector) -> ToolCall | None:
    rest = part.copy()
    del rest["type"]
    return _read_tool_call(index, rest, path, warnings)


def _read_result_part(number: int, part: dict[str, JSON], path: Path, warnings: WarningCollector) -> ToolResult | None:
    """Return the result that a part holds, checked as a tool message is (R9, R10); None where it is dropped."""
    content = part.get("content")
    if content is not None and not isinstance(content, str | list):
        warnings.add_wrong_type(path, "dropped", "content that is a string, an array or null", content)
        return None
    key, id_ = take(part.copy(), RESULT_ID_KEYS)
    if id_ is not None and not isinstance(id_, str):
        warnings.add_wrong_type(path / key, "nulled", "a string", id_)
        id_ = None
    return ToolResult(number, id_, content, is_error=part.get("is_error") is True)


def _array_of_objects(value: JSON) -> list[dict[str, JSON]] | None:
    return value if isinstance(value, list) and all(isinstance(entry, dict) for entry in value) else None


def _read_tool_call(j: int, entry: JSON, path: Path, warnings: WarningCollector) -> ToolCall | None:
    if not isinstance(entry, dict):
        warnings.add_wrong_type(path, "dropped", "an object", entry)
        return None
    rest = entry.copy()
    function = rest.get("function")
    if rest.get("name") is None and isinstance(function, dict):
        _flatten(rest, function)
    name = rest.pop("name", None)
    if not isinstance(name, str) or not name:
        warnings.add(path, "dropped", "the tool call has no name")
        return None
    arguments, decoded = decode_arguments(take(rest, ARGUMENTS_KEYS)[1])
    id_ = take_typed(rest, "id", as_string, "a string", path, warnings)
    return ToolCall(id_, name, arguments, decoded, index=j, extra=rest)


def _flatten(entry: dict[str, JSON], function: dict[str, JSON]) -> None:
    """Move the name and arguments of the nested form to the keys of the flat form; its other keys stay."""
    rest = function.copy()
    entry["name"] = rest.pop("name", None)
    if (arguments := take(rest, ARGUMENTS_KEYS)[1]) is not None:
        entry["arguments"] = arguments
    if entry.get("type") == "function":
        del entry["type"]
    if rest:
        entry["function"] = rest
    else:
        del entry["function"]


class MetadataKey(NamedTuple):
    """A known key: its type in words, with the article, and what reads it (None: of the wrong type)."""

    expected: str
    read: Callable[[JSON], object | None]


METADATA_KEYS: Mapping[str, MetadataKey] = {
    "model": MetadataKey("a string", as_string),
    "system_prompt_id": MetadataKey("a string", as_string),
    "total_input_tokens": MetadataKey("an integer of 0 or more", count),
    "total_output_tokens": MetadataKey("an integer of 0 or more", count),
    "agent_runtime_ms": MetadataKey("a finite number of 0 or more", duration),
}


def read_metadata(value: dict[str, JSON], warnings: WarningCollector) -> dict[str, JSON]:
    """Return the metadata unchanged; a known key of the wrong type stays where it is, and warns."""
    for key, known in METADATA_KEYS.items():
        entry = value.get(key)
        if entry is not None and known.read(entry) is None:
            warnings.add_wrong_type(Path.of("metadata", key), "noted", known.expected, entry)
    return value


def read_exported_warnings(value: JSON, path: Path, warnings: WarningCollector) -> list[SoftWarning] | None:
    """Return the `soft_warnings` of an export, unchanged and in order; a single string is a list of one.

    An entry that is not a string warns at its own path; a value that is not a list warns at `path`, and gives None.
    """
    if value is None:
        return []
    entries = [value] if isinstance(value, str) else value
    if not isinstance(entries, list):
        warnings.add_wrong_type(path, "nulled", "an array of strings", value)
        return None
    exported = []
    for i, reason in enumerate(entries):
        if isinstance(reason, str):
            exported.append(SoftWarning("export", None, reason))
        else:
            warnings.add_wrong_type(path / i, "dropped", "a string", reason)
    return exported
