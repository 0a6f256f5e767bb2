"""Over what the judge and the evidence disagree: kinds of errors in passed runs, and the models and checks."""

from __future__ import annotations

from typing import Any, LiteralString

import pandas as pd
import streamlit as st

from app import render, state
from app.formatting import percent, shares
from app.parts.table.cells import cell_text, note_cut, open_list, query_value, show_cells
from trace_store.comparing.intervals import interval
from trace_store.store.query.editing import term

MOST = 12
PASSED_WITH, FAILED_WITHOUT = "verdict:passed severity:error", "verdict:failed -severity:error"


def errors(query: str, frame: pd.DataFrame) -> None:
    """The kinds of errors, those in most passed runs first; `frame` as `Judgements.errors`."""
    render.heading(
        "Errors by verdict", help="Kinds of findings of the severity error; first those in most passed runs."
    )
    if frame.empty:
        render.note("No judged run has an error among its findings.")
        return
    kept = frame.head(MOST)
    kinds = [str(kind) for kind in kept["kind"]]
    shown = pd.DataFrame(
        {
            "kind": kinds,
            "passed": kept["passed"],
            "failed": kept["failed"],
            "share": 100 * kept["passed"] / (kept["passed"] + kept["failed"]),
        }
    )
    columns = {
        "kind": st.column_config.TextColumn("Finding"),
        "passed": st.column_config.NumberColumn("Passed", width=64, help="Runs with it that the judge passed"),
        "failed": st.column_config.NumberColumn("Failed", width=64, help="Runs with it that the judge failed"),
        "share": st.column_config.ProgressColumn(
            "Passed share", format="%.0f %%", min_value=0, max_value=100, width=118
        ),
    }

    def opened(row: int, column: str | None) -> None:
        verdict = "verdict:failed" if column == "failed" else "verdict:passed"
        open_list(state.RUNS_PAGE, query, verdict, term("finding", kinds[row]))

    show_cells("judge-errors", shown, columns, opened)
    note_cut(len(kept), len(frame), "Those in most passed runs are shown.")


def group(field: LiteralString, heading: LiteralString, query: str, frame: pd.DataFrame) -> None:
    """Models or checks, those with most disagreements first; `frame` as one of `Judgements.groups`."""
    render.heading(heading, help="Disagreements: passed with errors, or failed without any.")
    if frame.empty:
        render.note("No run here was judged.")
        return
    kept = frame.head(MOST)
    values = [query_value(value) for value in kept[field]]
    if values == [None]:
        render.note(f"No judged run here names a {field}.")
        return
    shown = pd.DataFrame(
        {
            "value": [cell_text(value) for value in values],
            "judged": kept["judged"],
            "passed": kept["passed_with_errors"],
            "failed": kept["failed_without"],
            "rate": [_rate(*pair) for pair in zip(kept["disagree"], kept["judged"], strict=True)],
        }
    )
    columns: dict[str, Any] = {
        "value": st.column_config.TextColumn(field.capitalize()),
        "judged": st.column_config.NumberColumn("Judged", width=62),
        "passed": st.column_config.NumberColumn("Passed with errors", width=118),
        "failed": st.column_config.NumberColumn("Failed without", width=98),
        "rate": st.column_config.TextColumn(
            "Disagree", width=118, help="Of the judged runs, with the 95 % interval (Wilson's)"
        ),
    }
    terms = {"passed": PASSED_WITH, "failed": FAILED_WITHOUT, "rate": f"({PASSED_WITH} OR {FAILED_WITHOUT})"}

    def opened(row: int, column: str | None) -> None:
        also = terms.get(column or "", "-verdict:none")
        open_list(state.RUNS_PAGE, query, term(field, values[row]), also)

    show_cells(f"judge-{field}", shown, columns, opened)
    note_cut(len(kept), len(frame), "Those with most disagreements are shown.")


def _rate(count: int, total: int) -> str:
    low, high = interval(count, total)
    return f"{percent(count, total)} ({shares(low, high)})"
