"""The tables of the Actors page: undeclared labels, and all actors as a tree. Each figure leads to what it counts."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.parts.table.cells import FAILED, MOST_ROWS, note_cut, open_list, query_value, show_cells
from app.parts.table.columns import columns_with_values, fit_widths, word_column
from trace_store.store.query import FieldValue
from trace_store.store.query.editing import term

UNKNOWN = ("undeclared", "malformed")
LABELS_IN_SIGHT = 10
PAGE_PX = 1210

LABEL_COLUMNS: dict[str, Any] = {
    "label": st.column_config.TextColumn("Label", help="As it stands in the calls. Click to open them."),
    "status": word_column("Status", {name: glossary.ACTOR[name] for name in UNKNOWN}, width=104),
    "suggestion": st.column_config.TextColumn("Did you mean", help="The closest label that its run declares"),
    "calls": st.column_config.NumberColumn("Calls", width=64),
    "failed": st.column_config.NumberColumn("Failed", width=64, help=glossary.COUNT["failures"].meaning),
    "runs": st.column_config.NumberColumn("Runs", width=64, help="Runs in which it made calls. Click to open them."),
    "first": st.column_config.TextColumn(
        "First seen in", width=170, help="The first run imported with this label. Click to open it."
    ),
    "elsewhere": st.column_config.TextColumn("In other runs", width=170, help="Status of the same label in other runs"),
}


def show_undeclared_labels(query: str, actors: pd.DataFrame) -> None:
    """Draw the undeclared and malformed ones of `actors`, as `Store.actors` gives them; those with the most calls
    first."""
    unknown = actors[actors["status"].isin(UNKNOWN)].sort_values("calls", ascending=False, kind="stable")
    render.heading(
        "Undeclared actors",
        help="Actors that the catalog of their run does not declare, and labels that break the rules.",
    )
    if unknown.empty:
        render.note(
            "Every actor is declared, wherever there is a catalog to check it against." if len(actors) else "None."
        )
        return
    top = unknown.head(MOST_ROWS)
    labels = [str(path) for path in top["path"]]
    first = [query_value(run_id) for run_id in top["first_run"]]
    statuses = [str(status) for status in top["status"]]
    table = pd.DataFrame(
        {
            "label": [render.visible(label) for label in labels],
            "status": [[glossary.ACTOR[status].word] for status in statuses],
            "suggestion": [render.visible(str(name)) if query_value(name) else "" for name in top["suggestion"]],
            "calls": top["calls"].to_numpy(),
            "failed": top["failed"].to_numpy(),
            "runs": top["runs"].to_numpy(),
            "first": [render.visible(str(run_id)) if run_id is not None else "" for run_id in first],
            "elsewhere": [
                statuses_elsewhere(actors, label, status) for label, status in zip(labels, statuses, strict=True)
            ],
        }
    )

    def on_click(row: int, column: str | None) -> None:
        if column == "first" and first[row] is not None:
            state.go(state.RUN_PAGE, run=str(first[row]), panel="actors")
            return
        page, terms = label_target(labels[row], statuses[row], column)
        open_list(page, query, *terms)

    visible = columns_with_values(table, LABEL_COLUMNS, wanted=("label", "status", "calls", "runs"))
    fitted = fit_widths(LABEL_COLUMNS, visible, {"label": 3, "suggestion": 2}, PAGE_PX)
    show_cells("actor-labels", table[visible], fitted, on_click, in_sight=LABELS_IN_SIGHT)
    note_cut(len(top), len(unknown), "The ones with the most calls are shown. Narrow the query to see others.")


def statuses_elsewhere(actors: pd.DataFrame, label: str, status: str) -> str:
    """Return what other runs say of the same label: `declared in 12 runs`."""
    others = actors[(actors["path"] == label) & (actors["status"] != status) & (actors["runs"] > 0)]
    return ", ".join(
        f"{glossary.ACTOR[str(other)].word} in {render.counted(int(runs), 'run')}"
        for other, runs in zip(others["status"], others["runs"], strict=True)
    )


def label_target(label: FieldValue | None, status: str, column: str | None) -> tuple[str, list[str]]:
    """Return the page, and the terms on it, of what a number of a label's row counts."""
    own = [term("actor", label), term("actor_status", status)]
    match column:
        case "runs":
            return state.RUNS_PAGE, own
        case "failed" | "rate":
            return state.CALLS_PAGE, [FAILED, *own]
        case _:
            return state.CALLS_PAGE, own


STEP = "\u2003"
"""What a level is moved in by: the tables keep no other space."""
BRANCH = "└ "
NOBODY = "(no actor named)"
PAGE_PX = 1210

ACTOR_COLUMNS: dict[str, Any] = {
    "actor": st.column_config.TextColumn("Actor", help="The last part of the label, below the actor that called it"),
    "status": word_column("Status", glossary.ACTOR, width=108),
    "calls": st.column_config.NumberColumn("Calls", width=70, help="Its own calls"),
    "failed": st.column_config.NumberColumn("Failed", width=66, help=f"Its own. {glossary.COUNT['failures'].meaning}"),
    "rate": st.column_config.ProgressColumn("Failure rate", format="%.1f %%", min_value=0, max_value=100, width=120),
    "below": st.column_config.NumberColumn(
        "Subtree calls", width=88, help="Calls of the actor and of all actors below it"
    ),
    "failed_below": st.column_config.NumberColumn(
        "Subtree failures", width=124, help="Failed calls of the actor and of all below it"
    ),
    "runs": st.column_config.NumberColumn("Runs", width=66, help="Runs in which it made calls itself"),
    "silent": st.column_config.NumberColumn(
        "Silent in",
        width=74,
        help="Runs that declare it but in which neither it nor any actor below it made a call. Click to open the runs "
        "in which some actor was silent.",
    ),
}


def show_actor_tree(query: str, actors: pd.DataFrame) -> None:
    """Draw the tree of `actors`, as `Store.actors` gives them: siblings with the most calls first."""
    render.heading("All actors", help="A label is a path of calls: each actor is shown below the one that called it.")
    top = actors.head(MOST_ROWS)
    paths = [query_value(path) for path in top["path"]]
    statuses = [str(status) for status in top["status"]]
    calls = top["calls"].astype(int)
    # A label that only some catalogs declare has a row for each status; what is below it counts once, if anything.
    of_label = calls.groupby(top["path"], dropna=False).transform("sum")
    has_below = ~top["path"].duplicated() & (top["subtree_calls"] > of_label)
    table = pd.DataFrame(
        {
            "actor": [
                indented_name(path, status, int(depth))
                for path, status, depth in zip(paths, statuses, top["depth"], strict=True)
            ],
            "status": [[glossary.ACTOR[status].word] for status in statuses],
            "calls": calls.where(calls > 0),
            "failed": top["failed"].where(calls > 0),
            "rate": (100 * top["failed"] / calls.where(calls > 0)),
            "below": top["subtree_calls"].where(has_below),
            "failed_below": top["subtree_failed"].where(has_below),
            "runs": top["runs"].where(top["runs"] > 0),
            "silent": top["silent"].where(top["silent"] > 0),
        }
    )

    def on_click(row: int, column: str | None) -> None:
        page, terms = actor_target(paths[row], statuses[row], column)
        open_list(page, query, *terms)

    order = columns_with_values(table, ACTOR_COLUMNS)
    fitted = fit_widths(ACTOR_COLUMNS, order, {"actor": 1}, PAGE_PX)
    show_cells("actors", table[order], fitted, on_click)
    note_cut(len(top), len(actors), "The ones with the most calls are shown. Narrow the query to see others.")


def indented_name(path: FieldValue | None, status: str, depth: int) -> str:
    """Return a node's name, moved in below its parent; a malformed label is not a path, and is shown whole."""
    if path is None:
        return NOBODY
    name = str(path) if status == "malformed" else str(path).rpartition("/")[2]
    return f"{STEP * (depth - 1)}{BRANCH}{render.visible(name)}" if depth else render.visible(name)


def actor_target(path: FieldValue | None, status: str, column: str | None) -> tuple[str, list[str]]:
    """Return the page, and the terms on it, of what a number of an actor's row counts."""
    below = [f"actor:{path}/**"] if path is not None and status != "malformed" else []
    match column:
        case "below" if below:
            return state.CALLS_PAGE, below
        case "failed_below" if below:
            return state.CALLS_PAGE, [FAILED, *below]
        case "silent":
            return state.RUNS_PAGE, ["finding:actor_silent"]
        case _ if status == "structural":
            return state.CALLS_PAGE, below
        case _:
            return label_target(path, status, column)
