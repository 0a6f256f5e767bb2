"""Two runs as the component shows them: their figures, their steps in pairs, and the sentence on where they part.

Pure: no Streamlit, no clock, no store. A step that both took alike is sent once, as its first words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from app import glossary
from app.components.frontend import TONES, encode_json
from app.formatting import is_number, seconds, token_counts
from app.glossary import Term
from trace_store.comparing import Alignment, Change, Pair, Step, align_steps, list_steps
from trace_store.contract.vocabulary import FAILURE_OUTCOMES
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


class StepData(TypedDict, total=False):
    """A step of one run. `number` counts from 1."""

    number: int
    path: str
    kind: Literal["message", "call", "answer"]
    name: str
    brief: str
    parts: list[Part]


class PairData(TypedDict, total=False):
    """Steps side by side; a side is left out where only the other run has the step. `differs` are names of parts."""

    change: Literal["same", "changed", "left", "right"]
    left: StepData
    right: StepData
    differs: list[str]


class Figure(TypedDict, total=False):
    """One figure of both runs in words, with its tone on each side; `more` is the right number less the left,
    `differs` whether they do, and `literal` that it came out of the runs."""

    name: str
    left: str
    right: str
    left_tone: str
    right_tone: str
    more: str
    differs: bool
    literal: bool


class ComparisonData(TypedDict):
    """`complete`: no bound was met in aligning."""

    left: str
    right: str
    figures: list[Figure]
    parting: str
    complete: bool
    pairs: list[PairData]


_CHANGES: dict[Change, Literal["same", "changed", "left", "right"]] = {
    Change.SAME: "same",
    Change.CHANGED: "changed",
    Change.ONLY_LEFT: "left",
    Change.ONLY_RIGHT: "right",
}
_PART_WORDS = {"tool result": "what the model saw"}


def build_comparison(left: Run, right: Run) -> ComparisonData:
    """Return what the component shows of two runs."""
    one, other = list_steps(left), list_steps(right)
    alignment = align_steps(one, other)
    return ComparisonData(
        left=left.run_id,
        right=right.run_id,
        figures=list_figures(left, right),
        parting=describe_parting(alignment, one, other),
        complete=alignment.complete,
        pairs=[_build_pair(pair, one, other) for pair in alignment.pairs],
    )


def describe_parting(alignment: Alignment, left: Sequence[Step], right: Sequence[Step]) -> str:
    """Return in a sentence where two runs part."""
    first = alignment.first_difference
    if first is None:
        return f"Both runs took the same {len(left):,} {'step' if len(left) == 1 else 'steps'}."
    one = left[first.left] if first.left is not None else None
    other = right[first.right] if first.right is not None else None
    at = _describe_numbers(first)
    if one is not None and other is not None:
        return f"They part at {at}: {_describe_change(one, first.differs)}."
    follows = alignment.pairs[alignment.pairs.index(first) + 1 :][:1]
    if one is not None and follows and follows[0].change is Change.ONLY_RIGHT and follows[0].right is not None:
        instead = right[follows[0].right]
        return f"They part at {at}: the left run {_describe_step(one)} where the right one {_describe_step(instead)}."
    side, step = ("left", one) if one is not None else ("right", other)
    return f"They part at {at}: only the {side} run {_describe_step(step)}." if step else ""


def _describe_numbers(pair: Pair) -> str:
    """Return the number of a pair's steps: each run counts its own."""
    numbers = [index + 1 for index in (pair.left, pair.right) if index is not None]
    if len(set(numbers)) == 1:
        return f"step {numbers[0]:,}"
    return f"step {numbers[0]:,} of the left run, {numbers[1]:,} of the right"


def _describe_step(step: Step) -> str:
    if step.kind == "answer":
        return "answers"
    if step.kind == "call":
        return f"calls {step.name or 'an unreadable tool'}"
    noun = "message" if step.parts.get("text") else "thought"
    return f"has a {noun} of the {step.name}"


def _describe_change(step: Step, differs: Sequence[str]) -> str:
    if step.kind == "answer":
        return "the answers differ"
    if step.kind == "message":
        return (
            f"the {step.name} message reads differently" if "text" in differs else f"the {step.name} thinks otherwise"
        )
    tool = step.name or "an unreadable tool"
    if "arguments" in differs:
        return f"{tool} is called with other arguments"
    *parts, last = (_PART_WORDS.get(part, f"the {part}") for part in differs)
    listed = f"{', '.join(parts)} and {last} differ" if parts else f"{last} differs"
    return f"{tool} is called alike, but {listed}"


def _build_pair(pair: Pair, left: Sequence[Step], right: Sequence[Step]) -> PairData:
    data = PairData(change=_CHANGES[pair.change])
    whole = pair.change is not Change.SAME
    if pair.left is not None:
        data["left"] = _build_step(pair.left, left[pair.left], pair.differs, whole=whole)
    if pair.right is not None:
        data["right"] = _build_step(pair.right, right[pair.right], pair.differs, whole=whole)
    if pair.differs:
        data["differs"] = [_PART_WORDS.get(part, part) for part in pair.differs]
    return data


def _build_step(index: int, step: Step, differs: Sequence[str], *, whole: bool) -> StepData:
    data = StepData(number=index + 1, path=step.path, kind=step.kind)
    if step.name is not None:
        data["name"] = step.name
    if whole:
        data["parts"] = [_build_part(name, value, name in differs) for name, value in step.parts.items()]
    else:
        data["brief"] = _first_words(step)
    return data


def _build_part(name: str, value: JSON, differs: bool) -> Part:
    part = Part(name=_PART_WORDS.get(name, name))
    if name == "outcome":
        outcome = glossary.OUTCOME[value]
        part["text"], part["tone"] = outcome.word, TONES[outcome.colour]
    elif isinstance(value, str):
        part["text"] = value
    else:
        part["json"] = encode_json(value)
    if differs:
        part["differs"] = True
    return part


def _first_words(step: Step) -> str:
    value = step.parts.get("arguments" if step.kind == "call" else "text")
    if value is None:
        return ""
    return (value if isinstance(value, str) else encode_json(value))[:BRIEF]


@dataclass(frozen=True, slots=True)
class _Fact:
    """What one run has: a text, its tone, and the number behind it."""

    text: str
    tone: str = ""
    number: float | None = None
    literal: bool = False


_NOTHING = _Fact("–")


def list_figures(left: Run, right: Run) -> list[Figure]:
    """Return the figures, those that a reviewer asks first before the others."""
    return [_build_figure(name, read(left), read(right)) for name, read in _FIGURES.items()]


def _build_figure(name: str, left: _Fact, right: _Fact) -> Figure:
    figure = Figure(name=name, left=left.text, right=right.text, differs=left != right)
    if left.tone:
        figure["left_tone"] = left.tone
    if right.tone:
        figure["right_tone"] = right.tone
    if left.literal or right.literal:
        figure["literal"] = True
    if left.number is not None and right.number is not None and left.number != right.number:
        figure["more"] = f"{right.number - left.number:+,.{0 if isinstance(right.number, int) else 1}f}"
    return figure


def _from_term(term: Term) -> _Fact:
    return _Fact(term.word, TONES[term.colour] if term.colour != "gray" else "")


def _read_state(run: Run) -> _Fact:
    if run.response_error:
        return _from_term(glossary.RUN["response_error"])
    return _from_term(glossary.RUN["failed"]) if run.failed else _Fact("ended")


def _read_boundary(run: Run) -> _Fact:
    if run.boundary is None:
        return _Fact("nowhere", "ok")
    return _Fact(f"{run.boundary.stage}: {run.boundary.reason}", "bad")


def _read_metadata(key: str) -> Callable[[Run], _Fact]:
    def read(run: Run) -> _Fact:
        value = (run.metadata or {}).get(key)
        return _Fact(value, literal=True) if isinstance(value, str) else _NOTHING

    return read


def _read_count(counted: Callable[[Run], int], tone: str = "") -> Callable[[Run], _Fact]:
    def read(run: Run) -> _Fact:
        number = counted(run)
        return _Fact(f"{number:,}", tone if number else "", number)

    return read


def _read_seconds(milliseconds: Callable[[Run], JSON]) -> Callable[[Run], _Fact]:
    def read(run: Run) -> _Fact:
        value = milliseconds(run)
        return _Fact(seconds(value), number=round(value / 1000, 1)) if is_number(value) else _NOTHING

    return read


def _read_tokens(run: Run) -> _Fact:
    counts = [(run.metadata or {}).get(f"total_{kind}_tokens") for kind in ("input", "output")]
    text = token_counts(*counts)
    return _Fact(text, number=sum(filter(is_number, counts))) if text else _NOTHING


def _read_calls(run: Run) -> _Fact:
    return _Fact(f"{len(run.calls):,}", number=len(run.calls)) if run.has_log else _Fact("no log", "warn")


_FIGURES: dict[str, Callable[[Run], _Fact]] = {
    "judge": lambda run: _from_term(glossary.VERDICT[run.judge_passed]),
    "state": _read_state,
    "first failed at": _read_boundary,
    "answer": lambda run: _NOTHING if run.final_response is None else _Fact(run.final_response, literal=True),
    "task": lambda run: _Fact(run.task_id, literal=True) if run.task_id else _NOTHING,
    "model": _read_metadata("model"),
    "system prompt": _read_metadata("system_prompt_id"),
    "view": lambda run: _from_term(glossary.VIEW[run.view]),
    "calls": _read_calls,
    "failed calls": _read_count(lambda run: sum(call.outcome in FAILURE_OUTCOMES for call in run.calls), "bad"),
    "application errors": _read_count(
        lambda run: sum(call.outcome == "application_error" for call in run.calls), "warn"
    ),
    "retries": _read_count(lambda run: sum(len(chain.calls) - 1 for chain in run.chains), "warn"),
    "lost to retries": _read_seconds(lambda run: sum(chain.wasted_ms for chain in run.chains)),
    "errors found": _read_count(lambda run: sum(finding.severity == "error" for finding in run.findings), "bad"),
    "tokens": _read_tokens,
    "running time": _read_seconds(lambda run: (run.metadata or {}).get("agent_runtime_ms")),
}
