"""Two runs side by side: what differs in their figures, where they part, and every step of both."""

from __future__ import annotations

import streamlit as st

from app import render, state, store_reads
from app.components.comparison import runs_compared
from app.parts.compare import start
from app.parts.run.findings_panel import panel_of
from trace_store.errors import NotFoundError

_KEY = "compare-steps"
_STEPS_PX = 640


def show(left_id: str, right_id: str) -> None:
    """The comparison of the two runs; where one is not chosen or not there, the way to choose it."""
    if not (left_id and right_id):
        render.note("One run is chosen: choose the one to hold it against.")
        start.runs_form(left_id, right_id)
        return
    try:
        data = store_reads.comparison(left_id, right_id)
        task = store_reads.run(left_id).task_id
    except NotFoundError as error:
        render.problem(error, heading="This run is not in the store")
        start.runs_form(left_id, right_id)
        return
    with st.container(key="compare-doing", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Swap sides",
            key="compare-swap",
            icon=":material/swap_horiz:",
            type="tertiary",
            on_click=state.write,
            kwargs={state.LEFT: right_id, state.RIGHT: left_id},
            help="The left run to the right, and the other way round",
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
        start.again()
    if left_id == right_id:
        render.note("Both sides are the same run.")
    runs_compared(data, height=_STEPS_PX, key=_KEY, on_jump=_jumped)


def _jumped() -> None:
    jump = st.session_state[_KEY].get("jump")
    if isinstance(jump, dict) and isinstance(jump.get("path"), str) and isinstance(jump.get("run"), str):
        state.go(state.RUN_PAGE, run=jump["run"], panel=panel_of(jump["path"]), step=jump["path"])
