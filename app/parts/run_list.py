"""The list of runs: its columns, its orders, and what a click on a row does."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import glossary, reading, render, state
from app.parts import columns
from app.parts.listing import Listing, Order, Rows

REVIEWS = glossary.REVIEW | {"": glossary.NOTED, "stale": glossary.STALE_REVIEW}

WORST = {severity: glossary.SEVERITY[severity] for severity in ("error", "warning")}

COLUMNS = {
    "run_id": st.column_config.TextColumn("Run"),
    "verdict": columns.words("Judge", glossary.JUDGED, width=66),
    "state": columns.words("State", glossary.RUN_STATE, width=84),
    "boundary": columns.words("Failed at", glossary.BOUNDARY, width=104),
    "worst": columns.words("Findings", WORST, width=76, help="The worst severity of the run's findings"),
    "errors": st.column_config.NumberColumn("Errors", width=50, help="Findings of the severity error"),
    "answer": st.column_config.TextColumn("Final answer", help="Its beginning, as the judge saw it (R4)"),
    "calls": st.column_config.NumberColumn("Calls", width=46, help="Entries of the proxy log"),
    "failures": st.column_config.NumberColumn("Failed", width=52, help="Failed calls, injected ones included (R19)"),
    "retries": st.column_config.NumberColumn("Retries", width=54, help="Attempts after the first of their chain (R25)"),
    "undeclared": st.column_config.NumberColumn("Undecl.", width=58, help="Calls of undeclared actors (R30)"),
    "warnings": st.column_config.NumberColumn("Warn.", width=50, help="Soft warnings (R14)"),
    "model": st.column_config.TextColumn("Model", width=96),
    "started": st.column_config.TextColumn("Started", width=114, help="UTC"),
    "review": columns.words("Review", REVIEWS, width=66),
}

ORDERS = {
    "run_id": Order("run", "id", "Z to A", "A to Z"),
    "started": Order("started", "started", "latest first", "earliest first"),
    "errors": Order("errors", "errors found"),
    "worst": Order("errors", "errors found"),
    "calls": Order("calls", "calls"),
    "failures": Order("failures", "failed calls"),
    "retries": Order("retries", "retries"),
    "undeclared": Order("undeclared", "calls of undeclared actors"),
    "warnings": Order("warnings", "warnings"),
    "model": Order("model", "model", "Z to A", "A to Z"),
    "imported": Order("imported", "imported", "latest first", "earliest first"),
}


def read(query: str, sort: str, limit: int, offset: int) -> Rows:
    """One page of the runs that the query finds. Raises QueryError."""
    page = reading.page("runs", query, sort, limit, offset)
    total = reading.page("runs", "", None, 0, 0).total if query else page.total
    return Rows(frame(page.rows), page.total, total)


def frame(rows: list[dict[str, object]]) -> pd.DataFrame:
    """The rows as the table shows them."""
    shown = [
        {
            "run_id": render.visible(str(row["run_id"])),
            "verdict": judged(row),
            "state": state_words(row),
            "boundary": [str(row["boundary"])] if row["boundary"] else [],
            "worst": worst(row),
            "errors": row["errors"] or None,
            "answer": render.visible(" ".join(str(row["answer"] or "").split())),
            "calls": row["calls"],
            "failures": row["failures"] or None,
            "retries": row["retries"] or None,
            "undeclared": row["undeclared"] or None,
            "warnings": row["warnings"] or None,
            "model": render.visible(str(row["model"] or "")),
            "started": moment(row["started_at"]),
            "review": review_words(row),
            "id": row["run_id"],
        }
        for row in rows
    ]
    return pd.DataFrame(shown, columns=[*COLUMNS, "id"])


def judged(row: dict[str, object]) -> list[str]:
    """The judge's verdict, or nothing."""
    passed = row["judge_passed"]
    return [] if passed is None else [glossary.JUDGED[bool(passed)].word]


def worst(row: dict[str, object]) -> list[str]:
    """The worst severity of the run's findings, or nothing; infos are no reason to open a run."""
    if row["errors"]:
        return [glossary.SEVERITY["error"].word]
    return [glossary.SEVERITY["warning"].word] if row["cautions"] else []


def state_words(row: dict[str, object]) -> list[str]:
    """The worst that can be said of the run itself, or nothing."""
    if row["response_error"]:
        return [glossary.RUN_STATE["response_error"].word]
    if row["failed"]:
        return [glossary.RUN_STATE["failed"].word]
    return [glossary.RUN_STATE["thin"].word] if row["view"] == "thin" else []


def review_words(row: dict[str, object]) -> list[str]:
    """The reviewer's verdict, and whether the run has changed since."""
    if not row["reviewed"]:
        return []
    verdict = [glossary.REVIEW[str(row["review"])].word] if row["review"] else [glossary.NOTED.word]
    return [*verdict, glossary.STALE_REVIEW.word] if row["review_stale"] else verdict


def moment(value: object) -> str:
    """A time of the store as a person reads it, to the minute."""
    return str(value).replace("T", " ")[:16] if value else ""


def _open(row: pd.Series) -> None:
    state.go(
        state.RUN_PAGE,
        run=str(row["id"]),
        q=state.param(state.QUERY),
        sort=state.param(state.SORT),
    )


LISTING = Listing(
    key="runs",
    noun="runs",
    orders=ORDERS,
    default_sort="-imported",
    columns=COLUMNS,
    flexible={"run_id": 1, "answer": 1},
    dispensable=("model", "warnings", "retries", "errors", "started", "undeclared", "state"),
    read=read,
    open=_open,
)
