"""What a run's time went into: calls, waits between attempts, and nothing that the log knows of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class Figures(TypedDict, total=False):
    """In milliseconds. `wall`: from the first start to the last end; `calls`: while at least one call was open;
    `parallel`: saved because several were; `waits`: between attempts, where known, whatever else ran meanwhile;
    `idle`: while no call was open, nor a chain waiting. Without times only `calls` is known, the latencies together."""

    wall: float
    calls: float
    parallel: float
    waits: float
    idle: float


def figures_of(
    spans: Sequence[tuple[float, float]],
    chains: Sequence[tuple[float, float]],
    waits_ms: Sequence[float],
    *,
    timed: bool,
) -> Figures:
    """The figures of calls and chains that lasted from and to these times, and of the waits within the chains."""
    together = sum(end - start for start, end in spans)
    if not timed or not spans:
        return Figures(calls=together)
    wall = max(end for _, end in spans) - min(start for start, _ in spans)
    covered = _covered(spans)
    return Figures(
        wall=wall, calls=covered, parallel=together - covered, waits=sum(waits_ms), idle=wall - _covered(chains)
    )


def _covered(spans: Sequence[tuple[float, float]]) -> float:
    covered, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        covered += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return covered
