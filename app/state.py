"""The store handle, and what lives in the address, so that a link is a view and Back undoes.

The address is the only state of a view. A widget is seeded from it before it is drawn (`bound`) and writes to it in
its callback (`write`). Streamlit's own binding of widgets to parameters loses them on the way from page to page.
"""

from __future__ import annotations

from pathlib import Path
from time import time_ns

import streamlit as st

from app import session_keys
from app.components import navigation
from trace_store.settings import Settings
from trace_store.store import Store

RUNS_PAGE, RUN_PAGE, CALLS_PAGE = "views/runs.py", "views/run.py", "views/calls.py"
FAILURES_PAGE, IMPORTS_PAGE = "views/failures.py", "views/imports.py"
ACTORS_PAGE, COMPARE_PAGE = "views/actors.py", "views/compare.py"
REVIEW_PAGE, JUDGE_PAGE = "views/review.py", "views/judge.py"
TYPED_PATH = "runs"
"""The path that people type for the first page."""

QUERY, SORT, PAGE, RUN, PANEL, STEP, SIDE = "q", "sort", "page", "run", "panel", "step", "side"
COLUMNS = "cols"
SIGNATURE, SECTION, OTHERS = "signature", "section", "others"
"""Of the failures: the terms of the chosen group, the breakdowns that are open, and whether rare signatures are."""
LEFT, RIGHT, AGAINST, TASK, QUEUE = "left", "right", "against", "task", "queue"
"""Two runs, the query that `q` is held against, a task's repeats; and a review queue."""

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """Return the environment, read once a process."""
    return Settings()


@st.cache_resource(show_spinner=False, max_entries=4)
def _open(url: str) -> Store:
    return Store.open(url)


def store() -> Store:
    """Return the store of this process, opened once. Raises StoreError."""
    return _open(settings().store_url)


def is_loopback() -> bool:
    """Return whether only this machine can reach the app."""
    return st.get_option("server.address") in _LOOPBACK


def param(name: str, default: str = "") -> str:
    """Return a parameter of the address."""
    return str(st.query_params.get(name, default))


def write(**params: str | None) -> None:
    """Set parameters of the address; None or "" takes one away. All at once: each change of the address is a step
    that Back undoes."""
    address = {name: value for name, value in (st.query_params.to_dict() | params).items() if value}
    if address != st.query_params.to_dict():
        st.query_params.from_dict(address)
    if QUERY in params:
        st.session_state[session_keys.CARRIED_QUERY] = params[QUERY] or ""


def bound(key: str, value: object) -> str:
    """Seed the widget `key` with `value`, so that it shows what the address says; returns the key."""
    st.session_state[key] = value
    return key


def carry_query(page: str) -> None:
    """Bring the query along when the navigation, which drops the address's parameters, has led to another page; and
    takes away what only the page of a run means, which Streamlit leaves in the address of the list on the way back."""
    came_from = st.session_state.get(session_keys.CURRENT_PAGE, page)
    st.session_state[session_keys.CURRENT_PAGE] = page
    visit = session_keys.get(session_keys.VISIT, int)
    st.session_state[session_keys.VISIT] = (int(not st.query_params) if visit is None else visit) + (came_from != page)
    carried = st.session_state.get(session_keys.CARRIED_QUERY, "")
    query = carried if came_from != page and QUERY not in st.query_params else param(QUERY)
    write(q=query, **({} if page == "run" else {RUN: None, PANEL: None, STEP: None, SIDE: None}))
    st.session_state[session_keys.CARRIED_QUERY] = param(QUERY)


def go(page: str, **params: str | None) -> None:
    """Open a page of the app at these parameters, from a callback: the frame then goes there (`depart`)."""
    parameters = {name: value for name, value in params.items() if value}
    st.session_state[session_keys.CARRIED_QUERY] = parameters.get(QUERY, "")
    st.session_state[session_keys.DESTINATION] = (
        str(time_ns()),
        "" if page == RUNS_PAGE else Path(page).stem,
        parameters,
    )


def depart(path: str) -> None:
    """Go where a callback wanted to go, from the page at `path`; what was reached is forgotten. The first page has
    one address, which the navigation knows; the path that people type leads there."""
    if path == TYPED_PATH:
        navigation.mount(str(time_ns()), "", st.query_params.to_dict(), replaces=True)
        return
    turn, wanted, params = st.session_state.get(session_keys.DESTINATION, ("", "", {}))
    if (path, st.query_params.to_dict()) == (wanted, params):
        st.session_state.pop(session_keys.DESTINATION, None)
        turn = ""
    navigation.mount(turn, wanted, params, say_when_empty=QUERY)
