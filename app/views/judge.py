"""The Judge page: the judge's verdicts compared with the evidence and the reviewers."""

from __future__ import annotations

from functools import partial

import streamlit as st

from app import cache, render, state
from app.parts.judge import (
    FAILED_WITHOUT,
    PASSED_WITH,
    count_pairs,
    show_error_table,
    show_evidence_table,
    show_group_table,
    show_reviewer_table,
)
from app.parts.table.cells import open_list
from app.parts.table.query_bar import show_query_bar
from trace_store.errors import QueryError
from trace_store.store import Judgements


def show() -> None:
    state.carry_query("judge")
    render.title("Judge", "Where do the judge, the evidence and the reviewers disagree?")
    if cache.read(state.store().figures.totals, "").runs == 0:
        render.empty_store("There are no verdicts yet.")
        return
    query = show_query_bar()
    try:
        judgements = cache.read(state.store().figures.judgements, query)
    except QueryError as error:
        render.query_problem(query, error)
        return
    if judgements.evidence.empty:
        render.empty("Nothing matches this query.", "Remove a filter, or clear the query.")
        return
    _disagreements(query, judgements)
    left, right = st.columns(2, gap="medium")
    with left:
        show_evidence_table(query, judgements.evidence)
    with right:
        show_reviewer_table(query, judgements.reviewers)
    left, right = st.columns(2, gap="medium")
    with left:
        show_error_table(query, judgements.errors)
    with right:
        show_group_table("model", "Models", query, judgements.groups["model"])
        show_group_table("check", "Checks", query, judgements.groups["check"])


def _disagreements(query: str, judgements: Judgements) -> None:
    counts = count_pairs(judgements.evidence, "evidence")
    passed_with_errors = counts.get(("passed", "errors"), 0)
    failed_without_errors = counts.get(("failed", "warnings"), 0) + counts.get(("failed", "clean"), 0)
    unjudged = sum(count for (verdict, _), count in counts.items() if verdict is None)
    open_runs = partial(open_list, state.RUNS_PAGE, query)
    with st.container(key="judge-figures", horizontal=True, gap="small"):
        st.button(
            f"**{passed_with_errors:,d}** passed with errors",
            key="judge-passed-with-errors",
            help="The judge passed the run, though the evidence shows an error. Click to see them.",
            on_click=open_runs,
            args=(PASSED_WITH,),
            width="stretch",
        )
        st.button(
            f"**{failed_without_errors:,d}** failed without errors",
            key="judge-failed-without",
            help="The judge failed the run, and the evidence shows no error. Click to see them.",
            on_click=open_runs,
            args=(FAILED_WITHOUT,),
            width="stretch",
        )
        st.button(
            f"**{unjudged:,d}** not judged",
            key="judge-unjudged",
            help="The export has no verdict. Click to see them.",
            on_click=open_runs,
            args=("verdict:none",),
            width="stretch",
        )


show()
