"""The final answer as the judge saw it, with its facts marked: where each was found, if anywhere (R37)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

import streamlit as st

from app.components.frontend import encode_payload, read_files, read_script
from trace_store.model import Run

_component = st.components.v2.component(
    "trace_answer",
    html=read_files("answer/answer.html"),
    css=read_files("shared/theme.css", "answer/answer.css"),
    js=read_script("shared/dom.js", "shared/text.js", "shared/format.js", "shared/facts.js", "answer/answer.js"),
)


class Fact(TypedDict, total=False):
    """A fact by its span in the answer, in UTF-16 units, which are JavaScript's. `path` is where it was found; a fact
    without one was found nowhere."""

    start: int
    end: int
    path: str


def draw_answer(run: Run, *, key: str = "answer", on_jump: Callable[[], None] | None = None) -> None:
    """Draw the answer of a run that has one. `on_jump` runs before the page does, when the reader has followed a fact:
    `frontend.get_jump` then tells where."""
    body = {"text": run.final_response, "facts": list_facts(run)}
    _component(data=encode_payload(body, run=run.run_id), key=key, on_jump_change=on_jump or (lambda: None))


def list_facts(run: Run) -> list[Fact]:
    """Return the facts of the run's answer in order; none where there was nothing to ground them on."""
    if run.final_response is None or run.grounding is None:
        return []
    facts: list[Fact] = []
    # The contract counts code points. Facts do not overlap, so that the text is walked once.
    position = surrogates = 0
    for grounded in run.grounding.facts:
        offsets = []
        for offset in (grounded.start, grounded.end):
            surrogates += sum(character > "\uffff" for character in run.final_response[position:offset])
            position = offset
            offsets.append(offset + surrogates)
        fact = Fact(start=offsets[0], end=offsets[1])
        if grounded.receipt is not None:
            fact["path"] = grounded.receipt
        facts.append(fact)
    return facts
