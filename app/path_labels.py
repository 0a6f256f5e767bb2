"""Paths of the run document as a person says them: `messages[4].tool_calls[0]` is "message 4: issue_refund"."""

from __future__ import annotations

import re
from bisect import bisect_left

from trace_store.model import Run

_PLACE = re.compile(r"(messages|calls)\[(\d+)\](?:\.tool_calls\[(\d+)\])?")
_WHOLE = {"final_response": "the answer", "": "the run", "error": "the run's error", "metadata": "the metadata"}


def in_words(run: Run, path: str) -> str:
    """What stands at `path`, with the number it has in the document. It may quote a tool's name, which comes out of a
    run; a path that means nothing here is given back as it is."""
    place = _PLACE.match(path)
    if place is None:
        return _WHOLE.get(path, path)
    number = int(place[2])
    if place[1] == "calls":
        return f"call {number}{_named(run.calls[number].tool_name)}" if number < len(run.calls) else path
    messages = run.messages or []
    at = bisect_left(messages, number, key=lambda one: one.index)
    if at == len(messages) or messages[at].index != number:
        return f"message {number}"
    message = messages[at]
    claims = message.tool_calls or []
    if place[3] is not None and int(place[3]) < len(claims):
        return f"message {number}{_named(claims[int(place[3])].name)}"
    return f"message {number}{_named(message.role)}"


def _named(name: str | None) -> str:
    return f": {name}" if name else ""
