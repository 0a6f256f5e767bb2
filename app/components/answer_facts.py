"""The facts of a final answer as components show them (R37)."""

from __future__ import annotations

from typing import TypedDict

from trace_store.model import Run


class Fact(TypedDict, total=False):
    """A fact by its place in the answer, in UTF-16 units, which are JavaScript's. `path` is where it was found; a fact
    without one was found nowhere."""

    start: int
    end: int
    path: str


def facts_of(run: Run) -> list[Fact]:
    """The facts of the run's answer in order; none where there was nothing to ground them on."""
    if run.final_response is None or not run.grounding:
        return []
    facts: list[Fact] = []
    units = _Units(run.final_response)
    for entry in run.grounding.facts:
        fact = Fact(start=units.before(entry.start), end=units.before(entry.end))
        if entry.receipt is not None:
            fact["path"] = entry.receipt
        facts.append(fact)
    return facts


class _Units:
    """Counts the UTF-16 units before growing places of a text; those of the contract are code points."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._pairs = 0

    def before(self, place: int) -> int:
        if not self._text.isascii():
            self._pairs += sum(character > "\uffff" for character in self._text[self._at : place])
        self._at = place
        return place + self._pairs
