"""The transcript: messages with each tool call as one card, beside its outline. Virtualised in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import streamlit as st

from app.components.assets import source
from app.components.payload import payload
from app.components.transcript.data import transcript_data
from app.components.transcript.wire import TranscriptData

__all__ = ["TranscriptData", "transcript", "transcript_data"]

_component = st.components.v2.component(
    "trace_transcript",
    html=source("transcript/transcript.html"),
    css=source("kit/theme.css", "transcript/transcript.css"),
    js=source(
        "kit/dom.js",
        "kit/literal.js",
        "kit/words.js",
        "kit/json_text.js",
        "kit/facts.js",
        "kit/direction.js",
        "kit/virtual_list.js",
        "transcript/model.js",
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
    on_select: Callable[[], None] | None = None,
) -> str | None:
    """Draws the transcript in `height` pixels and returns the path that the reader has chosen in it, if any.

    `focus` is a path to scroll to and outline: `messages[4]`, `messages[4].tool_calls[0]`, `calls[3]`, or below one of
    these; others are ignored. A page may give the chosen path back as `focus`: that changes nothing on screen, and
    nothing is sent again. `on_select` runs before the page does, when the reader has chosen.
    """
    chosen = _chosen(st.session_state.get(key), data)
    result = _component(
        data=payload(data, height=height, focus=_focus_to_send(key, data["run_id"], focus, chosen)),
        key=key,
        height=height,
        on_selected_change=on_select or (lambda: None),
    )
    return _chosen(result, data)


def _chosen(state: object, data: TranscriptData) -> str | None:
    """The chosen path, unless it is of the run that was shown before."""
    selected = state.get("selected") if hasattr(state, "get") else None
    if not isinstance(selected, dict) or selected.get("run") != data["run_id"]:
        return None
    return cast("str | None", selected.get("path"))


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
