"""Reviews as files: export those of the runs that the query finds, and import them again."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import LiteralString

import streamlit as st

from app import render, session_keys, state
from trace_store.errors import TraceError
from trace_store.exports.tables import ReviewFormat, write_reviews
from trace_store.importing.review_files import ReviewsReport, import_reviews

_UPLOAD, _ROWS = "reviews-upload", 100


def show_review_files(query: str, reviewed: int) -> None:
    """Draw downloads of the reviews that the query finds, and an upload with its report."""
    left, right = st.columns(2, gap="large")
    with left:
        render.heading("Export")
        render.note(f"The reviews of the runs that the query finds: {reviewed:,}. The files can be imported again.")
        with st.container(horizontal=True, gap="small"):
            _download("Download JSONL", query, "jsonl", "application/x-ndjson", reviewed)
            _download("Download CSV", query, "csv", "text/csv", reviewed)
    with right:
        render.heading("Import")
        render.note("JSONL or CSV, as the export writes them. An imported review replaces the one that its run has.")
        st.file_uploader(
            "Files with reviews",
            type=["jsonl", "csv", "json"],
            accept_multiple_files=True,
            # Empty again after each import: else its files would be imported once more with the next one.
            key=_uploader(),
            on_change=_import,
            label_visibility="collapsed",
        )
        for number, report in enumerate(session_keys.get(session_keys.REVIEW_REPORTS, list) or ()):
            _report(report, f"reviews-report-{number}")


def _download(label: LiteralString, query: str, form: ReviewFormat, mime: str, reviewed: int) -> None:
    st.download_button(
        label,
        data=partial(_export, query, form),
        file_name=f"reviews.{form}",
        mime=mime,
        key=f"reviews-{form}",
        disabled=reviewed == 0,
        on_click="ignore",
        help="One review a line: run id, verdict, actor, decisive step, failure mode, note, reviewer and tags",
    )


def _export(query: str, form: ReviewFormat) -> bytes:
    out = BytesIO()
    write_reviews(state.store().reviews.each(query), out, form)
    return out.getvalue()


def _uploader() -> str:
    return f"{_UPLOAD}-{session_keys.turn(_UPLOAD)}"


def _import() -> None:
    reports: list[ReviewsReport | TraceError] = []
    for file in st.session_state[_uploader()] or ():
        try:
            reports.append(import_reviews(state.store(), file.name, file))
        except TraceError as error:
            reports.append(error)
    st.session_state[session_keys.REVIEW_REPORTS] = reports
    session_keys.next_turn(_UPLOAD)


def _report(report: ReviewsReport | TraceError, key: str) -> None:
    if isinstance(report, TraceError):
        render.problem(report, heading="The reviews were not imported")
        return
    with st.container(border=True, gap="xsmall", key=key):
        st.text(render.visible(report.name))
        render.sentence(
            f"**{report.saved:,}** saved, {report.unchanged:,} unchanged, {len(report.rejected):,} rejected"
        )
        if report.rejected:
            lines = (f"{bad.place}: {bad.reason}. {bad.hint}" for bad in report.rejected[:_ROWS])
            st.text(render.visible_lines(lines))
            if len(report.rejected) > _ROWS:
                render.note(f"The first {_ROWS:,} of {len(report.rejected):,}.")
