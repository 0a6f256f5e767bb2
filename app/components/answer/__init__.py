"""The final answer as the judge saw it, with its facts marked: where each was found, if anywhere (R37)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

import streamlit as st

from app.components.frontend import encode_payload, read_files, read_script
from trace_store.model import Message, Path, Run

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


class AnswerData(TypedDict, total=False):
    """What the component shows. Where the text is not the run's answer, `label` says what it is, and `path` where it
    stands."""

    text: str
    facts: list[Fact]
    label: str
    path: Path


def draw_answer(data: AnswerData, *, run: str, key: str = "answer", on_jump: Callable[[], None] | None = None) -> None:
    """Draw the answer of the run with the id `run`. `on_jump` runs before the page does, when the reader has followed a
    fact: `frontend.get_jump` then tells where."""
    _component(data=encode_payload(data, run=run), key=key, on_jump_change=on_jump or (lambda: None))


def build_answer(run: Run) -> AnswerData | None:
    """Return the final response with its facts, else what the assistant wrote last (R3), else None."""
    if run.final_response is not None:
        return AnswerData(text=run.final_response, facts=list_facts(run))
    for message in reversed(run.messages or ()):
        if message.role == "assistant" and (text := _read_text(message)):
            label = "No final response in the export; last message:"
            return AnswerData(text=text, facts=[], label=label, path=Path.message(message.index))
    return None


def _read_text(message: Message) -> str:
    """Return what a message says in words: its content, or the texts of its parts."""
    if isinstance(message.content, str):
        return message.content.strip()
    parts = [part.get("text") for part in message.content or () if isinstance(part, dict)]
    return "\n\n".join(text for text in parts if isinstance(text, str) and text.strip())


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
