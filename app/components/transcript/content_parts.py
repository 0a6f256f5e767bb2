"""Where the parts of a message's content are shown: a call on its card, a result with the call that it answers,
thinking folded in its place; each of them once (R45).

Pure: no Streamlit, no store.
"""

from __future__ import annotations

from app.components.frontend import encode_json
from app.components.transcript.payload_types import JsonText, ResultData
from trace_store.contract.arguments import decode_arguments
from trace_store.contract.transcript import ARGUMENTS_KEYS, CALL_PARTS, THINKING_PARTS
from trace_store.model import JSON, Message, ToolCall, ToolResult

_SHOWN_BY_CARD = {"type", "id", "name", "function", *ARGUMENTS_KEYS}


def find_call_parts(message: Message) -> dict[int, int]:
    """Return the index of the tool call whose card shows a part, by the number of the part.

    A part that repeats a call of the message's own is shown by the card of that call too, unless it says anything else.
    """
    if message.role != "assistant" or not isinstance(message.content, list) or not message.tool_calls:
        return {}
    # Several calls may have one id, or none: those of the parts stand last, in the order of the parts.
    waiting: dict[tuple[str | None, str], list[ToolCall]] = {}
    for call in message.tool_calls:
        waiting.setdefault((call.id, call.name), []).append(call)
    places: dict[int, int] = {}
    for number, part in reversed(list(enumerate(message.content))):
        if not isinstance(part, dict) or not isinstance(part.get("type"), str) or part["type"] not in CALL_PARTS:
            continue
        name, arguments = _read_call(part)
        id_ = part.get("id")
        alike = waiting.get((id_ if isinstance(id_, str) else None, name)) if isinstance(name, str) else None
        if alike and alike[-1].arguments == arguments and part.keys() - _SHOWN_BY_CARD <= alike[-1].extra.keys():
            places[number] = alike.pop().index
    return places


def _read_call(part: dict[str, JSON]) -> tuple[JSON, JSON]:
    """Return the name and the arguments of a call, flat or nested (R11)."""
    function = part.get("function")
    said = function if part.get("name") is None and isinstance(function, dict) else part
    arguments = next((said[key] for key in ARGUMENTS_KEYS if said.get(key) is not None), None)
    return said.get("name"), decode_arguments(arguments)[0]


def build_results(message: Message) -> dict[str, ResultData]:
    """Return the results in the content of a message, by the number of the part as text."""
    return {str(result.part): _build_result(result) for result in message.tool_results}


def _build_result(result: ToolResult) -> ResultData:
    data = ResultData()
    if result.tool_call_id is not None:
        data["id"] = result.tool_call_id
    if result.is_error:
        data["is_error"] = True
    path = result.answers
    if path is not None and path.message_index is not None and path.tool_call_index is not None:
        data["answers"] = path.message_index, path.tool_call_index
    return data


def encode_thinking(message: Message) -> list[JsonText]:
    """Return the thinking of a message without that of its parts, which is shown in its place (R12, R45)."""
    blocks = [encode_json(block) for block in message.thinking or ()]
    if not isinstance(message.content, list):
        return blocks
    in_parts = {encode_json(part) for part in message.content if is_thinking(part)}
    return [block for block in blocks if block not in in_parts]


def is_thinking(part: JSON) -> bool:
    """Return whether a content part is thinking."""
    return isinstance(part, dict) and isinstance(part.get("type"), str) and part["type"] in THINKING_PARTS
