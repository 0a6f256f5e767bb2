"""What is compared, side by side: the steps of two runs, and the rates of two sets of runs."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.components.assets import source
from app.components.comparison.data import ComparisonData, comparison_data
from app.components.comparison.rates_data import RateGroup, RatesData, rates_data
from app.components.payload import payload

__all__ = [
    "ComparisonData",
    "RateGroup",
    "RatesData",
    "comparison_data",
    "rates_compared",
    "rates_data",
    "runs_compared",
]

_runs = st.components.v2.component(
    "trace_comparison",
    html=source("comparison/comparison.html"),
    css=source("shared/theme.css", "comparison/comparison.css"),
    js=source(
        "shared/dom.js",
        "shared/literal.js",
        "shared/words.js",
        "shared/json_text.js",
        "shared/direction.js",
        "shared/virtual_list.js",
        "comparison/word_marks.js",
        "comparison/figures.js",
        "comparison/pairs.js",
        "comparison/comparison.js",
    ),
)
_rates = st.components.v2.component(
    "trace_rates",
    html=source("comparison/rates.html"),
    css=source("shared/theme.css", "comparison/rates.css"),
    js=source("shared/dom.js", "shared/literal.js", "shared/words.js", "comparison/rates.js"),
)


def runs_compared(
    data: ComparisonData, *, height: int = 720, key: str = "comparison", on_jump: Callable[[], None] | None = None
) -> None:
    """Draws two runs: their figures, and their steps in at most `height` pixels. `on_jump` runs before the page does,
    when the reader wants to see a step in its run: the trigger `jump` of the state `key` then has `run` and `path`."""
    _runs(data=payload(data, height=height), key=key, on_jump_change=on_jump or (lambda: None))


def rates_compared(data: RatesData, *, key: str = "rates", on_open: Callable[[], None] | None = None) -> None:
    """Draws the rates of two sets of runs. `on_open` runs before the page does, when the reader has clicked a count:
    the trigger `open` of the state `key` then has `side` (0 or 1) and `term`, which narrows that side's query."""
    _rates(data=payload(data), key=key, on_open_change=on_open or (lambda: None))
