"""The judge held against the evidence, and against the reviewers: counts and shares, each cell a way to its runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString

import pandas as pd
import streamlit as st

from app import render, state
from app.formatting import percent, shares
from app.parts.table.cells import open_list, query_value, show_cells
from trace_store.comparing.intervals import interval

VERDICTS: Mapping[str | None, tuple[str, str]] = {
    "passed": ("passed", "verdict:passed"),
    "failed": ("failed", "verdict:failed"),
    None: ("not judged", "verdict:none"),
}
"""What the judge said: the word, and the term."""

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
"""Runs that both decided, and whether alike."""


def evidence(query: str, frame: pd.DataFrame) -> None:
    """Judge by evidence; `frame` as `Judgements.evidence`."""
    render.heading("Judge and evidence", help="Runs by the judge's verdict and the worst severity of their findings.")
    _cross("judge-evidence", query, counted(frame, "evidence"), EVIDENCE)


def reviewers(query: str, frame: pd.DataFrame) -> None:
    """Judge by reviewer, and how often they agree; `frame` as `Judgements.reviewers`."""
    render.heading("Judge and reviewer", help="Runs by the judge's verdict and the reviewer's.")
    counts = counted(frame, "review")
    _cross("judge-reviewer", query, counts, REVIEWS)
    alike, both = agreement(counts)
    if not both:
        render.note("No run has the verdict of both, so nothing can be said of how well they agree.")
        return
    low, high = interval(alike, both)
    render.note(
        f"They agree on **{alike:,d} of {both:,d}** runs that both decided: {percent(alike, both)}, "
        f"95 % interval {shares(low, high)}.",
        help="Wilson's interval: what so few or so many runs leave uncertain, if they were drawn at random.",
    )


def counted(frame: pd.DataFrame, other: str) -> dict[tuple[str | None, str | None], int]:
    """Runs by verdict and what stands in the column `other`."""
    rows = zip(frame["verdict"], frame[other], frame["runs"], strict=True)
    return {(_word(verdict), _word(value)): int(runs) for verdict, value, runs in rows}


def agreement(counts: Mapping[tuple[str | None, str | None], int]) -> tuple[int, int]:
    """How many runs judge and reviewer decided alike, and how many both decided."""
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
    shown = pd.DataFrame(
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

    def opened(row: int, column: str | None) -> None:
        also = [other_terms[column]] if column in other_terms else []
        open_list(state.RUNS_PAGE, query, verdict_terms[row], *also)

    show_cells(key, shown, columns, opened)


def _cell(count: int, row: int) -> str:
    return f"{count:,} · {percent(count, row)}" if count else "–"
