"""The Actors page: which actors made calls over all runs, and which of them are undeclared."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import cache, glossary, render, state
from app.parts.actors import show_actor_tree, show_undeclared_labels
from app.parts.table.cells import open_list
from app.parts.table.query_bar import show_query_bar
from trace_store.errors import QueryError


def show() -> None:
    state.carry_query("actors")
    render.title("Actors", "Which actors made calls in these runs, and which of them are undeclared?")
    if cache.read(state.store().figures.totals, "").runs == 0:
        render.empty_store(
            "There are no actors yet.", "Import some runs on the Runs page; the actors of their calls appear here."
        )
        return
    query = show_query_bar()
    try:
        runs = cache.read(state.store().figures.totals, query).runs
        actors = cache.read(state.store().figures.actors, query)
    except QueryError as error:
        render.query_problem(query, error)
        return
    if actors.empty:
        render.empty("No actor made a call in the runs of this query.", "Remove a filter, or clear the query.")
        return
    _head(query, actors, runs)
    show_undeclared_labels(query, actors)
    show_actor_tree(query, actors)


def _head(query: str, actors: pd.DataFrame, runs: int) -> None:
    """Draw the counts of calls by the status of their actor; each opens its calls."""
    render.note(f"{render.counted(_labels(actors), 'label')} in {render.counted(runs, 'run')}")
    with st.container(key="actor-figures", horizontal=True, gap="small"):
        for status in ("undeclared", "malformed", "declared", "unchecked", "unattributed"):
            rows = actors[(actors["status"] == status) & (actors["calls"] > 0)]
            if rows.empty:
                continue
            term = glossary.ACTOR[status]
            st.button(
                f"**{int(rows['calls'].sum()):,}** {term.word} {'call' if rows['calls'].sum() == 1 else 'calls'}",
                key=f"actor-figure-{status}",
                help=f"{term.meaning} Click to open these calls.",
                on_click=open_list,
                args=(state.CALLS_PAGE, query, f"actor_status:{status}"),
            )


def _labels(actors: pd.DataFrame) -> int:
    named = actors[actors["path"].notna() & (actors["status"] != "structural")]
    return int(named["path"].nunique())


show()
