"""The timeline of a run: lanes by actor, chains folded into one bar with their waits, and idle time compressed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.components.assets import source
from app.components.payload import payload
from app.components.timeline.data import TimelineData, timeline_data

__all__ = ["TimelineData", "timeline", "timeline_data"]

_component = st.components.v2.component(
    "trace_timeline",
    html=source("timeline/timeline.html"),
    css=source("shared/theme.css", "timeline/timeline.css"),
    js=source(
        "shared/dom.js",
        "shared/literal.js",
        "shared/words.js",
        "timeline/scale.js",
        "timeline/model.js",
        "timeline/bars.js",
        "timeline/timeline.js",
    ),
)


def timeline(
    data: TimelineData,
    *,
    run: str,
    height: int = 620,
    key: str = "timeline",
    on_jump: Callable[[], None] | None = None,
) -> None:
    """Draws the timeline of the run with the id `run` in at most `height` pixels. `on_jump` runs before the page does,
    when the reader has chosen a call: `jumps.jumped_to` then tells which."""
    _component(data=payload(data, run=run, height=height), key=key, on_jump_change=on_jump or (lambda: None))
