"""Which run is open: its position in the list or the queue that it was opened from and the way to the next; and, where
none is open, the runs to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import LiteralString

import streamlit as st

from app import cache, render, session_keys, state
from app.parts.table.query_bar import show_saved_views
from app.parts.table.run_list import RUN_LISTING
from trace_store.errors import NotFoundError, QueryError

LATEST, REMEMBERED = 8, 5


@dataclass(frozen=True, slots=True)
class _Position:
    """A position among `total` runs, null when the run is not among them, and the runs beside it."""

    position: int | None
    total: int
    previous: str | None
    next: str | None


def show_pager(run_id: str) -> tuple[str | None, str | None]:
    """Draw the position in the queue of the address, or else in the list of its query and sort, with the buttons to the
    runs beside it. Return the next and the previous run, None where there is none."""
    with st.container(
        key="run-pager", horizontal=True, vertical_alignment="center", gap="xsmall", width="content", wrap=False
    ):
        place = _in_queue(run_id) if state.param(state.QUEUE) else _in_list(run_id)
        if place is not None:
            _steps(place)
        show_saved_views()
    return (place.next, place.previous) if place is not None else (None, None)


def _steps(place: _Position) -> None:
    if place.position is None:
        render.note("This run is not in the list.")
    else:
        render.sentence(f"**{place.position:,}** of {place.total:,}")
    _button("Previous", "run-previous", "The run before this one (k)", ":material/chevron_left:", place.previous)
    _button("Next", "run-next", "The run after this one (j)", ":material/chevron_right:", place.next)


def open_list() -> None:
    """Open the list that the run is in."""
    state.go(state.RUNS_PAGE, q=state.param(state.QUERY), sort=state.param(state.SORT))


def _in_list(run_id: str) -> _Position | None:
    query = state.param(state.QUERY)
    try:
        place = cache.read(state.store().lists.neighbours, run_id, query, RUN_LISTING.sort())
    except QueryError as error:
        render.query_problem(query, error)
        return None
    st.button("Runs", icon=":material/arrow_back:", type="tertiary", on_click=open_list, help="Back to the list")
    if query:
        render.note(f"in {render.literal(query, 24)}", help=f"The list: {render.literal(query, 400)}")
    return (
        _Position(place.position, place.total, place.previous, place.next) if place else _Position(None, 0, None, None)
    )


def _in_queue(run_id: str) -> _Position | None:
    name = state.param(state.QUEUE)
    try:
        number = int(name) if name.isdecimal() else 0
        queue = next((queue for queue in cache.read(state.store().queues.all) if queue.id == number), None)
        place = cache.read(state.store().queues.position, number, run_id)
    except NotFoundError as error:
        render.problem(error, heading="This queue no longer exists")
        return None
    st.button(
        "Queues",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=state.go,
        args=(state.REVIEW_PAGE,),
        help="Back to the queues",
    )
    title = render.literal(queue.name, 200) if queue else ""
    render.note(f"{place.reviewed:,} of {place.total:,} reviewed", help=f"Queue {title}")
    return _Position(place.position, place.total, place.previous, place.next)


def _button(label: LiteralString, key: str, help: LiteralString, icon: str, run_id: str | None) -> None:
    st.button(
        label,
        key=key,
        icon=icon,
        icon_position="right" if key == "run-next" else "left",
        type="tertiary",
        help=help,
        disabled=run_id is None,
        on_click=_open_run,
        args=(run_id,),
    )


def _open_run(run_id: str) -> None:
    state.write(run=run_id, step=None)


def remember_run(run_id: str) -> None:
    """Remember that a run was opened, the latest first."""
    before = [one for one in session_keys.get(session_keys.OPENED_RUNS, list) or () if one != run_id]
    st.session_state[session_keys.OPENED_RUNS] = [run_id, *before][:REMEMBERED]


def show_run_choice(without: str = "") -> None:
    """Draw runs to open with one click: those opened before, and the latest; not the run `without`."""
    earlier = [run_id for run_id in session_keys.get(session_keys.OPENED_RUNS, list) or () if run_id != without]
    latest = cache.read(state.store().runs, "", RUN_LISTING.sort(), LATEST, 0).rows
    _runs("Opened before", "opened", earlier)
    _runs("Latest runs", "latest", [str(row["run_id"]) for row in latest if row["run_id"] not in earlier])


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
                help="Open this run",
                on_click=partial(state.write, run=run_id, step=None),
            )
