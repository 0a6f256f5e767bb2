"""The Compare page: two runs step by step, two sets of runs by their rates, or a task by its repeats."""

from __future__ import annotations

import streamlit as st

from app import reading, render, state
from app.parts import compare_queries, compare_repeats, compare_runs, compare_start


def show() -> None:
    state.carry_query("compare")
    render.title("Compare", "What changed: between two runs, between two sets of runs, or from repeat to repeat.")
    if reading.totals("").runs == 0:
        render.empty("There is nothing to compare yet.", "Import some runs on the Runs page.")
        st.button("To the runs", key="primary-to-the-runs", type="primary", on_click=state.go, args=(state.RUNS_PAGE,))
        return
    left, right = state.param(state.LEFT), state.param(state.RIGHT)
    query, against = state.param(state.QUERY), state.param(state.AGAINST)
    if left or right:
        compare_runs.show(left, right)
    elif against:
        compare_queries.show(query, against)
    elif task := state.param(state.TASK):
        compare_repeats.show_task(task)
    else:
        _start(query)


def _start(query: str) -> None:
    """All three ways, for a reader who has chosen none."""
    runs, queries = st.columns(2, gap="medium")
    with runs:
        compare_start.runs_form()
    with queries:
        compare_start.queries_form(query, "")
    compare_start.show_examples(compare_start.examples())
    compare_repeats.show_list(query)


show()
