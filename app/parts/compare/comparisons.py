"""Two runs step by step, or two sets of runs by their rates."""

from __future__ import annotations

import streamlit as st

from app import cache, render, state
from app.components.comparison import build_rates, draw_comparison, draw_rates
from app.parts.compare.choice import show_back_to_choice, show_queries_form, show_runs_form
from app.parts.run.panels import panel_of
from trace_store.errors import NotFoundError, QueryError
from trace_store.store import Rates
from trace_store.store.query.editing import add_query

_STEPS = "compare-steps"
_STEPS_PX = 640


def show_two_runs(left_id: str, right_id: str) -> None:
    """Draw the comparison of the two runs; where one is not chosen or not there, the way to choose it."""
    if not (left_id and right_id):
        render.note("One run is chosen. Choose another one to compare it with.")
        show_runs_form(left_id, right_id)
        return
    try:
        data = cache.comparison(left_id, right_id)
        task = cache.run(left_id).task_id
    except NotFoundError as error:
        render.problem(error, heading="This run is not in the store")
        show_runs_form(left_id, right_id)
        return
    with st.container(key="compare-doing", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Swap sides",
            key="compare-swap",
            icon=":material/swap_horiz:",
            type="tertiary",
            on_click=state.write,
            kwargs={state.LEFT: right_id, state.RIGHT: left_id},
            help="Swap the left and the right run",
        )
        if task:
            st.button(
                "All runs of the task",
                key="compare-to-task",
                icon=":material/repeat:",
                type="tertiary",
                on_click=state.write,
                kwargs={state.LEFT: None, state.RIGHT: None, state.TASK: task},
                help="The task of the left run: how often it passed, run by run",
            )
        show_back_to_choice()
    if left_id == right_id:
        render.note("Both sides are the same run.")
    draw_comparison(data, height=_STEPS_PX, key=_STEPS, on_jump=_on_jump)


def _on_jump() -> None:
    jump = st.session_state[_STEPS].get("jump")
    if isinstance(jump, dict) and isinstance(jump.get("path"), str) and isinstance(jump.get("run"), str):
        state.go(state.RUN_PAGE, run=jump["run"], panel=panel_of(jump["path"]), step=jump["path"])


_RATES = "compare-rates"
FEW_RUNS = 30


def show_two_queries(query: str, against: str) -> None:
    """Draw the rates of the runs of `query` beside those of `against`."""
    show_queries_form(query, against, on_a_line=True)
    left, right = _read_rates(query), _read_rates(against)
    if left is None or right is None:
        return
    with st.container(key="compare-doing", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Swap sides",
            key="compare-swap",
            icon=":material/swap_horiz:",
            type="tertiary",
            on_click=state.write,
            kwargs={state.QUERY: against, state.AGAINST: query},
            disabled=not query,
            help="Swap the left and the right query",
        )
        show_back_to_choice()
    if not left.runs or not right.runs:
        side = "left" if not left.runs else "right"
        render.empty(f"No run matches the {side} query.", "Remove a filter, or look at the query on the Runs page.")
        return
    _show_cautions(left, right, cache.read(state.store().figures.common_runs, query, against))
    draw_rates(build_rates((query, against), left, right), key=_RATES, on_open=lambda: _on_rate_opened(query, against))


def _read_rates(query: str) -> Rates | None:
    try:
        return cache.read(state.store().figures.rates, query)
    except QueryError as error:
        render.query_problem(query, error)
        return None


def _show_cautions(left: Rates, right: Rates, both: int) -> None:
    if both:
        render.sentence(
            f"**{render.counted(both, 'run')}** on both sides: the intervals assume that the sides share none, "
            "so they are less reliable here."
        )
    if min(left.runs, right.runs) < FEW_RUNS:
        render.note("With so few runs, only large differences can be told from chance.")
    render.note(
        "Every row is a test of its own, and about one in twenty such tests finds a difference by chance. "
        "Higher and lower are corrected for that (Holm); a difference that only holds on its own says so. "
        "Click a count to open its runs."
    )


def _on_rate_opened(query: str, against: str) -> None:
    wanted = st.session_state[_RATES].get("open")
    if isinstance(wanted, dict) and wanted.get("side") in (0, 1) and isinstance(wanted.get("term"), str):
        side_query = (query, against)[wanted["side"]]
        # In parentheses: a call that the query asks for need not be the call that the row counts.
        apart = f"({side_query})" if side_query and wanted["term"].startswith("(") else side_query
        state.go(state.RUNS_PAGE, q=add_query(apart, wanted["term"]))
