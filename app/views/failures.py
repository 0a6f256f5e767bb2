"""The Failures page: what failed, by signature, over time, by layer, tool, source and rule, and what retries did."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import LiteralString

import pandas as pd
import streamlit as st

from app import render, state, store_reads
from app.formatting import percent, seconds
from app.parts.failures import breakdown, layers, over_time, retries, signature_runs, signature_table, tool_table
from app.parts.table import query_bar
from trace_store.errors import QueryError
from trace_store.store import FailureTable
from trace_store.store.query.editing import term

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
    render.title("Failures", "Which failures are the same one, how often it failed, and what retries did about it.")
    if store_reads.totals("").runs == 0:
        render.empty("There is nothing that could have failed yet.", "Import some runs on the Runs page.")
        st.button("To the runs", key="primary-to-the-runs", type="primary", on_click=state.go, args=(state.RUNS_PAGE,))
        return
    query = query_bar.show()
    section = state.param(state.SECTION, SECTIONS[0])
    section = section if section in SECTIONS else SECTIONS[0]
    try:
        runs = store_reads.totals(query).runs
        if runs == 0:
            render.empty("Nothing matches this query.", "Take a term away, or clear the query.")
            return
        # One read for all that is open: its statements run side by side.
        tables = store_reads.failure_tables(query, *FIRST, *_TABLES.get(section, ()))
        _head(query, tables["figures"].iloc[0], int(tables["signatures"]["runs"].sum()), runs)
        chosen = signature_table.show(tables["signatures"], runs)
        if chosen is not None:
            signature_runs.show(query, chosen)
        elif state.param(state.SIGNATURE):
            render.note("The signature that this link names is not among the runs of this query.")
        over_time.show(query, tables["over_time"])
        st.segmented_control(
            "Breakdowns",
            SECTIONS,
            key=state.bound(_KEY, section),
            on_change=_section_chosen,
            required=True,
            label_visibility="collapsed",
            help="The same failures, counted otherwise.",
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
            "Runs in which something first went wrong at a boundary (R38)",
            partial(breakdown.open_list, state.RUNS_PAGE, query, "boundary:*"),
        )
        _figure(
            f"**{failures:,}** of {render.counted(calls, 'call')} failed{rate if calls else ''}",
            "Logged calls that failed, injected ones included (R19)",
            partial(breakdown.open_list, state.CALLS_PAGE, query, breakdown.FAILED),
        )
        _figure(
            f"in **{int(figures['failed_in']):,}** of {render.counted(int(figures['runs']), 'run')} with calls",
            "Runs in which a call failed",
            partial(breakdown.open_list, state.RUNS_PAGE, query, breakdown.FAILED),
        )
        _figure(
            f"**{retries}**{lost if figures['wasted_ms'] else ''}",
            "Attempts after the first of their chain, and the time until the last of them (R25, R27)",
            partial(breakdown.open_list, state.CALLS_PAGE, query, "attempt>1"),
        )


def _figure(label: LiteralString, meaning: LiteralString, opened: Callable[[], None]) -> None:
    st.button(label, help=f"{meaning}. Click to see them.", on_click=opened, width="stretch")


def _section(query: str, section: str, tables: dict[FailureTable, pd.DataFrame]) -> None:
    shown: dict[str, Callable[[], None]] = {
        "Classes": partial(layers.show, query, tables),
        "Tools": partial(tool_table.show, query),
        "Retries": partial(retries.show, query, tables),
        "Sources and rules": partial(_sources_and_rules, query, tables),
    }
    with st.container(key=f"section-{SECTIONS.index(section)}", gap="small"):
        shown[section]()


def _section_chosen() -> None:
    state.write(section=st.session_state[_KEY])


def _sources_and_rules(query: str, tables: dict[FailureTable, pd.DataFrame]) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        _sources(query, tables["sources"])
    with right:
        _rules(query, tables["rules"])


def _sources(query: str, sources: pd.DataFrame) -> None:
    render.heading("Sources", help="Who answered: the simulator, a failure rule, the live tool, or nobody (R17).")
    if sources.empty:
        render.note("No call is logged in what the query finds.")
        return
    kept = sources.head(breakdown.MOST_ROWS)
    values = [breakdown.stored(value) for value in kept["source"]]
    shown = pd.DataFrame(
        {
            "source": [breakdown.named(value) for value in values],
            "family": [value or "unknown" for value in map(breakdown.stored, kept["family"])],
            "calls": kept["calls"],
            "failures": kept["failures"],
        }
    )
    columns = {
        "source": st.column_config.TextColumn("Source"),
        "family": st.column_config.TextColumn("Family", width=90),
        "calls": st.column_config.NumberColumn("Calls", width=70),
        "failures": st.column_config.NumberColumn("Failed", width=70, help="A click opens these alone."),
    }

    def opened(row: int, column: str | None) -> None:
        only = [breakdown.FAILED] if column == "failures" else []
        breakdown.open_list(state.CALLS_PAGE, query, *only, term("source", values[row]))

    breakdown.table("sources", shown, columns, opened)
    breakdown.cut(len(kept), len(sources), "Those with the most calls are shown.")


def _rules(query: str, rules: pd.DataFrame) -> None:
    render.heading("Failure rules that fired", help="By their index; 0 is a rule. These failures are deliberate (R20).")
    if rules.empty:
        render.note("No failure rule fired in what the query finds.")
        return
    kept = rules.head(breakdown.MOST_ROWS)
    indexes = [int(rule) for rule in kept["rule"]]
    shown = pd.DataFrame({"rule": indexes, "runs": kept["runs"], "calls": kept["calls"]})
    columns = {
        "rule": st.column_config.NumberColumn("Rule", format="%d"),
        "runs": st.column_config.NumberColumn("Runs", width=90, help="A click opens the runs."),
        "calls": st.column_config.NumberColumn("Calls", width=90, help="A click opens the calls."),
    }

    def opened(row: int, column: str | None) -> None:
        page = state.RUNS_PAGE if column == "runs" else state.CALLS_PAGE
        breakdown.open_list(page, query, f"rule:{indexes[row]}")

    breakdown.table("rules", shown, columns, opened)
    breakdown.cut(len(kept), len(rules), "Those with the lowest indexes are shown.")


show()
