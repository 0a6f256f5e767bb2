"""Findings and actors beside the transcript: always on a wide screen, on demand on a narrow one (`style.css`)."""

from __future__ import annotations

import streamlit as st

from app import render, state
from app.components.actor_tree import build_actor_tree, count_labels, draw_actor_tree
from app.components.findings import build_findings, draw_findings
from app.parts.run.panels import FRAME_PX, follow_jump, show_evidence, without_findings
from trace_store.model import Path, Run

_FINDINGS, _ACTORS = "side-findings", "side-actors"
LARGEST_FINDINGS_PX, LARGEST_TREE_PX = 4000, 640
"""The panel scrolls, and the findings in it do not; a list longer than this does."""
WRAPPED_ROW_PX = 44
"""Height of a row of the tree here, where it has two lines."""


def show_side_panel_button(run: Run) -> None:
    """Draw what opens and closes the panel where the screen is too narrow for it to be always there."""
    findings = render.counted(len(run.findings), "finding")
    actors = render.counted(count_labels(run.actors), "actor")
    with st.container(key="run-side-toggle", width="content"):
        st.button(
            f"{findings} · {actors}",
            key="run-side",
            type="tertiary",
            icon=":material/right_panel_open:",
            help="Show or hide them beside the transcript (i)",
            on_click=state.write,
            kwargs={state.SIDE: None if state.param(state.SIDE) else "open"},
        )


def show_side_panel(run: Run) -> None:
    """Draw the findings, each with a way to its evidence in the transcript, and the tree of actors."""
    with st.container(key=f"run-aside{'-open' if state.param(state.SIDE) else ''}", gap="small"):
        with st.container(key="run-side-head", horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch"):
                render.heading("Findings")
            st.button(
                "Close",
                key="run-side-close",
                type="tertiary",
                icon=":material/close:",
                help="Close this panel (Esc)",
                on_click=state.write,
                kwargs={state.SIDE: None},
            )
        if run.findings:
            draw_findings(
                build_findings(run),
                run=run.run_id,
                height=LARGEST_FINDINGS_PX,
                key=_FINDINGS,
                folded=True,
                on_jump=lambda: follow_jump(_FINDINGS),
            )
        else:
            render.note(without_findings(run))
        render.heading("Actors")
        if run.actors:
            rows = len(run.actors) + len(run.topology.edges)
            height = min(LARGEST_TREE_PX, FRAME_PX + WRAPPED_ROW_PX * rows)
            draw_actor_tree(
                build_actor_tree(run.actors, run.topology),
                height=height,
                key=_ACTORS,
                on_select=lambda: _show_actor(run),
            )
        else:
            render.note("None: the run declares none, and its log names none.")


def _show_actor(run: Run) -> None:
    chosen = st.session_state[_ACTORS].get("selected")
    path = first_call(run, chosen) if isinstance(chosen, str) else None
    if path is not None:
        show_evidence(path)


def first_call(run: Run, actor: str) -> Path | None:
    """Return the path of the first call of an actor, else of those below it; "" is who has no label."""
    own = next((call.sequence for call in run.calls if (call.actor_id or "") == actor), None)
    below = (call.sequence for call in run.calls if actor and (call.actor_id or "").startswith(f"{actor}/"))
    sequence = next(below, None) if own is None else own
    return None if sequence is None else Path.call(sequence)
