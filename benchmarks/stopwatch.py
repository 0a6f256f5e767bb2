"""The time that a block takes: on the wall, and of the processors.

The processors' seconds are those of this process and of the processes that it started and that have ended. They are
what to compare on a machine that others use; what several processes share out shows on the wall.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Elapsed:
    """Seconds: on the wall, and of the processors."""

    wall_s: float = 0.0
    cpu_s: float = 0.0

    def __add__(self, other: Elapsed) -> Elapsed:
        return Elapsed(self.wall_s + other.wall_s, self.cpu_s + other.cpu_s)


@contextmanager
def stopwatch() -> Iterator[Elapsed]:
    """Measure the block; the yielded object is filled in when the block ends."""
    elapsed, wall, cpu = Elapsed(), time.perf_counter(), _cpu_s()
    yield elapsed
    elapsed.wall_s, elapsed.cpu_s = time.perf_counter() - wall, _cpu_s() - cpu


def best(times: Iterable[Elapsed]) -> Elapsed:
    """Return the least of several, each clock by itself: what disturbs a run only ever adds."""
    every = list(times)
    return Elapsed(min(elapsed.wall_s for elapsed in every), min(elapsed.cpu_s for elapsed in every))


def _cpu_s() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime
