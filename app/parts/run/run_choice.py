"""Which run to open, where none is: those opened before in this session, and the latest of the list."""

from __future__ import annotations

from functools import partial
from typing import LiteralString

import streamlit as st

from app import cache, render, state
from app.parts.table.run_list import RUN_LISTING

_OPENED = "runs-opened"
LATEST, REMEMBERED = 8, 5


def remember(run_id: str) -> None:
    """Notes that a run was opened, the latest first."""
    before = [one for one in st.session_state.get(_OPENED, ()) if one != run_id]
    st.session_state[_OPENED] = [run_id, *before][:REMEMBERED]


def show(without: str = "") -> None:
    """Runs to open with one click; not the one that is `without` any use here."""
    opened = [run_id for run_id in st.session_state.get(_OPENED, ()) if run_id != without]
    latest = cache.read(state.store().runs, "", RUN_LISTING.sort(), LATEST, 0).rows
    _runs("Opened before", "opened", opened)
    _runs("Latest runs", "latest", [str(row["run_id"]) for row in latest if row["run_id"] not in opened])


def _runs(heading: LiteralString, key: str, run_ids: list[str]) -> None:
    if not run_ids:
        return
    render.heading(heading)
    with st.container(key=f"runs-{key}", gap="xxsmall"):
        for place, run_id in enumerate(run_ids):
            st.button(
                render.literal(run_id, 80),
                key=f"run-{key}-{place}",
                type="tertiary",
                icon=":material/arrow_forward:",
                help="Opens this run",
                on_click=partial(state.write, run=run_id, step=None),
            )
