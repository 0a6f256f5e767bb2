"""What a run's time went into: calls, waits between attempts, and nothing that the log knows of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class Figures(TypedDict, total=False):
    """In milliseconds. `wall`: from the first start to the last end; `calls`: while at least one call was open;
    `parallel`: saved because several were, `waits`: between attempts, where known; `idle`: neither. Without times
    only `calls` is known, the latencies together."""

    wall: float
    calls: float
    parallel: float
    waits: float
    idle: float


def figures_of(spans: Sequence[tuple[float, float]], waits_ms: Sequence[float], *, timed: bool) -> Figures:
    """The figures of calls that lasted from and to these times. Waits count as such where no other call was open."""
    together = sum(end - start for start, end in spans)
    if not timed or not spans:
        return Figures(calls=together)
    wall = max(end for _, end in spans) - min(start for start, _ in spans)
    covered = _covered(spans)
    waits = min(sum(waits_ms), wall - covered)
    return Figures(
        wall=wall, calls=covered, parallel=together - covered, waits=waits, idle=max(0.0, wall - covered - waits)
    )


def _covered(spans: Sequence[tuple[float, float]]) -> float:
    covered, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        covered += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return covered
