"""Review queues: made of what the query finds, in order or drawn at random, and worked through run by run."""

from __future__ import annotations

from typing import LiteralString

import streamlit as st

from app import cache, render, state
from app.formatting import timestamp
from app.parts.review import actions
from app.parts.table.run_list import RUN_LISTING
from trace_store.store import Queue
from trace_store.store.query.editing import add_query, term

IN_ORDER, AT_RANDOM = "All of them, in the order of the list", "A random sample"
SHOWN = 8
_NAME_LENGTH = 80


def show_queues(query: str, runs: int, unreviewed: int) -> None:
    """Draw the queues with their progress, and the form that makes one of the `runs` that the query finds."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        _list()
    with right:
        _form(query, runs, unreviewed)


def _list() -> None:
    queues = cache.read(state.store().queues.all)
    render.heading("Queues", help="A queue keeps its runs: reviewed ones stay in it, and everybody sees the same.")
    if not queues:
        render.empty("There is no queue yet.", "Make one from the runs that the query finds.")
        return
    chosen = state.param(state.QUEUE)
    first = sorted(queues, key=lambda queue: str(queue.id) != chosen)  # the one just made, or just left, is in sight
    for queue in first[:SHOWN]:
        _queue(queue)
    if len(queues) > SHOWN:
        others = {queue.id: queue for queue in first[SHOWN:]}
        st.selectbox(
            f"{SHOWN} of {len(queues):,} queues. Another one",
            list(others),
            index=None,
            format_func=lambda number: render.visible(others[number].name),
            key="queue-other",
            placeholder="Choose a queue",
            on_change=_choose_other,
        )


def _queue(queue: Queue) -> None:
    is_done = queue.runs > 0 and queue.reviewed == queue.runs
    with st.container(border=True, gap="xsmall", key=f"queue-{queue.id}"):
        by = f" by {render.literal(queue.made_by, 24)}" if queue.made_by else ""
        creation = f" · made {render.literal(timestamp(queue.made_at))}{by}"
        seed = f" · drawn with seed {queue.seed:,}" if queue.seed is not None else ""
        gone = f" · {render.counted(queue.gone, 'run')} no longer in the store" if queue.gone else ""
        render.progress(
            queue.reviewed / queue.runs if queue.runs else 0.0,
            f"**{render.literal(queue.name, 60)}** · {queue.reviewed:,} of {queue.runs:,} reviewed",
        )
        asks = render.literal(queue.query, 60) if queue.query else "all runs"
        render.note(f"{asks}{seed}{creation}{gone}")
        with st.container(horizontal=True, gap="xsmall"):
            st.button(
                "All reviewed" if is_done else "Continue" if queue.reviewed else "Begin",
                key=f"queue-open-{queue.id}",
                type="secondary" if is_done else "primary",
                disabled=is_done or not queue.runs,
                help="Open its first run that has no review",
                on_click=_open,
                args=(queue.id,),
            )
            st.button(
                "Show its runs",
                key=f"queue-runs-{queue.id}",
                type="tertiary",
                help="The runs of the queue as a list",
                on_click=state.go,
                args=(state.RUNS_PAGE,),
                kwargs={"q": term("queue", queue.id)},
            )
            with st.popover("Delete", type="tertiary", key=f"queue-delete-{queue.id}", help="Delete the queue"):
                render.note("Its runs and their reviews stay.")
                st.button(
                    "Delete the queue",
                    key=f"queue-delete-now-{queue.id}",
                    help="This cannot be undone",
                    on_click=_delete,
                    args=(queue.id,),
                )


def _form(query: str, runs: int, unreviewed: int) -> None:
    render.heading("A new queue", help="With the runs that the query above finds now.")
    only = st.toggle(
        f"Only those not reviewed ({unreviewed:,})",
        value=unreviewed > 0,
        key="queue-unreviewed",
        disabled=unreviewed == 0,
        help="Leave out the runs that already have a review",
    )
    count = unreviewed if only else runs
    how = st.radio(
        f"Of {render.counted(count, 'run')}",
        [IN_ORDER, AT_RANDOM],
        key="queue-how",
        help="The seed decides which runs are drawn: the same seed draws the same ones from the same runs.",
    )
    with st.container(horizontal=True, gap="small"):
        if how == AT_RANDOM:
            st.number_input(
                "Runs",
                1,
                max(1, count),
                min(20, max(1, count)),
                key="queue-size",
                help="How many are drawn",
            )
            st.number_input("Seed", 0, 2**31 - 1, 1, key="queue-seed", help="Any number; it is stored with the queue")
    st.text_input(
        "Name",
        key="queue-name",
        max_chars=_NAME_LENGTH,
        placeholder=_suggested(),
        help="Reviewers find the queue by its name",
    )
    st.button(
        "Make the queue",
        key="queue-make",
        type="primary",
        disabled=count == 0,
        help="Keep these runs in a queue, in this order",
        on_click=_make,
        args=(add_query(query, term("reviewed", "false")) if only else query, how == AT_RANDOM),
    )
    actions.show_outcome("queues")


def _suggested() -> LiteralString:
    return f"Queue {len(cache.read(state.store().queues.all)) + 1:d}"


def _make(query: str, is_sample: bool) -> None:
    name = (st.session_state["queue-name"] or "").strip() or _suggested()
    outcome = actions.make_queue(
        "queues",
        name,
        query,
        state.param(state.SORT) or RUN_LISTING.default_sort,
        sample=int(st.session_state["queue-size"]) if is_sample else None,
        seed=int(st.session_state["queue-seed"]) if is_sample else None,
    )
    if outcome.queue is not None:
        actions.keep_outcome("queues", None)  # the list shows the queue
        st.session_state["queue-name"] = ""
        state.write(queue=str(outcome.queue))


def _open(queue_id: int) -> None:
    place = state.store().queues.position(queue_id, None)
    state.go(state.RUN_PAGE, run=place.next_unreviewed or place.next, queue=str(queue_id))


def _choose_other() -> None:
    number = st.session_state["queue-other"]
    state.write(queue=str(number) if number is not None else None)


def _delete(queue_id: int) -> None:
    def delete() -> actions.Outcome:
        state.store().queues.delete(queue_id)
        return actions.Outcome("The queue was deleted")

    actions.attempt("queues", "The queue was not deleted", delete)
    state.write(queue=None)
