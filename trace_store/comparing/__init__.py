"""What runs, and sets of runs, have in common and where they part: pure functions of runs and of counts."""

from trace_store.comparing.alignment import Alignment, Change, Pair, align_steps
from trace_store.comparing.intervals import Comparison, Difference, Share, compare_rates, difference, interval
from trace_store.comparing.steps import Step, list_steps

__all__ = [
    "Alignment",
    "Change",
    "Comparison",
    "Difference",
    "Pair",
    "Share",
    "Step",
    "align_steps",
    "compare_rates",
    "difference",
    "interval",
    "list_steps",
]
