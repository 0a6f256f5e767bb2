"""Where the open run stands in the list or the queue that it was opened from, and the way to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import LiteralString

import streamlit as st

from app import cache, render, state
from app.parts.table.query_bar import show_saved_views
from app.parts.table.run_list import RUN_LISTING
from trace_store.errors import NotFoundError, QueryError


@dataclass(frozen=True, slots=True)
class _Place:
    """A place among `total` runs, null when the run is not among them, and the runs beside it."""

    position: int | None
    total: int
    previous: str | None
    next: str | None


def show(run_id: str) -> tuple[str | None, str | None]:
    """Position in the queue of the address, or else in the list of its query and sort, with the runs before and after
    on the keys k and j. Returns the next and the previous one, nulls where there is none."""
    with st.container(key="run-pager", horizontal=True, vertical_alignment="center", gap="small"):
        place = _in_queue(run_id) if state.param(state.QUEUE) else _in_list(run_id)
        if place is not None:
            _steps(place)
        show_saved_views()
    return (place.next, place.previous) if place is not None else (None, None)


def _steps(place: _Place) -> None:
    if place.position is None:
        render.note("This run is not in it.")
    else:
        render.sentence(f"**{place.position:,}** of {place.total:,}")
    _button("Previous", "run-previous", "The run before this one (k)", ":material/chevron_left:", place.previous)
    _button("Next", "run-next", "The run after this one (j)", ":material/chevron_right:", place.next)


def to_the_list() -> None:
    """Opens the list that the run stands in."""
    state.go(state.RUNS_PAGE, q=state.param(state.QUERY), sort=state.param(state.SORT))


def _in_list(run_id: str) -> _Place | None:
    query = state.param(state.QUERY)
    try:
        place = cache.read(state.store().lists.neighbours, run_id, query, RUN_LISTING.sort())
    except QueryError as error:
        render.query_problem(query, error)
        return None
    st.button("Runs", icon=":material/arrow_back:", type="tertiary", on_click=to_the_list, help="Back to the list")
    with st.container(width="stretch"):
        render.note(f"in {render.literal(query, 90)}" if query else "in all runs")
    return _Place(place.position, place.total, place.previous, place.next) if place else _Place(None, 0, None, None)


def _in_queue(run_id: str) -> _Place | None:
    asked = state.param(state.QUEUE)
    try:
        number = int(asked) if asked.isdecimal() else 0
        queue = next((one for one in cache.read(state.store().queues.all) if one.id == number), None)
        place = cache.read(state.store().queues.position, number, run_id)
    except NotFoundError as error:
        render.problem(error, heading="This queue is gone")
        return None
    st.button(
        "Queues",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=state.go,
        args=(state.REVIEW_PAGE,),
        help="Back to the queues",
    )
    with st.container(width="stretch"):
        name = render.literal(queue.name, 60) if queue else ""
        render.note(f"Queue {name} · {place.reviewed:,} of {place.total:,} reviewed")
    return _Place(place.position, place.total, place.previous, place.next)


def _button(label: LiteralString, key: str, help: LiteralString, icon: str, run_id: str | None) -> None:
    st.button(
        label,
        key=key,
        icon=icon,
        icon_position="right" if key == "run-next" else "left",
        help=help,
        disabled=run_id is None,
        on_click=_opened,
        args=(run_id,),
    )


def _opened(run_id: str) -> None:
    state.write(run=run_id, step=None)
