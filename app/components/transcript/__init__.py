"""The transcript: messages with each tool call as one card, beside its outline. Virtualised in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Literal, TypeAlias

import streamlit as st

from app import glossary
from app.components.frontend import encode_payload, read_files, read_script
from app.components.transcript.data import build_transcript, replace_surrogates
from app.components.transcript.payload_types import TranscriptData
from trace_store.model import JSON, Path

__all__ = ["TranscriptData", "build_transcript", "draw_transcript"]

MOST_AT_ONCE = 24
"""Messages that are sent raw together; the browser asks for no more (`views.js`)."""

Original: TypeAlias = Callable[[Path], JSON]
"""Returns the value at a path of the document as it was imported."""

_component = st.components.v2.component(
    "trace_transcript",
    html=read_files("transcript/transcript.html"),
    css=read_files("shared/theme.css", "shared/json_tree.css", "transcript/card.css", "transcript/transcript.css"),
    js=read_script(
        "shared/dom.js",
        "shared/text.js",
        "shared/format.js",
        "shared/json_text.js",
        "shared/json_scan.js",
        "shared/json_tree.js",
        "shared/markdown.js",
        "shared/facts.js",
        "shared/virtual_list.js",
        "transcript/model.js",
        "transcript/views.js",
        "transcript/blocks.js",
        "transcript/text_blocks.js",
        "transcript/parts.js",
        "transcript/card.js",
        "transcript/message.js",
        "transcript/outline.js",
        "transcript/find.js",
        "transcript/transcript.js",
        outcome=glossary.OUTCOME,
        chain=glossary.CHAIN,
        source=glossary.SOURCE,
        actor=glossary.ACTOR,
        agreement=glossary.AGREEMENT,
        call=glossary.CALL,
    ),
)


def draw_transcript(
    data: TranscriptData,
    *,
    focus: str | None = None,
    height: int | Literal["stretch"] = 720,
    key: str = "transcript",
    decisive: str | None = None,
    original: Original | None = None,
    on_select: Callable[[], None] | None = None,
    on_decisive: Callable[[str], None] | None = None,
) -> str | None:
    """Draw the transcript in `height` pixels, or as high as its place; return the path that the reader chose in it.

    `focus` is a path to scroll to and outline: `messages[4]`, `messages[4].tool_calls[0]`, `calls[3]`, or below one of
    these; others are ignored. A page may give the chosen path back as `focus`: that changes nothing on screen, and
    nothing is sent again. `decisive` is the path of the step that decided the run, which is marked. `original` finds a
    message in the imported document, for the reader who asks for it raw. `on_select` runs before the page does, when
    the reader has chosen; so does `on_decisive`, with the path of the step that was made the decisive one.
    """
    state = st.session_state.get(key)
    result = _component(
        data=encode_payload(
            data,
            height=height,
            focus=_next_focus(key, data, focus),
            decisive=decisive,
            answers=_answer_request(state, data, original),
        ),
        key=key,
        height=height,
        on_selected_change=on_select or (lambda: None),
        on_request_change=lambda: None,
        on_decisive_change=lambda: _report_decisive(key, data, on_decisive),
    )
    return _get_path(result, "selected", data)


def _get_message(state: object, name: str, data: TranscriptData) -> dict[str, object]:
    """Return what the browser last sent under `name`; {} where that is about the run that was shown before."""
    message = state.get(name) if hasattr(state, "get") else None
    return message if isinstance(message, dict) and message.get("run") == data["run_id"] else {}


def _get_path(state: object, name: str, data: TranscriptData) -> str | None:
    path = _get_message(state, name, data).get("path")
    return path if isinstance(path, str) else None


def _report_decisive(key: str, data: TranscriptData, on_decisive: Callable[[str], None] | None) -> None:
    path = _get_path(st.session_state.get(key), "decisive", data)
    if on_decisive is not None and path is not None:
        on_decisive(path)


def _next_focus(key: str, data: TranscriptData, focus: str | None) -> dict[str, object] | None:
    """Return the last focus, with a number that grows each time: the same place may be gone to twice.

    A focus that the reader chose in the transcript itself does not scroll there.
    """
    last = st.session_state.get(f"{key}.focus")
    if last is None or last["run"] != data["run_id"]:
        last = st.session_state[f"{key}.focus"] = {"run": data["run_id"], "number": 0, "path": None, "given": None}
    if focus != last["given"]:
        last["given"] = focus
        if focus is not None and focus != _get_path(st.session_state.get(key), "selected", data):
            last["number"] += 1
            last["path"] = focus
    return {"number": last["number"], "path": last["path"]} if last["number"] else None


def _answer_request(state: object, data: TranscriptData, original: Original | None) -> dict[str, object] | None:
    request = _get_message(state, "request", data)
    return {"run": data["run_id"], "texts": render_texts(request.get("wants"), original)} if request else None


def render_texts(wants: object, original: Original | None) -> dict[str, str | None]:
    """Return the messages that the browser asks for raw while one reads, a few at a time, for a run has ten thousand:
    by their paths, as JSON text. Null: the original is not at hand. Other requests are left out."""
    texts: dict[str, str | None] = {}
    for want in [want for want in wants if isinstance(want, str)][:MOST_AT_ONCE] if isinstance(wants, list) else []:
        path = Path(want)
        if path.message_index is not None:
            value = original(path) if original else None
            texts[want] = None if value is None else replace_surrogates(json.dumps(value, ensure_ascii=False))
    return texts
