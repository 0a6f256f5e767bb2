"""What runs, and sets of runs, have in common and where they part: pure functions of runs and of counts."""

from trace_store.comparing.alignment import Alignment, Change, Pair, aligned
from trace_store.comparing.intervals import Comparison, Difference, Share, compared, difference, interval
from trace_store.comparing.steps import Step, steps_of

__all__ = [
    "Alignment",
    "Change",
    "Comparison",
    "Difference",
    "Pair",
    "Share",
    "Step",
    "aligned",
    "compared",
    "difference",
    "interval",
    "steps_of",
]
