"""The Actors panel of one run: the tree of labels, declared against observed, and the way to an actor's calls."""

from __future__ import annotations

import streamlit as st

from app import render, state
from app.components.actor_tree import build_actor_tree, draw_actor_tree
from trace_store.model import Run
from trace_store.store.query.editing import add_query, term

ROW_PX, FRAME_PX = 30, 120
LARGEST_PX = 620


def show(run: Run) -> None:
    """The tree; the calls of the actor that is chosen in it are one click away."""
    if not run.actors:
        render.empty("No actors.", "The run declares none, and its log has no calls.")
        return
    if not run.declared_actors:
        render.note("The run declares no actors, so there is nothing to check its labels against (R29).")
    height = min(LARGEST_PX, FRAME_PX + ROW_PX * (len(run.actors) + len(run.topology.edges)))
    chosen = draw_actor_tree(build_actor_tree(run.actors, run.topology), height=height, key="run-actors")
    if chosen is None:
        render.note("Choose an actor to see its calls.")
        return
    query = add_query(term("run", run.run_id), term("actor", chosen or None))
    st.button(
        f"Calls of {render.literal(chosen or 'nobody: unattributed')}",
        icon=":material/list_alt:",
        on_click=state.go,
        args=(state.CALLS_PAGE,),
        kwargs={"q": query},
    )
