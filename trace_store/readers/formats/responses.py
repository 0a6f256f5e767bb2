"""Responses-style runs (R41): one response whose `output` is an array of typed items, or `{"responses": […]}` of them.

Items become messages, paired by `call_id` as they are; the text after the last call is the answer. What a response
says of itself stays in the body: `status`, `error` and `incomplete_details` of the last one, and of several, each with
the indexes of its messages, under `responses`. The last message of one that broke off has its `status`. A body that is
not of this shape is never bent into it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field

import orjson

from trace_store.contract.bodies import is_typed_output
from trace_store.model import JSON, Path, SoftWarning

FORMAT = "responses"
TURNS_KEY = "responses"
BROKEN_OFF = frozenset({"incomplete", "failed", "cancelled"})
STATUSES = BROKEN_OFF | {"completed", "queued", "in_progress"}

# What is read into the transcript, and so does not stay in the body.
_READ = frozenset({"output", "input", "instructions"})
_TEXT_PARTS = ("output_text", "input_text", "text")  # no set: a type may be a list, which no set can look up
_ROLES = {"developer": "system"}  # what chat transcripts call it; the role as it was sent is kept beside it
_USAGE = {"input_tokens": "total_input_tokens", "output_tokens": "total_output_tokens"}

Object = dict[str, JSON]


def recognises(value: JSON) -> bool:
    """Return whether the value is such a run. A `final_response`, or a `final_output`, makes it a run body instead
    (R2)."""
    if not isinstance(value, dict) or "final_response" in value or value.get("final_output") is not None:
        return False
    turns = value.get(TURNS_KEY)
    if isinstance(turns, list):
        return any(map(_is_response, turns)) and all(isinstance(turn, dict) for turn in turns)
    return _is_response(value)


def _is_response(value: JSON) -> bool:
    if not isinstance(value, dict):
        return False
    output = value.get("output")
    if is_typed_output(output):
        return True
    if output is not None and output != []:
        return False
    # One that failed, or was cut before its first item, has nothing but its status.
    status = value.get("status")
    return value.get("object") == "response" or (output == [] and isinstance(status, str) and status in STATUSES)


def read(value: JSON) -> tuple[JSON, list[SoftWarning]]:
    """Return the run as a run body, and what could not be read as part of a transcript."""
    several = isinstance(value.get(TURNS_KEY), list)
    turns: list[Object] = value[TURNS_KEY] if several else [value]
    transcript = _Transcript()
    spans = [transcript.add_turn(turn, f"{TURNS_KEY}[{i}]." if several else "") for i, turn in enumerate(turns)]
    # A transcript of its own is worth more than one pieced together.
    own = bool(value.get("messages"))
    body = {key: item for key, item in value.items() if own or key not in _READ}
    if several:
        body[TURNS_KEY] = [_rest(turn, span) for turn, span in zip(turns, spans, strict=True)]
        _adopt(body, turns)
    if not own:
        body["messages"] = transcript.messages
    body["final_response"] = "".join(transcript.answer) or None
    _add_metadata(body, turns)
    _add_tools(body, turns)
    if body.get("started_at") is None and turns[0].get("created_at") is not None:
        body["started_at"] = turns[0]["created_at"]
    return body, [] if own else transcript.warnings


def _rest(turn: Object, span: range) -> Object:
    return {key: item for key, item in turn.items() if key not in _READ} | {"messages": list(span)}


def _adopt(body: Object, turns: list[Object]) -> None:
    """Take how the last response ended for how the run ended, where the run does not say so itself."""
    for key in ("status", "error", "incomplete_details"):
        if body.get(key) is None and turns[-1].get(key) is not None:
            body[key] = turns[-1][key]


def _add_metadata(body: Object, turns: list[Object]) -> None:
    metadata = body.get("metadata")
    if metadata is not None and not isinstance(metadata, dict):
        return
    additions: Object = {}
    for turn in turns:
        if isinstance(turn.get("model"), str):
            additions["model"] = turn["model"]
        usage = turn.get("usage")
        for key, name in _USAGE.items():
            count = usage.get(key) if isinstance(usage, dict) else None
            if type(count) is int:
                additions[name] = additions.get(name, 0) + count
    if additions:
        body["metadata"] = additions | (metadata or {})


def _add_tools(body: Object, turns: list[Object]) -> None:
    """Add the function tools that the requests declared, as a `tools_schema`."""
    if body.get("tools_schema") is not None:
        return
    tools: dict[str, Object] = {}
    for turn in turns:
        declared = turn.get("tools")
        for tool in declared if isinstance(declared, list) else []:
            if isinstance(tool, dict) and tool.get("type") == "function" and isinstance(tool.get("name"), str):
                entry = {key: item for key, item in tool.items() if key not in ("type", "parameters")}
                tools[tool["name"]] = entry | {"input_schema": tool.get("parameters")}
    if tools:
        body["tools_schema"] = list(tools.values())


# ---- the transcript ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Transcript:
    messages: list[Object] = field(default_factory=list)
    answer: list[str] = field(default_factory=list)  # texts since the last call
    warnings: list[SoftWarning] = field(default_factory=list)
    _instructions: str | None = None
    _read: dict[bytes, list[int]] = field(default_factory=dict)  # what was said before, and as which item
    _count: int = 0
    _thinking: list[Object] = field(default_factory=list)  # for the next message of the assistant
    _open: Object | None = None  # the message that the next call joins, if it follows at once

    def add_turn(self, turn: Object, prefix: str) -> range:
        """Add a response with its input, and return the indexes of its messages."""
        first = len(self.messages)
        self._add_input(turn, prefix)
        self.answer.clear()
        start = len(self.messages)
        output = turn.get("output")
        if isinstance(output, list) and is_typed_output(output):
            for index, item in enumerate(output):
                self._add(item, f"{prefix}output[{index}]")
        elif output:
            self._keep(output, f"{prefix}output", "not an array of typed items")
        self._close_thinking()
        _mark(self.messages[start:], turn.get("status"))
        return range(first, len(self.messages))

    def _add_input(self, turn: Object, prefix: str) -> None:
        instructions = turn.get("instructions")
        if isinstance(instructions, str) and instructions != self._instructions:
            self._instructions = instructions
            self.messages.append({"role": "system", "content": instructions})
        request = turn.get("input")
        if isinstance(request, str):
            request = [{"role": "user", "content": request}]
        if not isinstance(request, list):
            if request is not None:
                self._keep(request, f"{prefix}input", "neither a text nor an array")
            return
        for index in self._new_items(request):
            self._add(request[index], f"{prefix}input[{index}]")
        self._close_thinking()

    def _new_items(self, request: list[JSON]) -> range:
        """Return the indexes of the items that were not there before: a request may send the whole transcript again,
        with or without the reasoning in it."""
        next_index = 0
        for index, item in enumerate(request):
            places = self._read.get(_comparable(item), [])
            at = bisect_left(places, next_index)
            if at == len(places) or (index == 0 and places[at] > 0):
                return range(index, len(request))
            next_index = places[at] + 1
        return range(0)

    def _add(self, item: JSON, path: str) -> None:
        if not isinstance(item, dict):
            self._keep(item, path, "not an object")
            return
        self._read.setdefault(_comparable(item), []).append(self._count)
        self._count += 1
        kind = item.get("type", "message" if "role" in item else None)
        reader = _ITEMS.get(kind) if isinstance(kind, str) else None
        if reader is None:
            self._keep(item, path, f"an item of the unknown type {str(kind)!r}")
        else:
            reader(self, item)

    def _keep(self, item: JSON, path: str, what: str) -> None:
        self.warnings.append(
            SoftWarning("import", Path(path), f"{what}: kept as it is, as a message of the assistant", "changed")
        )
        self._say({"content": [item]})

    def _say(self, message: Object) -> None:
        """Add a message of the assistant, with the thinking before it."""
        thinking = {"thinking": self._thinking} if self._thinking else {}
        self.messages.append({"role": "assistant"} | message | thinking)
        self._thinking = []
        self._open = None

    def _close_thinking(self) -> None:
        if self._thinking:
            self._say({"content": None})
        self._open = None

    # ---- one method a type of item ----

    def message(self, item: Object) -> None:
        role = item.get("role", "assistant")
        content, texts, refusal = _content(item.get("content"))
        message = _without(item, "type", "role", "content") | {"content": content}
        if refusal is not None:
            message["refusal"] = refusal
        if role == "assistant":
            self.answer += texts
            self._say(message)
            return
        self._close_thinking()
        renamed = _ROLES.get(role) if isinstance(role, str) else None
        self.messages.append({"role": renamed or role} | message | ({"sent_role": role} if renamed else {}))

    def function_call(self, item: Object) -> None:
        self.answer.clear()
        call = _without(item, "type", "id", "call_id") | {"id": item.get("call_id")}
        if item.get("id") is not None:
            call["item_id"] = item["id"]
        if self._open is None or self._thinking:
            calls: list[Object] = []
            self._say({"content": None, "tool_calls": calls})
            self._open = self.messages[-1]
        self._open["tool_calls"].append(call)
        _mark([self._open], item.get("status"))

    def function_call_output(self, item: Object) -> None:
        self.answer.clear()
        self._close_thinking()
        output = item.get("output")
        if output is not None and not isinstance(output, str | list):
            output = orjson.dumps(output).decode()
        rest = _without(item, "type", "call_id", "output")
        self.messages.append({"role": "tool", "tool_call_id": item.get("call_id"), "content": output} | rest)

    def reasoning(self, item: Object) -> None:
        self._thinking.append(item)

    def refused(self, item: Object) -> None:
        self._say({"content": [item], "refusal": item.get("refusal")})


def _mark(messages: list[Object], status: JSON) -> None:
    """Mark the last message of a response, or of a call, that broke off, unless it has a status of its own."""
    if isinstance(status, str) and status in BROKEN_OFF:
        for message in reversed(messages):
            if message["role"] == "assistant":
                message.setdefault("status", status)
                return


_ITEMS: dict[str, Callable[[_Transcript, Object], None]] = {
    "message": _Transcript.message,
    "function_call": _Transcript.function_call,
    "function_call_output": _Transcript.function_call_output,
    "reasoning": _Transcript.reasoning,
    "refusal": _Transcript.refused,
}


def _content(content: JSON) -> tuple[JSON, list[str], JSON]:
    """Return the content of a message: plain texts as one string, anything else as it is; its texts; its refusal."""
    if isinstance(content, str):
        return content, [content], None
    if not isinstance(content, list):
        return content, [], None
    parts = [part for part in content if isinstance(part, dict)]
    texts = [part["text"] for part in parts if part.get("type") in _TEXT_PARTS and isinstance(part.get("text"), str)]
    refusal = next((part.get("refusal") for part in parts if part.get("type") == "refusal"), None)
    # Empty annotations and the like say nothing.
    is_plain = (
        content and len(texts) == len(content) and not any(any(_without(p, "type", "text").values()) for p in parts)
    )
    return "".join(texts) if is_plain else content, texts, refusal


def _without(item: Object, *keys: str) -> Object:
    return {key: value for key, value in item.items() if key not in keys}


def _comparable(item: JSON) -> bytes:
    """Return the content of an item, for comparing: a response gives its items ids and a status that requests leave
    out."""
    if not isinstance(item, dict):
        return orjson.dumps(item)
    fields = _without(item, "id", "status")
    if fields.get("type", "message") == "message":
        fields = {"role": fields.get("role", "assistant"), "content": _content(fields.get("content"))[0]}
    return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
