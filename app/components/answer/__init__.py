"""The final answer as the judge saw it, with its facts marked: those found nowhere, and where the others stand."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.components.answer_facts import facts_of
from app.components.assets import source
from app.components.payload import payload
from trace_store.model import Run

__all__ = ["answer"]

_component = st.components.v2.component(
    "trace_answer",
    html=source("answer/answer.html"),
    css=source("shared/theme.css", "answer/answer.css"),
    js=source(
        "shared/dom.js",
        "shared/literal.js",
        "shared/words.js",
        "shared/facts.js",
        "shared/direction.js",
        "answer/answer.js",
    ),
)


def answer(run: Run, *, key: str = "answer", on_jump: Callable[[], None] | None = None) -> None:
    """Draws the answer of a run that has one. `on_jump` runs before the page does, when the reader has followed a fact:
    `jumps.jumped_to` then tells where."""
    body = {"text": run.final_response, "facts": facts_of(run)}
    _component(data=payload(body, run=run.run_id), key=key, on_jump_change=on_jump or (lambda: None))
