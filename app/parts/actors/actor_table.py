"""All actors of many runs as a tree in a table: who stands below whom, with figures that lead to what they count."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.parts.actors import undeclared_labels
from app.parts.failures import breakdown
from app.parts.table import columns
from trace_store.store.query.fields import Stored

STEP = "\u2003"
"""What a level is moved in by: the tables keep no other space."""
BRANCH = "└ "
NOBODY = "(no actor named)"
ROOM_PX = 1210

COLUMNS: dict[str, Any] = {
    "actor": st.column_config.TextColumn("Actor", help="The last part of the label, below the actor that called it"),
    "status": columns.words("Status", glossary.ACTOR, width=108),
    "calls": st.column_config.NumberColumn("Calls", width=70, help="Its own"),
    "failed": st.column_config.NumberColumn("Failed", width=66, help="Of its own calls, injected ones included (R19)"),
    "rate": st.column_config.ProgressColumn("Failure rate", format="%.1f %%", min_value=0, max_value=100, width=120),
    "below": st.column_config.NumberColumn("With below", width=88, help="Calls of the actor and of all below it (R31)"),
    "failed_below": st.column_config.NumberColumn(
        "Failed, with below", width=124, help="Failed calls of the actor and of all below it (R31)"
    ),
    "runs": st.column_config.NumberColumn("Runs", width=66, help="In which it acted itself"),
    "silent": st.column_config.NumberColumn(
        "Silent in",
        width=74,
        help="Runs that declare it, and in which neither it nor any below it made a call (R31). A click opens the runs "
        "in which some actor was silent.",
    ),
}


def show(query: str, actors: pd.DataFrame) -> None:
    """The tree of `actors`, as `Store.actors` gives them: siblings with the most calls first."""
    render.heading("All actors", help="A label is a call path: each part stands below the one before it (R28, R31).")
    kept = actors.head(breakdown.MOST_ROWS)
    paths = [breakdown.stored(path) for path in kept["path"]]
    statuses = [str(status) for status in kept["status"]]
    calls = kept["calls"].astype(int)
    # A label that only some catalogs declare has a row for each status; what is below it counts once, if anything.
    of_label = calls.groupby(kept["path"], dropna=False).transform("sum")
    has_below = ~kept["path"].duplicated() & (kept["subtree_calls"] > of_label)
    shown = pd.DataFrame(
        {
            "actor": [
                indented(path, status, int(depth))
                for path, status, depth in zip(paths, statuses, kept["depth"], strict=True)
            ],
            "status": [[glossary.ACTOR[status].word] for status in statuses],
            "calls": calls.where(calls > 0),
            "failed": kept["failed"].where(calls > 0),
            "rate": (100 * kept["failed"] / calls.where(calls > 0)),
            "below": kept["subtree_calls"].where(has_below),
            "failed_below": kept["subtree_failed"].where(has_below),
            "runs": kept["runs"].where(kept["runs"] > 0),
            "silent": kept["silent"].where(kept["silent"] > 0),
        }
    )

    def opened(row: int, column: str | None) -> None:
        page, terms = behind(paths[row], statuses[row], column)
        breakdown.open_list(page, query, *terms)

    order = columns.telling(shown, COLUMNS)
    fitted = columns.fitted(COLUMNS, order, {"actor": 1}, ROOM_PX)
    breakdown.table("actors", shown[order], fitted, opened)
    breakdown.cut(len(kept), len(actors), "Those with the most calls are shown; narrow the query to see others.")


def indented(path: Stored | None, status: str, depth: int) -> str:
    """A node's name, moved in below its parent; a malformed label is no path, and shown whole."""
    if path is None:
        return NOBODY
    name = str(path) if status == "malformed" else str(path).rpartition("/")[2]
    return f"{STEP * (depth - 1)}{BRANCH}{render.visible(name)}" if depth else render.visible(name)


def behind(path: Stored | None, status: str, column: str | None) -> tuple[str, list[str]]:
    """The page, and the terms on it, of what a number of an actor's row counts."""
    below = [f"actor:{path}/**"] if path is not None and status != "malformed" else []
    match column:
        case "below" if below:
            return state.CALLS_PAGE, below
        case "failed_below" if below:
            return state.CALLS_PAGE, [breakdown.FAILED, *below]
        case "silent":
            return state.RUNS_PAGE, ["finding:actor_silent"]
        case _ if status == "structural":
            return state.CALLS_PAGE, below
        case _:
            return undeclared_labels.behind(path, status, column)
