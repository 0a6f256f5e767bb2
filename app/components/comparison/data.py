"""Two runs as the component shows them: their figures, their steps in pairs, and the sentence on where they part.

Pure: no Streamlit, no clock, no store. A step that both took alike is sent once, as its first words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from app import glossary
from app.components.comparison.figures import Figure, figures_of
from app.components.payload import json_text
from trace_store.comparing import Alignment, Change, Pair, Step, aligned, steps_of
from trace_store.model import JSON, Run

BRIEF = 240
"""Characters of a step that is the same in both runs: the run itself has the rest."""


class Part(TypedDict, total=False):
    """A value that steps are compared by: `text` as it is, or `json` as compact JSON; `differs` from the other run's;
    `tone` is that of an outcome."""

    name: str
    text: str
    json: str
    differs: bool
    tone: str


class StepShown(TypedDict, total=False):
    """A step of one run. `number` counts from 1."""

    number: int
    path: str
    kind: Literal["message", "call", "answer"]
    name: str
    brief: str
    parts: list[Part]


class PairShown(TypedDict, total=False):
    """Steps side by side; a side is left out where only the other run has the step. `differs` are names of parts."""

    change: Literal["same", "changed", "left", "right"]
    left: StepShown
    right: StepShown
    differs: list[str]


class ComparisonData(TypedDict):
    """`complete`: no bound was met in aligning."""

    left: str
    right: str
    figures: list[Figure]
    parting: str
    complete: bool
    pairs: list[PairShown]


_CHANGES: dict[Change, Literal["same", "changed", "left", "right"]] = {
    Change.SAME: "same",
    Change.CHANGED: "changed",
    Change.ONLY_LEFT: "left",
    Change.ONLY_RIGHT: "right",
}
_WORDS = {"given": "what the model saw"}
_TONES = {"ok": "ok", "application_error": "warn", "failed": "bad", "injected_failure": "injected"}


def comparison_data(left: Run, right: Run) -> ComparisonData:
    """What the component shows of two runs."""
    one, other = steps_of(left), steps_of(right)
    alignment = aligned(one, other)
    return ComparisonData(
        left=left.run_id,
        right=right.run_id,
        figures=figures_of(left, right),
        parting=parting(alignment, one, other),
        complete=alignment.complete,
        pairs=[_pair(pair, one, other) for pair in alignment.pairs],
    )


def parting(alignment: Alignment, left: Sequence[Step], right: Sequence[Step]) -> str:
    """Where two runs part, in a sentence."""
    first = alignment.parting
    if first is None:
        return f"Both runs took the same {len(left):,} {'step' if len(left) == 1 else 'steps'}."
    one = left[first.left] if first.left is not None else None
    other = right[first.right] if first.right is not None else None
    at = _numbers(first)
    if one is not None and other is not None:
        return f"They part at {at}: {_changed(one, first.differs)}."
    follows = alignment.pairs[alignment.pairs.index(first) + 1 :][:1]
    if one is not None and follows and follows[0].change is Change.ONLY_RIGHT and follows[0].right is not None:
        return f"They part at {at}: the left run {_does(one)} where the right one {_does(right[follows[0].right])}."
    side, step = ("left", one) if one is not None else ("right", other)
    return f"They part at {at}: only the {side} run {_does(step)}." if step else ""


def _numbers(pair: Pair) -> str:
    """The number of a pair's steps: each run counts its own."""
    numbers = [place + 1 for place in (pair.left, pair.right) if place is not None]
    if len(set(numbers)) == 1:
        return f"step {numbers[0]:,}"
    return f"step {numbers[0]:,} of the left run, {numbers[1]:,} of the right"


def _does(step: Step) -> str:
    if step.kind == "answer":
        return "answers"
    if step.kind == "call":
        return f"calls {step.name or 'an unreadable tool'}"
    said = "message" if step.parts.get("text") else "thought"
    return f"has a {said} of the {step.name}"


def _changed(step: Step, differs: Sequence[str]) -> str:
    if step.kind == "answer":
        return "the answers differ"
    if step.kind == "message":
        return (
            f"the {step.name} message reads differently" if "text" in differs else f"the {step.name} thinks otherwise"
        )
    tool = step.name or "an unreadable tool"
    if "arguments" in differs:
        return f"{tool} is called with other arguments"
    *parts, last = (_WORDS.get(part, f"the {part}") for part in differs)
    listed = f"{', '.join(parts)} and {last} differ" if parts else f"{last} differs"
    return f"{tool} is called alike, but {listed}"


def _pair(pair: Pair, left: Sequence[Step], right: Sequence[Step]) -> PairShown:
    shown = PairShown(change=_CHANGES[pair.change])
    whole = pair.change is not Change.SAME
    if pair.left is not None:
        shown["left"] = _step(pair.left, left[pair.left], pair.differs, whole=whole)
    if pair.right is not None:
        shown["right"] = _step(pair.right, right[pair.right], pair.differs, whole=whole)
    if pair.differs:
        shown["differs"] = [_WORDS.get(part, part) for part in pair.differs]
    return shown


def _step(place: int, step: Step, differs: Sequence[str], *, whole: bool) -> StepShown:
    shown = StepShown(number=place + 1, path=step.path, kind=step.kind)
    if step.name is not None:
        shown["name"] = step.name
    if whole:
        shown["parts"] = [_part(name, value, name in differs) for name, value in step.parts.items()]
    else:
        shown["brief"] = _brief(step)
    return shown


def _part(name: str, value: JSON, differs: bool) -> Part:
    part = Part(name=_WORDS.get(name, name))
    if name == "outcome":
        part["text"], part["tone"] = glossary.OUTCOME[value].word, _TONES[value]
    elif isinstance(value, str):
        part["text"] = value
    else:
        part["json"] = json_text(value)
    if differs:
        part["differs"] = True
    return part


def _brief(step: Step) -> str:
    value = step.parts.get("arguments" if step.kind == "call" else "text")
    if value is None:
        return ""
    return (value if isinstance(value, str) else json_text(value))[:BRIEF]
