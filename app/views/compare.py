"""The Compare page: two runs step by step, two sets of runs by their rates, or a task by its repeats."""

from __future__ import annotations

import streamlit as st

from app import render, state, store_reads
from app.parts.compare import queries as compare_queries
from app.parts.compare import repeats, start, two_runs


def show() -> None:
    state.carry_query("compare")
    render.title("Compare", "What changed: between two runs, between two sets of runs, or from repeat to repeat.")
    if store_reads.totals("").runs == 0:
        render.empty("There is nothing to compare yet.", "Import some runs on the Runs page.")
        st.button("To the runs", key="primary-to-the-runs", type="primary", on_click=state.go, args=(state.RUNS_PAGE,))
        return
    left, right = state.param(state.LEFT), state.param(state.RIGHT)
    query, against = state.param(state.QUERY), state.param(state.AGAINST)
    if left or right:
        two_runs.show(left, right)
    elif against:
        compare_queries.show(query, against)
    elif task := state.param(state.TASK):
        repeats.show_task(task)
    else:
        _start(query)


def _start(query: str) -> None:
    """All three ways, for a reader who has chosen none."""
    runs, queries = st.columns(2, gap="medium")
    with runs:
        start.runs_form()
    with queries:
        start.queries_form(query, "")
    start.show_examples(start.examples())
    repeats.show_list(query)


show()
