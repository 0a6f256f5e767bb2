"""The transcript: messages with each tool call as one card, beside its outline. Virtualised in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import streamlit as st

from app.components.assets import source
from app.components.payload import payload
from app.components.transcript.data import transcript_data
from app.components.transcript.payload_types import TranscriptData
from app.components.transcript.replies import Original, answers

__all__ = ["TranscriptData", "transcript", "transcript_data"]

_component = st.components.v2.component(
    "trace_transcript",
    html=source("transcript/transcript.html"),
    css=source("shared/theme.css", "transcript/transcript.css"),
    js=source(
        "shared/dom.js",
        "shared/literal.js",
        "shared/words.js",
        "shared/json_text.js",
        "shared/json_strings.js",
        "shared/markdown.js",
        "shared/facts.js",
        "shared/direction.js",
        "shared/virtual_list.js",
        "transcript/model.js",
        "transcript/views.js",
        "transcript/blocks.js",
        "transcript/attempts.js",
        "transcript/card.js",
        "transcript/message.js",
        "transcript/outline.js",
        "transcript/find.js",
        "transcript/transcript.js",
    ),
)


def transcript(
    data: TranscriptData,
    *,
    focus: str | None = None,
    height: int = 720,
    key: str = "transcript",
    decisive: str | None = None,
    original: Original | None = None,
    on_select: Callable[[], None] | None = None,
    on_decisive: Callable[[str], None] | None = None,
) -> str | None:
    """Draws the transcript in `height` pixels and returns the path that the reader has chosen in it, if any.

    `focus` is a path to scroll to and outline: `messages[4]`, `messages[4].tool_calls[0]`, `calls[3]`, or below one of
    these; others are ignored. A page may give the chosen path back as `focus`: that changes nothing on screen, and
    nothing is sent again. `decisive` is the path of the step that decided the run, which is marked. `original` finds a
    message in the imported document, for the reader who asks for it raw. `on_select` runs before the page does, when
    the reader has chosen; so does `on_decisive`, with the path of the step that was made the decisive one.
    """
    state = st.session_state.get(key)
    chosen = _chosen(state, data)
    result = _component(
        data=payload(
            data,
            height=height,
            focus=_focus_to_send(key, data["run_id"], focus, chosen),
            decisive=decisive,
            answers=_answers(state, data, original),
        ),
        key=key,
        height=height,
        on_selected_change=on_select or (lambda: None),
        on_asked_change=lambda: None,
        on_decisive_change=lambda: _decided(key, data, on_decisive),
    )
    return _chosen(result, data)


def _of_run(state: object, name: str, data: TranscriptData) -> dict[str, object]:
    """What the browser last said under `name`, unless it is of the run that was shown before."""
    said = state.get(name) if hasattr(state, "get") else None
    return said if isinstance(said, dict) and said.get("run") == data["run_id"] else {}


def _answers(state: object, data: TranscriptData, original: Original | None) -> dict[str, object] | None:
    asked = _of_run(state, "asked", data)
    return {"run": data["run_id"], "texts": answers(asked.get("wants"), data, original)} if asked else None


def _decided(key: str, data: TranscriptData, on_decisive: Callable[[str], None] | None) -> None:
    path = _of_run(st.session_state.get(key), "decisive", data).get("path")
    if on_decisive is not None and isinstance(path, str):
        on_decisive(path)


def _chosen(state: object, data: TranscriptData) -> str | None:
    """The chosen path, unless it is of the run that was shown before."""
    return cast("str | None", _of_run(state, "selected", data).get("path"))


def _focus_to_send(key: str, run_id: str, focus: str | None, chosen: str | None) -> dict[str, object] | None:
    """The last focus asked for, with a number that grows each time: the same place may be asked for twice.

    A focus that the reader chose in the transcript itself is no demand to scroll there.
    """
    memory = st.session_state.get(f"{key}.focus")
    if memory is None or memory["run"] != run_id:
        memory = st.session_state[f"{key}.focus"] = {"run": run_id, "asked": 0, "path": None, "last": None}
    if focus != memory["last"]:
        memory["last"] = focus
        if focus is not None and focus != chosen:
            memory["asked"] += 1
            memory["path"] = focus
    return {"asked": memory["asked"], "path": memory["path"]} if memory["asked"] else None
