"""The transcript (R7-R12, R15): what is malformed is dropped or nulled with a warning, and never fails the run.

A known key of the wrong type becomes null and stays under its own key in `extra`.
"""

from __future__ import annotations

from trace_store.contract.arguments import decode_arguments
from trace_store.contract.fields import array, take_typed, text
from trace_store.contract.scalars import kind_of
from trace_store.contract.warnings import WarningCollector
from trace_store.model import JSON, Message, Path, Role, ToolCall

ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}


def read_messages(entries: list[JSON], warnings: WarningCollector) -> list[Message] | None:
    """The messages that survive, each with its index in the original array (R15); None where none does (R7)."""
    messages = [message for i, entry in enumerate(entries) if (message := _message(i, entry, warnings)) is not None]
    return messages or None


def _message(i: int, entry: JSON, warnings: WarningCollector) -> Message | None:
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
    if rest:
        _read_rich_fields(message, Path.message(i), warnings)
    return message


def _read_rich_fields(message: Message, path: Path, warnings: WarningCollector) -> None:
    rest = message.extra
    message.tool_call_id = take_typed(rest, "tool_call_id", text, "a string", path, warnings)
    tool_calls = take_typed(rest, "tool_calls", array, "an array", path, warnings)
    if tool_calls is not None:
        read = (_tool_call(j, entry, path.below(("tool_calls", j)), warnings) for j, entry in enumerate(tool_calls))
        message.tool_calls = [call for call in read if call is not None]
    message.thinking = take_typed(rest, "thinking", _array_of_objects, "an array of objects", path, warnings)


def _array_of_objects(value: JSON) -> list[dict[str, JSON]] | None:
    return value if isinstance(value, list) and all(isinstance(entry, dict) for entry in value) else None


def _tool_call(j: int, entry: JSON, path: Path, warnings: WarningCollector) -> ToolCall | None:
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
    arguments, decoded = decode_arguments(rest.pop("arguments", None))
    id_ = take_typed(rest, "id", text, "a string", path, warnings)
    return ToolCall(id_, name, arguments, decoded, index=j, extra=rest)


def _flatten(entry: dict[str, JSON], function: dict[str, JSON]) -> None:
    """Moves the name and arguments of the nested form to where the flat one has them; what else it says stays."""
    rest = function.copy()
    entry["name"] = rest.pop("name", None)
    if (arguments := rest.pop("arguments", None)) is not None:
        entry["arguments"] = arguments
    if entry.get("type") == "function":
        del entry["type"]
    if rest:
        entry["function"] = rest
    else:
        del entry["function"]
