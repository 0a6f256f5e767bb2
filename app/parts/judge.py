"""The tables of the Judge page: its verdicts against the evidence and the reviewers, errors by verdict, and the models
and checks with most disagreements. Each cell leads to its runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString

import pandas as pd
import streamlit as st

from app import render, state
from app.formatting import percent, shares
from app.parts.table.cells import cell_text, note_cut, open_list, query_value, show_cells
from trace_store.comparing.intervals import interval
from trace_store.store.query.editing import term

MOST_ROWS = 12
PASSED_WITH, FAILED_WITHOUT = "verdict:passed severity:error", "verdict:failed -severity:error"

VERDICTS: Mapping[str | None, tuple[str, str]] = {
    "passed": ("passed", "verdict:passed"),
    "failed": ("failed", "verdict:failed"),
    None: ("not judged", "verdict:none"),
}
"""The judge's verdicts: the word, and the query term."""

EVIDENCE: Mapping[str | None, tuple[str, str, str]] = {
    "errors": ("Errors", "severity:error", "A finding of the severity error"),
    "warnings": ("Warnings only", "severity:warning -severity:error", "A warning, and no error"),
    "clean": ("Neither", "-severity:error,warning", "No finding, or none above info"),
}

REVIEWS: Mapping[str | None, tuple[str, str, str]] = {
    "pass": ("Pass", "review:pass", "The reviewer says that the run did what it should"),
    "fail": ("Fail", "review:fail", "The reviewer says that it did not"),
    "unsure": ("Unsure", "review:unsure", "The reviewer could not decide"),
    None: ("Not reviewed", "review:none", "No verdict of a reviewer, though perhaps a note"),
}

AGREE = {("passed", "pass"): True, ("failed", "fail"): True, ("passed", "fail"): False, ("failed", "pass"): False}
"""Pairs of verdicts, and whether they agree."""


def show_evidence_table(query: str, frame: pd.DataFrame) -> None:
    """Draw judge by evidence; `frame` as `Judgements.evidence`."""
    render.heading("Judge and evidence", help="Runs by the judge's verdict and the worst severity of their findings.")
    _cross("judge-evidence", query, count_pairs(frame, "evidence"), EVIDENCE)


def show_reviewer_table(query: str, frame: pd.DataFrame) -> None:
    """Draw judge by reviewer, and how often they agree; `frame` as `Judgements.reviewers`."""
    render.heading("Judge and reviewer", help="Runs by the judge's verdict and the reviewer's.")
    counts = count_pairs(frame, "review")
    _cross("judge-reviewer", query, counts, REVIEWS)
    alike, both = agreement(counts)
    if not both:
        render.note("No run has a verdict of both, so there is no agreement to measure.")
        return
    low, high = interval(alike, both)
    render.note(
        f"They agree on **{alike:,d} of {both:,d}** runs that both judged: {percent(alike, both)}, "
        f"95 % interval {shares(low, high)}.",
        help="Wilson's interval: the uncertainty of a random sample of this size.",
    )


def show_error_table(query: str, frame: pd.DataFrame) -> None:
    """Draw the kinds of errors, those in most passed runs first; `frame` as `Judgements.errors`."""
    render.heading("Errors by verdict", help="Kinds of findings of severity error; those in most passed runs first.")
    if frame.empty:
        render.note("No judged run has an error among its findings.")
        return
    rows = frame.head(MOST_ROWS)
    kinds = [str(kind) for kind in rows["kind"]]
    table = pd.DataFrame(
        {
            "kind": kinds,
            "passed": rows["passed"],
            "failed": rows["failed"],
            "share": 100 * rows["passed"] / (rows["passed"] + rows["failed"]),
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

    def open_cell(row: int, column: str | None) -> None:
        verdict = "verdict:failed" if column == "failed" else "verdict:passed"
        open_list(state.RUNS_PAGE, query, verdict, term("finding", kinds[row]))

    show_cells("judge-errors", table, columns, open_cell)
    note_cut(len(rows), len(frame), "Those in most passed runs are shown.")


def show_group_table(field: LiteralString, heading: LiteralString, query: str, frame: pd.DataFrame) -> None:
    """Draw models or checks, those with most disagreements first; `frame` as one of `Judgements.groups`."""
    render.heading(heading, help="Disagreements: passed with errors, or failed without any.")
    if frame.empty:
        render.note("No run here was judged.")
        return
    rows = frame.head(MOST_ROWS)
    values = [query_value(value) for value in rows[field]]
    if values == [None]:
        render.note(f"No judged run here names a {field}.")
        return
    table = pd.DataFrame(
        {
            "value": [cell_text(value) for value in values],
            "judged": rows["judged"],
            "passed": rows["passed_with_errors"],
            "failed": rows["failed_without"],
            "rate": [_rate(*pair) for pair in zip(rows["disagree"], rows["judged"], strict=True)],
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

    def open_cell(row: int, column: str | None) -> None:
        also = terms.get(column or "", "-verdict:none")
        open_list(state.RUNS_PAGE, query, term(field, values[row]), also)

    show_cells(f"judge-{field}", table, columns, open_cell)
    note_cut(len(rows), len(frame), "Those with most disagreements are shown.")


def count_pairs(frame: pd.DataFrame, other: str) -> dict[tuple[str | None, str | None], int]:
    """Return the number of runs by verdict and the value of the column `other`."""
    rows = zip(frame["verdict"], frame[other], frame["runs"], strict=True)
    return {(_word(verdict), _word(value)): int(runs) for verdict, value, runs in rows}


def agreement(counts: Mapping[tuple[str | None, str | None], int]) -> tuple[int, int]:
    """Return how many runs judge and reviewer decided alike, and how many both decided."""
    both = sum(counts.get(pair, 0) for pair in AGREE)
    return sum(counts.get(pair, 0) for pair, alike in AGREE.items() if alike), both


def _word(value: Any) -> str | None:
    word = query_value(value)
    return None if word is None else str(word)


def _cross(
    key: LiteralString,
    query: str,
    counts: Mapping[tuple[str | None, str | None], int],
    others: Mapping[str | None, tuple[str, str, str]],
) -> None:
    table = pd.DataFrame(
        [
            {
                "judge": word,
                **{str(other): _cell(counts.get((verdict, other), 0), row) for other in others},
                "all": f"{row:,}",
            }
            for verdict, (word, _) in VERDICTS.items()
            for row in [sum(counts.get((verdict, other), 0) for other in others)]
        ]
    )
    columns: dict[str, Any] = {"judge": st.column_config.TextColumn("Judge", width=84)}
    columns |= {
        str(other): st.column_config.TextColumn(word, width=104, help=f"{meaning}. The share is of the row.")
        for other, (word, _, meaning) in others.items()
    }
    columns["all"] = st.column_config.TextColumn("All", width=64)
    verdict_terms = [term for _, term in VERDICTS.values()]
    other_terms = {str(other): term for other, (_, term, _) in others.items()}

    def open_cell(row: int, column: str | None) -> None:
        also = [other_terms[column]] if column in other_terms else []
        open_list(state.RUNS_PAGE, query, verdict_terms[row], *also)

    show_cells(key, table, columns, open_cell)


def _cell(count: int, row: int) -> str:
    return f"{count:,} · {percent(count, row)}" if count else "–"


def _rate(count: int, total: int) -> str:
    low, high = interval(count, total)
    return f"{percent(count, total)} ({shares(low, high)})"
