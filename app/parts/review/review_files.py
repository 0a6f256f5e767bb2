"""Reviews as files: those of what the query finds, to keep or to work on elsewhere, and back again."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import LiteralString

import streamlit as st

from app import render, state
from trace_store.errors import TraceError
from trace_store.exports.reviews import Form, write_reviews
from trace_store.importing.review_files import ReviewsReport, import_reviews

_REPORTS, _UPLOAD, _ROWS = "reviews-imported", "reviews-upload", 100


def show(query: str, reviewed: int) -> None:
    """Downloads of the reviews that the query finds, and an upload with its report."""
    left, right = st.columns(2, gap="large")
    with left:
        render.heading("Export")
        render.note(f"The reviews of what the query finds: {reviewed:,}. They can be imported again as they are.")
        with st.container(horizontal=True, gap="small"):
            _download("Download JSONL", query, "jsonl", "application/x-ndjson", reviewed)
            _download("Download CSV", query, "csv", "text/csv", reviewed)
    with right:
        render.heading("Import")
        render.note("JSONL or CSV, as the export writes them. A review takes the place of the one that its run has.")
        st.file_uploader(
            "Files with reviews",
            type=["jsonl", "csv", "json"],
            accept_multiple_files=True,
            # Empty again after each import: what it still held would be imported once more with the next file.
            key=f"{_UPLOAD}-{st.session_state.setdefault(_UPLOAD, 0)}",
            on_change=_uploaded,
            label_visibility="collapsed",
        )
        for number, report in enumerate(st.session_state.get(_REPORTS, ())):
            _report(report, f"reviews-report-{number}")


def _download(label: LiteralString, query: str, form: Form, mime: str, reviewed: int) -> None:
    st.download_button(
        label,
        data=partial(_written, query, form),
        file_name=f"reviews.{form}",
        mime=mime,
        key=f"reviews-{form}",
        disabled=reviewed == 0,
        on_click="ignore",
        help="One review a line; with the run's id, the verdict, who and where, the note and the tags",
    )


def _written(query: str, form: Form) -> bytes:
    out = BytesIO()
    write_reviews(state.store().each_review(query), out, form)
    return out.getvalue()


def _uploaded() -> None:
    reports: list[ReviewsReport | TraceError] = []
    for file in st.session_state[f"{_UPLOAD}-{st.session_state[_UPLOAD]}"] or ():
        try:
            reports.append(import_reviews(state.store(), file.name, file))
        except TraceError as error:
            reports.append(error)
    st.session_state[_REPORTS] = reports
    st.session_state[_UPLOAD] += 1


def _report(report: ReviewsReport | TraceError, key: str) -> None:
    if isinstance(report, TraceError):
        render.problem(report, heading="The reviews were not imported")
        return
    with st.container(border=True, gap="xsmall", key=key):
        st.text(render.visible(report.name))
        render.sentence(
            f"**{report.saved:,}** saved, {report.unchanged:,} there already, {len(report.rejected):,} rejected"
        )
        if report.rejected:
            lines = (f"{bad.place}: {bad.reason}. {bad.hint}" for bad in report.rejected[:_ROWS])
            st.text(render.visible_lines(lines))
            if len(report.rejected) > _ROWS:
                render.note(f"The first {_ROWS:,} of {len(report.rejected):,}.")
