"""The labels that nobody declared, or that are none at all, as a table; each leads to its calls and its runs."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.parts.failures import breakdown
from app.parts.table import columns
from trace_store.store.query.editing import term
from trace_store.store.query.fields import Stored

UNKNOWN = ("undeclared", "malformed")
IN_SIGHT = 10
ROOM_PX = 1210

COLUMNS: dict[str, Any] = {
    "label": st.column_config.TextColumn("Label", help="As the calls carry it. A click opens its calls."),
    "status": columns.words("Status", {name: glossary.ACTOR[name] for name in UNKNOWN}, width=104),
    "suggestion": st.column_config.TextColumn("Did you mean", help="The closest label that its run declares (R31)"),
    "calls": st.column_config.NumberColumn("Calls", width=64),
    "failed": st.column_config.NumberColumn("Failed", width=64, help="Injected ones included (R19)"),
    "runs": st.column_config.NumberColumn("Runs", width=64, help="In which it acted. A click opens them."),
    "first": st.column_config.TextColumn(
        "First seen in", width=170, help="The run that was imported first. A click opens it."
    ),
    "elsewhere": st.column_config.TextColumn(
        "In other runs", width=170, help="What the catalogs of other runs say of the same label (R30)"
    ),
}


def show(query: str, actors: pd.DataFrame) -> None:
    """The undeclared and malformed ones of `actors`, as `Store.actors` gives them; those with the most calls first."""
    unknown = actors[actors["status"].isin(UNKNOWN)].sort_values("calls", ascending=False, kind="stable")
    render.heading("Labels that nobody declared", help="Undeclared ones (R30), and those that are no labels (R28).")
    if unknown.empty:
        render.note("Every label is declared where there is a catalog to check it against." if len(actors) else "None.")
        return
    kept = unknown.head(breakdown.MOST_ROWS)
    labels = [str(path) for path in kept["path"]]
    first = [breakdown.stored(run_id) for run_id in kept["first_run"]]
    statuses = [str(status) for status in kept["status"]]
    shown = pd.DataFrame(
        {
            "label": [render.visible(label) for label in labels],
            "status": [[glossary.ACTOR[status].word] for status in statuses],
            "suggestion": [render.visible(str(name)) if breakdown.stored(name) else "" for name in kept["suggestion"]],
            "calls": kept["calls"].to_numpy(),
            "failed": kept["failed"].to_numpy(),
            "runs": kept["runs"].to_numpy(),
            "first": [render.visible(str(run_id)) if run_id is not None else "" for run_id in first],
            "elsewhere": [elsewhere(actors, label, status) for label, status in zip(labels, statuses, strict=True)],
        }
    )

    def opened(row: int, column: str | None) -> None:
        if column == "first" and first[row] is not None:
            state.go(state.RUN_PAGE, run=str(first[row]), panel="actors")
            return
        page, terms = behind(labels[row], statuses[row], column)
        breakdown.open_list(page, query, *terms)

    told = columns.telling(shown, COLUMNS, wanted=("label", "status", "calls", "runs"))
    fitted = columns.fitted(COLUMNS, told, {"label": 3, "suggestion": 2}, ROOM_PX)
    breakdown.table("actor-labels", shown[told], fitted, opened, in_sight=IN_SIGHT)
    breakdown.cut(len(kept), len(unknown), "Those with the most calls are shown; narrow the query to see others.")


def elsewhere(actors: pd.DataFrame, label: str, status: str) -> str:
    """What other runs say of the same label: `declared in 12 runs`."""
    others = actors[(actors["path"] == label) & (actors["status"] != status) & (actors["runs"] > 0)]
    return ", ".join(
        f"{glossary.ACTOR[str(other)].word} in {render.counted(int(runs), 'run')}"
        for other, runs in zip(others["status"], others["runs"], strict=True)
    )


def behind(label: Stored | None, status: str, column: str | None) -> tuple[str, list[str]]:
    """The page, and the terms on it, of what a number of a label's row counts."""
    own = [term("actor", label), term("actor_status", status)]
    match column:
        case "runs":
            return state.RUNS_PAGE, own
        case "failed" | "rate":
            return state.CALLS_PAGE, [breakdown.FAILED, *own]
        case _:
            return state.CALLS_PAGE, own
