"""The Compare page: two runs step by step, two sets of runs by their rates, or a task by its repeats."""

from __future__ import annotations

import streamlit as st

from app import cache, render, state
from app.parts.compare.choice import show_queries_form, show_runs_form, show_suggestions, suggested_comparisons
from app.parts.compare.comparisons import show_two_queries, show_two_runs
from app.parts.compare.repeats import show_task, show_tasks


def show() -> None:
    state.carry_query("compare")
    render.title("Compare", "What changed: between two runs, between two sets of runs, or from repeat to repeat.")
    if cache.read(state.store().figures.totals, "").runs == 0:
        render.empty_store("There is nothing to compare yet.")
        return
    left, right = state.param(state.LEFT), state.param(state.RIGHT)
    query, against = state.param(state.QUERY), state.param(state.AGAINST)
    if left or right:
        show_two_runs(left, right)
    elif against:
        show_two_queries(query, against)
    elif task := state.param(state.TASK):
        show_task(task)
    else:
        _start(query)


def _start(query: str) -> None:
    """Draw all three ways into a comparison, for a reader who has chosen none."""
    runs, queries = st.columns(2, gap="medium")
    with runs:
        show_runs_form()
    with queries:
        show_queries_form(query, "")
    show_suggestions(suggested_comparisons())
    show_tasks(query)


show()
