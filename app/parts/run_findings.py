"""The Findings panel of one run: what a reviewer should know, the gravest first, each by its evidence."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from app import glossary, render, state
from app.parts import columns
from trace_store.model import Run

ROW_PX = 58
"""Two lines: Streamlit wraps a cell's text only in rows of more than 56 pixels."""
ROWS_IN_SIGHT = 10
_KEY = "run-findings"
_WEIGHT = {"error": 0, "warning": 1, "info": 2}

COLUMNS = {
    "severity": columns.words("Severity", glossary.SEVERITY, width=76),
    "kind": st.column_config.TextColumn("Finding", width=150),
    "message": st.column_config.TextColumn("What", width=440),
    "path": st.column_config.TextColumn("Evidence", width=170, help="Where it stands; a click goes there"),
    "rule": st.column_config.TextColumn("Rule", width=60, help="Of the contract"),
}


def show(run: Run) -> None:
    """The findings, or a sentence where there are none."""
    if not run.findings:
        render.empty("Nothing was found.", "No rule of the evidence speaks against this run; read the transcript.")
        return
    turn = st.session_state.setdefault(f"{_KEY}-turn", 0)
    rows = table(run)
    st.dataframe(
        rows,
        hide_index=True,
        key=f"{_KEY}-{turn}",
        on_select=partial(_chosen, rows, f"{_KEY}-{turn}"),
        selection_mode="single-cell",
        column_config=COLUMNS,
        row_height=ROW_PX,
        height="content" if len(rows) <= ROWS_IN_SIGHT else 34 + ROW_PX * ROWS_IN_SIGHT,
        alt="The findings of this run",
    )
    render.note("A click goes to the evidence.")


def table(run: Run) -> pd.DataFrame:
    """One finding a row; those of equal weight in the order in which they were found."""
    found = sorted(run.findings, key=lambda finding: _WEIGHT[finding.severity])
    rows = [
        {
            "severity": [glossary.SEVERITY[finding.severity].word],
            "kind": finding.kind.replace("_", " "),
            "message": render.visible(finding.message),
            "path": render.visible(finding.path),
            "rule": finding.rule,
        }
        for finding in found
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def panel_of(path: str) -> str | None:
    """The panel that shows what stands at a path; null is the transcript. Tools, warnings of fields and the like stand
    in the raw document only."""
    if path.startswith(("messages[", "final_response")):
        return None
    if path.startswith("calls["):
        return "calls"
    return "actors" if path.startswith("sub_agents") else "raw"


def show_evidence(path: str) -> None:
    """Goes to the panel and the place of a path."""
    state.write(panel=panel_of(path), step=path)


def _chosen(rows: pd.DataFrame, key: str) -> None:
    cells = st.session_state[key]["selection"]["cells"]
    st.session_state[f"{_KEY}-turn"] += 1
    if cells:
        show_evidence(str(rows.iloc[cells[0][0]]["path"]))
