"""The Imports page: every import with its report, to read later."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import cache, render, state
from app.formatting import timestamp
from app.parts.imports.import_report import FILE_COLUMNS, show_import_report
from trace_store.store.query.editing import term

PAGE_ROWS = 20
IMPORT = "import"
_KEY = "imports-table"

COLUMNS = {
    "number": st.column_config.NumberColumn("#", width=44, format="%d"),
    "started": st.column_config.TextColumn("Started", width=134, help="UTC"),
    **FILE_COLUMNS,
}


def show() -> None:
    state.carry_query("imports")
    render.title("Imports", "What was imported, when, from where, and what was rejected.")
    page = max(1, _number(state.PAGE))
    rows = cache.read(state.store().imports.page, PAGE_ROWS, (page - 1) * PAGE_ROWS)
    if not rows.rows:
        render.empty_store("Nothing has been imported yet.")
        return
    ids = [int(str(row["import_id"])) for row in rows.rows]
    chosen = _number(IMPORT) if _number(IMPORT) in ids else ids[0]
    render.sentence(render.counted(rows.total, "import"))
    st.dataframe(
        table(rows.rows),
        hide_index=True,
        key=state.bound(_KEY, {"selection": {"rows": [ids.index(chosen)], "columns": [], "cells": []}}),
        on_select=lambda: _choose(ids),
        selection_mode="single-row-required",
        column_config=COLUMNS,
        height="content",
        alt="Every import, the latest first",
    )
    pages = -(-rows.total // PAGE_ROWS)
    if pages > 1:
        st.pagination(pages, key=state.bound("imports-page", min(page, pages)), on_change=_turn_page)
    with st.container(border=True, key="import-detail"):
        report = cache.read(state.store().imports.report, chosen)
        render.heading(f"Import {chosen:,}")
        st.text(render.visible(report.file))
        show_import_report("imports", [report])
        with st.container(horizontal=True):
            st.button(
                "Show its runs",
                key="import-runs",
                on_click=state.go,
                args=(state.RUNS_PAGE,),
                kwargs={"q": term("import", chosen)},
            )
            if st.button("Delete", key="import-delete", icon=":material/delete:", help="Asks first; reviews are kept"):
                _ask_to_delete(chosen)


@st.dialog("Delete import")
def _ask_to_delete(import_id: int) -> None:
    runs = cache.read(state.store().runs, term("import", import_id), None, 0, 0).total
    render.sentence(
        f"Import {import_id:,} and its **{render.counted(runs, 'run')}** will be deleted. There is no undo."
    )
    render.note(
        "Runs that a later import updated stay: they belong to that import now. Reviews stay, and so do the files."
    )
    if st.button(
        f"Delete {render.counted(runs, 'run')}",
        key="primary-delete-import",
        type="primary",
        on_click=_delete,
        args=(import_id,),
        help="This cannot be undone",
    ):
        st.rerun()


def _delete(import_id: int) -> None:
    state.store().delete_import(import_id)
    state.write(**{IMPORT: None})


def table(rows: list[dict[str, object]]) -> pd.DataFrame:
    """Return the table of imports, one row each, the latest first."""
    records = []
    for row in rows:
        seconds, size_bytes = float(str(row["seconds"])), int(str(row["size_bytes"]))
        records.append(
            {
                **row,
                "number": row["import_id"],
                "started": timestamp(row["started_at"]),
                "file": render.visible(render.tail_of_path(str(row["file"]))),
                "speed": size_bytes / 1e6 / seconds if seconds else None,
            }
        )
    return pd.DataFrame(records, columns=[column for column in COLUMNS if column != "replaced"])


def _number(name: str) -> int:
    text = state.param(name)
    return int(text) if text.isdecimal() else 0


def _choose(ids: list[int]) -> None:
    rows = st.session_state[_KEY]["selection"]["rows"]
    if rows:
        state.write(**{IMPORT: str(ids[rows[0]])})


def _turn_page() -> None:
    state.write(page=str(st.session_state["imports-page"]), **{IMPORT: None})


show()
