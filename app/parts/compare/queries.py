"""Two sets of runs: how often each passes, fails and meets what, and which differences chance does not explain."""

from __future__ import annotations

import streamlit as st

from app import render, state, store_reads
from app.components.comparison import rates_compared, rates_data
from app.parts.compare import start
from trace_store.errors import QueryError
from trace_store.store import Rates
from trace_store.store.query.editing import narrow

_KEY = "compare-rates"
FEW_RUNS = 30


def show(query: str, against: str) -> None:
    """The rates of the runs of `query` beside those of `against`."""
    start.queries_form(query, against, on_a_line=True)
    left, right = _read(query), _read(against)
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
            help="The left query to the right, and the other way round",
        )
        start.again()
    if not left.runs or not right.runs:
        side = "left" if not left.runs else "right"
        render.empty(f"No run matches the {side} query.", "Take a term away, or look at the query on the Runs page.")
        return
    _cautions(left, right, store_reads.shared(query, against))
    rates_compared(rates_data((query, against), left, right), key=_KEY, on_open=lambda: _opened(query, against))


def _read(query: str) -> Rates | None:
    try:
        return store_reads.rates(query)
    except QueryError as error:
        render.query_problem(query, error)
        return None


def _cautions(left: Rates, right: Rates, both: int) -> None:
    if both:
        render.sentence(
            f"**{render.counted(both, 'run')}** on both sides: the intervals are for sets that share none, "
            "so that they say less here."
        )
    if min(left.runs, right.runs) < FEW_RUNS:
        render.note("With so few runs, only large differences can be told from chance.")
    render.note(
        "Every row is a question of its own, and of twenty such questions one answers yes by chance. "
        "Higher and lower hold for all rows together (Holm); what only holds by itself says so. "
        "A click on a count opens its runs."
    )


def _opened(query: str, against: str) -> None:
    wanted = st.session_state[_KEY].get("open")
    if isinstance(wanted, dict) and wanted.get("side") in (0, 1) and isinstance(wanted.get("term"), str):
        asked = (query, against)[wanted["side"]]
        # In parentheses: a call that the query asks for need not be the call that the row counts.
        apart = f"({asked})" if asked and wanted["term"].startswith("(") else asked
        state.go(state.RUNS_PAGE, q=narrow(apart, wanted["term"]))
