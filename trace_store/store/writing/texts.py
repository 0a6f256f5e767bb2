"""The texts of a run that full-text search reads, each with the path it stands at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import orjson

from trace_store.errors import StoreError
from trace_store.model import JSON, Call, Message, Run
from trace_store.store.schema.tables import CALL_SHIFT, OUTSIDE_CALLS

TextRow: TypeAlias = tuple[int, str, str, str]
"""Number within the run (see `tables.texts`), part, path, text."""

# What a content part of these types holds is data, not text. No set: a type may be a list, which no set can look up.
_BINARY_PARTS = ("image", "image_url", "input_image", "audio", "input_audio", "file", "input_file")


def texts_of(run: Run) -> list[TextRow]:
    """Return everything a person might search for, as the pages show it: the answer, the input, messages, thoughts,
    arguments, responses, warnings, ids, names of tools and actors, metadata, and whatever else was kept. JSON values
    are written as compact JSON, so that the values in them are found. Nothing is shortened.
    Raises StoreError for a run with more texts than keys."""
    if len(run.calls) << CALL_SHIFT >= OUTSIDE_CALLS:
        raise StoreError(f"a run of {len(run.calls):,} calls", place=run.place, hint="the store numbers two million")
    rows = [row for call in run.calls for row in _call_texts(call)]
    for number, (part, path, text) in enumerate(_other_texts(run), OUTSIDE_CALLS):
        rows.append((number, part, path, text))
    if len(rows) and rows[-1][0] >= 2 * OUTSIDE_CALLS:
        raise StoreError(f"a run of {len(rows):,} texts", place=run.place, hint="the store numbers eight million")
    return rows


def _call_texts(call: Call) -> Iterator[TextRow]:
    number = call.sequence << CALL_SHIFT
    path = f"calls[{call.sequence}]"
    if call.arguments is not None:
        yield number, "arguments", f"{path}.arguments", _as_text(call.arguments)
    if call.response is not None:
        yield number + 1, "response", f"{path}.response", _as_text(call.response)
    if call.error is not None:
        yield number + 2, "error", f"{path}.error", _as_text(call.error)
    if call.extra:
        # Other spellings of an error body stand here, and what the log knows besides (R6).
        yield number + 3, "extra", path, _as_text(call.extra)


def _other_texts(run: Run) -> Iterator[tuple[str, str, str]]:
    if run.final_response is not None:
        yield "answer", "final_response", run.final_response
    if run.task_input is not None:
        yield "input", "task_input", _as_text(run.task_input)
    if run.error is not None:
        yield "error", "error", _as_text(run.error)
    for message in run.messages or ():
        yield from _message_texts(message)
    if ids := [value for value in (run.run_id, run.task_id, run.check_id, run.scenario, run.agent_id) if value]:
        yield "ids", "run_id", "\n".join(ids)
    if names := _names(run):
        yield "names", "calls", "\n".join(names)
    if run.metadata:
        yield "metadata", "metadata", _as_text(run.metadata)
    if run.extra:
        yield "extra", "", _as_text(run.extra)
    for number, warning in enumerate(run.warnings):
        yield "warning", warning.path or f"soft_warnings[{number}]", warning.reason


def _names(run: Run) -> list[str]:
    """Return the names of the tools that were called and of who called them, once each: a text of their own would cost
    the index an entry a call."""
    tools = [call.tool_name for call in run.calls]
    tools += [call.name for message in run.messages or () for call in message.tool_calls or ()]
    actors = [call.actor_id for call in run.calls]
    return list(dict.fromkeys(name for name in (*tools, *actors) if name))


def _message_texts(message: Message) -> Iterator[tuple[str, str, str]]:
    path = f"messages[{message.index}]"
    if isinstance(message.content, str):
        yield "content", f"{path}.content", message.content
    else:
        for number, content in enumerate(message.content or ()):
            if (text := _part_text(content)) is not None:
                yield "content", f"{path}.content[{number}]", text
    for number, thought in enumerate(message.thinking or ()):
        text = thought.get("thinking", thought.get("text"))
        yield "thinking", f"{path}.thinking[{number}]", _as_text(thought if text is None else text)
    for number, call in enumerate(message.tool_calls or ()):
        if call.arguments is not None:
            yield "arguments", f"{path}.tool_calls[{number}].arguments", _as_text(call.arguments)
        if call.extra:
            yield "extra", f"{path}.tool_calls[{number}]", _as_text(call.extra)
    if message.extra:
        yield "extra", path, _as_text(message.extra)


def _part_text(part: JSON) -> str | None:
    if isinstance(part, dict):
        if isinstance(part.get("text"), str):
            text: str = part["text"]
            return text
        if part.get("type") in _BINARY_PARTS:
            return None
    return _as_text(part)


def _as_text(value: JSON) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()
