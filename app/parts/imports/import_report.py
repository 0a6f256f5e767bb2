"""The report of an import: what was imported, what was rejected and why, and the warnings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import LiteralString

import pandas as pd
import streamlit as st

from app import render
from app.formatting import decimal
from app.render import Height
from trace_store.reports import FileReport, RejectedDocument, group_rejections

ROWS_IN_SIGHT = 10
REASON_PX = 58
"""Two lines: Streamlit wraps a cell's text only in rows of more than 56 pixels."""

IN_FULL = 50
"""Rejections that are shown in full."""

FILE_COLUMNS = {
    "file": st.column_config.TextColumn("File"),
    "imported": st.column_config.NumberColumn("Imported", width=68, help="New runs"),
    "updated": st.column_config.NumberColumn("Updated", width=66, help="Runs already there, with other content"),
    "replaced": st.column_config.NumberColumn(
        "Replaced", width=68, help="Of the updated runs, those that an earlier document of the same file had imported"
    ),
    "unchanged": st.column_config.NumberColumn("Unchanged", width=78, help="Runs already there, with the same content"),
    "rejected": st.column_config.NumberColumn("Rejected", width=68, help="Documents that are not runs"),
    "warnings": st.column_config.NumberColumn("Warnings", width=70, help="Soft warnings of this import"),
    "redactions": st.column_config.NumberColumn("Secrets", width=60, help="Secrets redacted before storing"),
    "seconds": st.column_config.NumberColumn("Seconds", width=66, format="%.2f"),
    "speed": st.column_config.NumberColumn("MB/s", width=56, format="%.1f"),
}


def show_import_report(key: str, files: Sequence[FileReport], skipped: int = 0) -> None:
    """Draw the counts in a sentence, the files, and the lists of rejections and warnings."""
    render.sentence(summary_line(files))
    if len(files) > 1:
        _files(key, files)
    _rejections(key, files)
    _warnings(key, files)
    skipped_files = skipped + sum(file.skipped for file in files)
    if skipped_files:
        render.note(f"{render.counted(skipped_files, 'file')} skipped: by their names they hold no runs.")


def _files(key: str, files: Sequence[FileReport]) -> None:
    """Draw the files one by one: in sight where one was rejected, else folded."""
    folded = not any(file.rejected for file in files)
    with st.expander(render.counted(len(files), "file")) if folded else st.container():
        st.dataframe(
            file_table(files),
            hide_index=True,
            key=f"{key}-files",
            column_config=FILE_COLUMNS,
            height=_height(len(files)),
            alt="What was imported, file by file",
        )


def summary_line(files: Sequence[FileReport]) -> LiteralString:
    """Return the counts of all files together; those that are zero are left out."""
    imported, rejected = sum(file.imported for file in files), sum(file.rejected for file in files)
    updated, unchanged = sum(file.updated for file in files), sum(file.unchanged for file in files)
    replaced, redactions = sum(file.replaced for file in files), sum(file.redactions for file in files)
    warnings = sum(file.warnings for file in files)
    seconds = sum(file.seconds for file in files)
    speed = sum(file.size_bytes for file in files) / 1e6 / seconds if seconds else 0.0
    first = f"**{imported:,} imported**"
    second = f", {updated:,} updated" if updated else ""
    third = f" ({replaced:,} of them replaced within their file)" if replaced else ""
    fourth = f", {unchanged:,} unchanged" if unchanged else ""
    fifth = f", :red[**{rejected:,} rejected**]" if rejected else ", none rejected"
    sixth = f" · {render.counted(warnings, 'warning')}" if warnings else ""
    seventh = f" · {render.counted(redactions, 'secret')} redacted" if redactions else ""
    return f"{first}{second}{third}{fourth}{fifth}{sixth}{seventh} · {decimal(seconds, 2)} s, {decimal(speed, 1)} MB/s"


def file_table(files: Sequence[FileReport]) -> pd.DataFrame:
    """Return a table with one row a file."""
    rows = [
        {
            **{column: getattr(file, column) for column in FILE_COLUMNS if column not in {"file", "speed"}},
            "file": render.visible(render.tail_of_path(file.file)),
            "speed": file.mb_per_second,
        }
        for file in files
    ]
    return pd.DataFrame(rows, columns=list(FILE_COLUMNS))


def _rejections(key: str, files: Sequence[FileReport]) -> None:
    rejected = [(file.file, rejection) for file in files for rejection in group_rejections(file.rejections)]
    if not rejected:
        return
    total = sum(file.rejected for file in files)
    render.heading("Rejected")
    with st.container(key=f"{key}-rejected", gap="xxsmall"):
        st.code(in_full(rejected[:IN_FULL]), language=None, wrap_lines=True)
    others = rejected[IN_FULL:]
    if others:
        with st.expander(f"{len(others):,} more"):
            st.dataframe(
                pd.DataFrame(
                    [
                        [render.visible(text) for text in (file, one.place, one.reason, one.hint)]
                        for file, one in others
                    ],
                    columns=["file", "place", "reason", "hint"],
                ),
                hide_index=True,
                key=f"{key}-rejections",
                row_height=REASON_PX,
                height="content" if len(others) <= ROWS_IN_SIGHT else 34 + REASON_PX * ROWS_IN_SIGHT,
                column_config={
                    "file": st.column_config.TextColumn("File", width=160),
                    "place": st.column_config.TextColumn("Place", width=90),
                    "reason": st.column_config.TextColumn("Why", width=330),
                    "hint": st.column_config.TextColumn("What to do", width=330),
                },
                alt="The other rejected documents",
            )
    _note_cap(sum(len(file.rejections) for file in files), total)


def in_full(rejected: Sequence[tuple[str, RejectedDocument]]) -> str:
    """Return rejections as text: a line for the place of each, then indented the reason and what to do about it."""
    return "\n\n".join(
        "\n".join(
            [
                render.visible(f"{file}: {one.place}"),
                render.visible(f"  {one.reason}"),
                render.visible(f"  → {one.hint}"),
            ]
        )
        for file, one in rejected
    )


def _warnings(key: str, files: Sequence[FileReport]) -> None:
    rows = [
        (file.file, warning.run_id, warning.path or "", warning.reason) for file in files for warning in file.warned
    ]
    if not rows:
        return
    total = sum(file.warnings for file in files)
    with st.expander(render.counted(total, "warning")):
        st.dataframe(
            pd.DataFrame(
                [[render.visible(text) for text in row] for row in rows], columns=["file", "run", "path", "reason"]
            ),
            hide_index=True,
            key=f"{key}-warnings",
            height=_height(len(rows)),
            column_config={
                "file": st.column_config.TextColumn("File", width=150),
                "run": st.column_config.TextColumn("Run", width=130),
                "path": st.column_config.TextColumn("Where", width=150),
                "reason": st.column_config.TextColumn("What"),
            },
            alt="The soft warnings that this import found",
        )
        _note_cap(len(rows), total)


def _note_cap(count: int, total: int) -> None:
    if count < total:
        render.note(f"The first {count:,} of {total:,}.")


def _height(rows: int) -> Height:
    return "content" if rows <= ROWS_IN_SIGHT else 34 + 31 * ROWS_IN_SIGHT
