"""From a run to the nearest of its task that ended the other way."""

from __future__ import annotations

import streamlit as st

from app import state, store_reads
from trace_store.model import Run


def show(run: Run) -> None:
    """A button that puts both side by side, where there is such a run."""
    other = store_reads.counterparts((run.run_id,)).get(run.run_id)
    if other is None:
        return
    passed = run.judge_passed is True
    st.button(
        "Compare with a failing run of this task" if passed else "Compare with a passing run of this task",
        key="run-compare",
        icon=":material/compare_arrows:",
        type="tertiary",
        on_click=state.go,
        args=(state.COMPARE_PAGE,),
        kwargs={state.LEFT: run.run_id, state.RIGHT: other},
        help="The nearest that ended the other way: of the same model if there is one, then the nearest in time",
    )
