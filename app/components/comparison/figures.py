"""The figures of two runs beside each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

from app import glossary
from app.formatting import is_number, seconds, token_counts
from app.glossary import Colour, Term
from trace_store.model import JSON, Run


class Figure(TypedDict, total=False):
    """One figure of both runs in words, with its tone on each side; `more` is how the right number stands to the left,
    `differs` whether they do, and `literal` that it came out of the runs."""

    name: str
    left: str
    right: str
    left_tone: str
    right_tone: str
    more: str
    differs: bool
    literal: bool


@dataclass(frozen=True, slots=True)
class _Said:
    """What one run says: a text, its tone, and the number behind it."""

    text: str
    tone: str = ""
    number: float | None = None
    literal: bool = False


_TONES: dict[Colour, str] = {
    "green": "ok",
    "yellow": "warn",
    "red": "bad",
    "violet": "injected",
    "orange": "undeclared",
}
_NOTHING = _Said("–")


def figures_of(left: Run, right: Run) -> list[Figure]:
    """The figures, those that a reviewer asks first before the others."""
    return [_figure(name, read(left), read(right)) for name, read in _FIGURES.items()]


def _figure(name: str, left: _Said, right: _Said) -> Figure:
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


def _term(term: Term) -> _Said:
    return _Said(term.word, _TONES.get(term.colour, ""))


def _state(run: Run) -> _Said:
    if run.response_error:
        return _term(glossary.RUN["response_error"])
    return _term(glossary.RUN["failed"]) if run.failed else _Said("ended")


def _boundary(run: Run) -> _Said:
    if run.boundary is None:
        return _Said("nowhere", "ok")
    return _Said(f"{run.boundary.stage}: {run.boundary.reason}", "bad")


def _named(key: str) -> Callable[[Run], _Said]:
    def read(run: Run) -> _Said:
        value = (run.metadata or {}).get(key)
        return _Said(value, literal=True) if isinstance(value, str) else _NOTHING

    return read


def _count(counted: Callable[[Run], int], tone: str = "") -> Callable[[Run], _Said]:
    def read(run: Run) -> _Said:
        number = counted(run)
        return _Said(f"{number:,}", tone if number else "", number)

    return read


def _seconds(milliseconds: Callable[[Run], JSON]) -> Callable[[Run], _Said]:
    def read(run: Run) -> _Said:
        value = milliseconds(run)
        return _Said(seconds(value), number=round(value / 1000, 1)) if is_number(value) else _NOTHING

    return read


def _tokens(run: Run) -> _Said:
    counts = [(run.metadata or {}).get(f"total_{kind}_tokens") for kind in ("input", "output")]
    text = token_counts(*counts)
    return _Said(text, number=sum(filter(is_number, counts))) if text else _NOTHING


def _calls(run: Run) -> _Said:
    return _Said(f"{len(run.calls):,}", number=len(run.calls)) if run.has_log else _Said("no log", "warn")


_FIGURES: dict[str, Callable[[Run], _Said]] = {
    "judge": lambda run: _term(glossary.VERDICT[run.judge_passed]),
    "state": _state,
    "first failed at": _boundary,
    "answer": lambda run: _NOTHING if run.final_response is None else _Said(run.final_response, literal=True),
    "task": lambda run: _Said(run.task_id, literal=True) if run.task_id else _NOTHING,
    "model": _named("model"),
    "system prompt": _named("system_prompt_id"),
    "view": lambda run: _term(glossary.VIEW[run.view]),
    "calls": _calls,
    "failed calls": _count(
        lambda run: sum(call.outcome in {"failed", "injected_failure"} for call in run.calls), "bad"
    ),
    "retries": _count(lambda run: sum(len(chain.calls) - 1 for chain in run.chains), "warn"),
    "lost to retries": _seconds(lambda run: sum(chain.wasted_ms for chain in run.chains)),
    "errors found": _count(lambda run: sum(finding.severity == "error" for finding in run.findings), "bad"),
    "tokens": _tokens,
    "running time": _seconds(lambda run: (run.metadata or {}).get("agent_runtime_ms")),
}
