"""The smaller parts of the Run page: soft warnings, actors, timeline and findings; and the way from a path to the panel
that shows it."""

from __future__ import annotations

from typing import LiteralString

import pandas as pd
import streamlit as st

from app import cache, render, state
from app.components.actor_tree import build_actor_tree, draw_actor_tree
from app.components.findings import build_findings, draw_findings
from app.components.frontend import get_jump
from app.components.timeline import draw_timeline
from app.dropped_messages import describe_dropped, dropped_messages
from trace_store.model import Path, Run
from trace_store.store.query.editing import add_query, term

_TIMELINE, _FINDINGS = "run-timeline", "run-findings"
ROW_PX, FRAME_PX, LARGEST_PX = 30, 120, 620
"""Heights of a row of the tree of actors, of what is around the rows, and of the whole at most."""


def show_warnings(run: Run) -> None:
    """Draw the soft warnings, each with who found it (R14); draw nothing where there are none."""
    if not run.warnings:
        return
    lost = f", {describe_dropped(run)} dropped" if dropped_messages(run) else ""
    count = len(run.warnings)
    render.note(f"{render.counted(count, 'warning')}{lost}")
    st.dataframe(
        warning_table(run),
        hide_index=True,
        height="content" if count <= 8 else 280,
        column_config={
            "origin": st.column_config.TextColumn("Origin", width=70, help="Who warned: the export or the import"),
            "path": st.column_config.TextColumn("Where", width=140),
            "reason": st.column_config.TextColumn("What"),
        },
        alt="The soft warnings of this run",
        key="run-warnings",
    )


def warning_table(run: Run) -> pd.DataFrame:
    """Return the warnings as a table, those of the export first (R14)."""
    rows = [
        (warning.origin, render.visible(warning.path or ""), render.visible(warning.reason)) for warning in run.warnings
    ]
    return pd.DataFrame(rows, columns=["origin", "path", "reason"])


def show_actors(run: Run) -> None:
    """Draw the tree of labels, declared and observed; the calls of a chosen actor are one click away."""
    if not run.actors:
        render.empty("No actors.", "The run declares none, and its log has no calls.")
        return
    if not run.declared_actors:
        render.note("The run declares no actors, so its labels cannot be checked against anything.")
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


def show_timeline(run: Run) -> None:
    """Draw when each actor's calls ran and what retries waited; a chosen call opens in its panel."""
    if not run.calls:
        render.empty(
            "There are no calls to draw.",
            "The log is empty." if run.has_log else "This export has no proxy log, which alone records when calls ran.",
        )
        return
    draw_timeline(cache.timeline(run.run_id), run=run.run_id, key=_TIMELINE, on_jump=lambda: follow_jump(_TIMELINE))


def show_findings(run: Run) -> None:
    """Draw the findings, the most severe first, each with what it means and a way to its evidence."""
    if not run.findings:
        render.empty("There are no findings.", without_findings(run))
        return
    draw_findings(build_findings(run), run=run.run_id, key=_FINDINGS, on_jump=lambda: follow_jump(_FINDINGS))


def without_findings(run: Run) -> LiteralString:
    """Return what no findings mean for this run: its judge may have failed it all the same."""
    if run.judge_passed is False:
        return "None: the evidence contradicts nothing, but the judge failed the run. Hold its answer against the task."
    return "None: the evidence contradicts nothing in this run."


def follow_jump(key: str) -> None:
    """Go to the evidence that was clicked in the component `key`."""
    path = get_jump(key)
    if path is not None:
        show_evidence(path)


_AT_THE_END = {"final_response", "response_error", "error", "error_class", "status"}
"""What the transcript shows below the last message."""


def panel_of(path: str, current: str = "") -> str | None:
    """Return the panel that shows what a path leads to; None is the transcript, which has the calls of the log, too. A
    reader of the `current` panel stays there where it shows the place. What is in no other panel, such as tools, is in
    the raw document."""
    place = Path(path)
    if place.call_sequence is not None:
        return "calls" if current == "calls" else None
    if place.message_index is not None or place.root in _AT_THE_END:
        return None
    return "actors" if place.root == "sub_agents" else "raw"


def show_evidence(path: str) -> None:
    """Go to the panel that shows what a path leads to, and to the place in it."""
    state.write(panel=panel_of(path, state.param(state.PANEL)), step=path)
