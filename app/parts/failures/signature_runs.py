"""The chosen signature: its runs, and what can be done with all of them at once."""

from __future__ import annotations

import streamlit as st

from app import glossary, render, state, store_reads
from app.parts.failures import breakdown, signature_review
from app.parts.failures.signature_table import Chosen
from app.parts.table import columns, run_list
from trace_store.store.query.editing import narrow

FIRST = 10
"""Runs of the signature that are shown here; the page of runs has them all."""
SORT = "-started"
ROOM_PX = 1170

COLUMNS = ("run_id", "verdict", "answer", "model", "started", "review")


def show(query: str, chosen: Chosen) -> None:
    """The runs of `chosen` among those that `query` finds. Raises QueryError."""
    own = narrow(query, chosen.terms)
    with st.container(key="signature", border=True, gap="small"):
        _head(own, chosen)
        signature_review.show_outcome()
        page = store_reads.page("runs", own, SORT, FIRST, 0)
        frame = run_list.frame(page.rows)
        ids = [str(row["run_id"]) for row in page.rows]

        def opened(row: int, column: str | None) -> None:
            state.go(state.RUN_PAGE, run=ids[row], q=own, sort=SORT)

        shown = columns.telling(frame, COLUMNS, ("run_id",))
        fitted = columns.fitted(run_list.COLUMNS, shown, {"run_id": 1, "answer": 4}, ROOM_PX)
        breakdown.table("signature-runs", frame[shown], fitted, opened)
        render.note(
            f"{len(ids):,} of {render.counted(page.total, 'run')}, the latest first. A click opens one; "
            "J and K walk through all of them."
        )


def _head(own: str, chosen: Chosen) -> None:
    at = glossary.BOUNDARY[str(chosen.stage)].word
    tool = f" in {render.literal(chosen.tool)}" if chosen.tool is not None else ""
    error_class = f" with {render.literal(chosen.error_class)}" if chosen.error_class is not None else ""
    reviewed = f"{chosen.reviewed:,} reviewed" if chosen.reviewed else "none reviewed"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="signature-head"):
        with st.container(width="stretch"):
            render.sentence(
                f"**{render.counted(chosen.runs, 'run')}** failed at **{at}**{tool}{error_class}, {reviewed}"
            )
        st.button(
            "Show these runs",
            key="signature-show",
            icon=":material/list:",
            help="The page of runs, filtered to this signature.",
            on_click=state.go,
            args=(state.RUNS_PAGE,),
            kwargs={"q": own},
        )
        signature_review.show(own, chosen)
        st.button(
            "Close",
            key="signature-close",
            type="tertiary",
            help="Choose no signature.",
            on_click=state.write,
            kwargs={state.SIGNATURE: None},
        )
