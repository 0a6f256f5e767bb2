"""What is compared, side by side: the steps of two runs, and the rates of two sets of runs."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import glossary
from app.components.comparison.run_sets import RateGroup, RatesData, build_rates
from app.components.comparison.two_runs import ComparisonData, build_comparison
from app.components.frontend import encode_payload, read_files, read_script

__all__ = [
    "ComparisonData",
    "RateGroup",
    "RatesData",
    "build_comparison",
    "build_rates",
    "draw_comparison",
    "draw_rates",
]

_two_runs = st.components.v2.component(
    "trace_comparison",
    html=read_files("comparison/comparison.html"),
    css=read_files("shared/theme.css", "shared/json_tree.css", "comparison/comparison.css"),
    js=read_script(
        "shared/dom.js",
        "shared/text.js",
        "shared/format.js",
        "shared/json_text.js",
        "shared/json_scan.js",
        "shared/json_tree.js",
        "shared/virtual_list.js",
        "comparison/word_marks.js",
        "comparison/pairs.js",
        "comparison/comparison.js",
    ),
)
_run_sets = st.components.v2.component(
    "trace_rates",
    html=read_files("comparison/rates.html"),
    css=read_files("shared/theme.css", "comparison/rates.css"),
    js=read_script(
        "shared/dom.js", "shared/text.js", "shared/format.js", "comparison/rates.js", difference=glossary.DIFFERENCE
    ),
)


def draw_comparison(
    data: ComparisonData, *, height: int = 720, key: str = "comparison", on_jump: Callable[[], None] | None = None
) -> None:
    """Draw two runs: their figures, and their steps in at most `height` pixels. `on_jump` runs before the page does,
    when the reader wants to see a step in its run: the trigger `jump` of the state `key` then has `run` and `path`."""
    _two_runs(data=encode_payload(data, height=height), key=key, on_jump_change=on_jump or (lambda: None))


def draw_rates(data: RatesData, *, key: str = "rates", on_open: Callable[[], None] | None = None) -> None:
    """Draw the rates of two sets of runs. `on_open` runs before the page does, when the reader has clicked a count:
    the trigger `open` of the state `key` then has `side` (0 or 1) and `term`, which narrows that side's query."""
    _run_sets(data=encode_payload(data), key=key, on_open_change=on_open or (lambda: None))
