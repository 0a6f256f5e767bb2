"""Paths of the run document as a person says them: `messages[4].tool_calls[0]` is "message 4: issue_refund"."""

from __future__ import annotations

from bisect import bisect_left

from trace_store.model import Path, Run

_WHOLE = {"final_response": "the answer", "": "the run", "error": "the run's error", "metadata": "the metadata"}


def in_words(run: Run, path: str) -> str:
    """Return what a path leads to, with the number it has in the document. It may quote a tool's name, which comes out
    of a run; a path that means nothing here is returned as it is."""
    place = Path(path)
    if (sequence := place.call_sequence) is not None:
        return f"call {sequence}{_suffix(run.calls[sequence].tool_name)}" if sequence < len(run.calls) else path
    if (index := place.message_index) is None:
        return _WHOLE.get(path, path)
    messages = run.messages or []
    at = bisect_left(messages, index, key=lambda message: message.index)
    if at == len(messages) or messages[at].index != index:
        return f"message {index}"
    message = messages[at]
    for tool_call in message.tool_calls or ():
        if tool_call.index == place.tool_call_index:
            return f"message {index}{_suffix(tool_call.name)}"
    return f"message {index}{_suffix(message.role)}"


def _suffix(name: str | None) -> str:
    return f": {name}" if name else ""
