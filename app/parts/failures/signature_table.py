"""The signatures of failures as a table, the most frequent first; one of them can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.formatting import timestamp
from app.parts.failures import breakdown
from app.parts.table import columns
from trace_store.store.query.editing import term
from trace_store.store.query.fields import Stored

MOST = 50
"""Signatures that are shown; the many rare ones are found by narrowing the query."""
IN_SIGHT = 8
ROOM_PX = 1210
CHOSEN_MARK = "▸"

COLUMNS: dict[str, Any] = {
    "chosen": st.column_config.TextColumn("", width=24, help="The one whose runs are shown below"),
    "stage": columns.words("Failed at", glossary.BOUNDARY, width=104),
    "tool": st.column_config.TextColumn("Tool", help="Of the call at the boundary"),
    "class": st.column_config.TextColumn(
        "Class", help="Error class of the call at the boundary, or else of the run; layers are told apart below (R22)"
    ),
    "runs": st.column_config.NumberColumn("Runs", width=64),
    "share": st.column_config.ProgressColumn(
        "Of all runs", format="%.1f %%", min_value=0, max_value=100, width=118, help="That the query finds"
    ),
    "reviewed": st.column_config.ProgressColumn(
        "Reviewed", format="%.0f %%", min_value=0, max_value=100, width=118, help="Runs of it that have a review"
    ),
    "last": st.column_config.TextColumn("Last seen", width=114, help="The latest start of its runs, UTC"),
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """One signature: what it is called by, and how many of its runs there are and have a review."""

    stage: Stored | None
    tool: Stored | None
    error_class: Stored | None
    runs: int
    reviewed: int

    @property
    def terms(self) -> str:
        """The query for its runs."""
        parts = {"boundary": self.stage, "boundary_tool": self.tool, "boundary_class": self.error_class}
        return " ".join(term(field, value) for field, value in parts.items())

    @property
    def name(self) -> str:
        """What it is called on one line, out of names that runs gave."""
        return " · ".join(str(value) for value in (self.stage, self.tool, self.error_class) if value is not None)


def show(frame: pd.DataFrame, runs: int) -> Chosen | None:
    """The table of `frame`, as `Store.signatures` gives it; `runs` are found by the query. Returns the signature that
    the address names, where it is one of these."""
    render.heading(
        "Signatures", help="Runs by where they first failed: the boundary, the tool, the class (R38). Choose one."
    )
    if frame.empty:
        render.note("No run that the query finds failed at a boundary.")
        return None
    signatures = [
        Chosen(
            breakdown.stored(stage), breakdown.stored(tool), breakdown.stored(error_class), int(count), int(reviewed)
        )
        for stage, tool, error_class, count, reviewed in zip(
            frame["stage"], frame["tool"], frame["error_class"], frame["runs"], frame["reviewed"], strict=True
        )
    ]
    asked = state.param(state.SIGNATURE)
    chosen = next((signature for signature in signatures if signature.terms == asked), None)
    kept = signatures[:MOST]
    shown = pd.DataFrame(
        {
            "chosen": [CHOSEN_MARK if signature is chosen else "" for signature in kept],
            "stage": [[glossary.BOUNDARY[str(signature.stage)].word] for signature in kept],
            "tool": [breakdown.named(signature.tool) for signature in kept],
            "class": [breakdown.named(signature.error_class) for signature in kept],
            "runs": [signature.runs for signature in kept],
            "share": [100 * signature.runs / runs for signature in kept],
            "reviewed": [100 * signature.reviewed / signature.runs for signature in kept],
            "last": [timestamp(breakdown.stored(last)) for last in frame["last_seen"].head(MOST)],
        }
    )

    def opened(row: int, column: str | None) -> None:
        state.write(signature=None if kept[row] is chosen else kept[row].terms)

    order = list(COLUMNS) if chosen in kept else list(COLUMNS)[1:]
    fitted = columns.fitted(COLUMNS, order, {"tool": 1, "class": 1}, ROOM_PX)
    breakdown.table("signatures", shown[order], fitted, opened, in_sight=IN_SIGHT)
    breakdown.cut(len(kept), len(signatures), "Those with the most runs are shown; narrow the query to see others.")
    return chosen
