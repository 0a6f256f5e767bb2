"""The Failures page: what failed, by signature, over time, by layer, tool, source and rule, and what retries did."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import LiteralString

import pandas as pd
import streamlit as st

from app import cache, glossary, render, state
from app.formatting import percent, seconds
from app.glossary import Term
from app.parts.failures.breakdowns import show_error_classes, show_retries, show_sources_and_rules, show_tools
from app.parts.failures.charts import show_runs_over_time
from app.parts.failures.signatures import show_signature, show_signatures
from app.parts.table.cells import APPLICATION_ERRORS, FAILED, open_list
from app.parts.table.query_bar import show_query_bar
from trace_store.errors import QueryError
from trace_store.store import FailureTable

FIRST: tuple[FailureTable, ...] = ("figures", "signatures", "over_time")
"""What the page shows in any case."""

SECTIONS = ("Classes", "Tools", "Retries", "Sources and rules")

_TABLES: dict[str, tuple[FailureTable, ...]] = {
    "Classes": ("run_classes", "envelope_classes", "tools_by_class"),
    "Retries": ("chains", "attempts"),
    "Sources and rules": ("sources", "rules"),
}
_KEY = "failures-section"


def show() -> None:
    state.carry_query("failures")
    render.title("Failures", "Which failures belong together, how often they occur, and what retries achieved.")
    if cache.read(state.store().figures.totals, "").runs == 0:
        render.empty_store("There are no failures yet.")
        return
    query = show_query_bar()
    section = state.param(state.SECTION, SECTIONS[0])
    section = section if section in SECTIONS else SECTIONS[0]
    try:
        runs = cache.read(state.store().figures.totals, query).runs
        if runs == 0:
            render.empty("Nothing matches this query.", "Remove a filter, or clear the query.")
            return
        # One read for all that is open: its statements run side by side.
        tables = cache.failure_tables(query, *FIRST, *_TABLES.get(section, ()))
        _head(query, tables["figures"].iloc[0], int(tables["signatures"]["runs"].sum()), runs)
        selected = show_signatures(query, tables["signatures"], runs)
        if selected is not None:
            show_signature(query, selected)
        elif state.param(state.SIGNATURE):
            render.note("No run of this query has the failure signature of this link.")
        show_runs_over_time(query, tables["over_time"])
        st.segmented_control(
            "Breakdowns",
            SECTIONS,
            key=state.bound(_KEY, section),
            on_change=_section_chosen,
            required=True,
            label_visibility="collapsed",
            help="The same failures, counted in other ways.",
        )
        _section(query, section, tables)
    except QueryError as error:
        render.query_problem(query, error)


def _head(query: str, figures: pd.Series, at_boundary: int, runs: int) -> None:
    calls, failures = int(figures["calls"]), int(figures["failures"])
    rate = f" ({percent(failures, calls, 1)})"
    lost = f", {seconds(figures['wasted_ms'])} lost"
    retries = render.counted(int(figures["retries"]), "retry", "retries")
    with st.container(key="failure-figures", horizontal=True, gap="small"):
        _figure(
            f"**{at_boundary:,}** of {render.counted(runs, 'run')} failed at a boundary",
            glossary.COUNT["at_boundary"],
            partial(open_list, state.RUNS_PAGE, query, "boundary:*"),
        )
        _figure(
            f"**{failures:,}** of {render.counted(calls, 'call')} failed{rate if calls else ''}",
            glossary.COUNT["failures"],
            partial(open_list, state.CALLS_PAGE, query, FAILED),
        )
        if errors := int(figures["application_errors"]):
            _figure(
                f"**{render.counted(errors, 'application error')}**",
                glossary.COUNT["application_errors"],
                partial(open_list, state.CALLS_PAGE, query, APPLICATION_ERRORS),
            )
        _figure(
            f"in **{int(figures['failed_in']):,}** of {render.counted(int(figures['runs']), 'run')} with calls",
            glossary.COUNT["failed_in"],
            partial(open_list, state.RUNS_PAGE, query, FAILED),
        )
        _figure(
            f"**{retries}**{lost if figures['wasted_ms'] else ''}",
            glossary.COUNT["retries"],
            partial(open_list, state.CALLS_PAGE, query, "attempt>1"),
        )


def _figure(label: LiteralString, term: Term, on_click: Callable[[], None]) -> None:
    st.button(label, help=f"{term.meaning} Click to see them.", on_click=on_click, width="stretch")


def _section(query: str, section: str, tables: dict[FailureTable, pd.DataFrame]) -> None:
    shown: dict[str, Callable[[], None]] = {
        "Classes": partial(show_error_classes, query, tables),
        "Tools": partial(show_tools, query),
        "Retries": partial(show_retries, query, tables),
        "Sources and rules": partial(show_sources_and_rules, query, tables),
    }
    with st.container(key=f"section-{SECTIONS.index(section)}", gap="small"):
        shown[section]()


def _section_chosen() -> None:
    state.write(section=st.session_state[_KEY])


show()
