"""Saved views: what the address says now, kept in the store under a name, to come back to and to send.

A view holds everything of the address, so that it opens exactly what was saved: the run, the panel and the step too.
"""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

import streamlit as st

from app import render, state, store_reads
from app.components import browser_storage
from app.parts.table.column_choice import DEFAULT
from trace_store.errors import TraceError
from trace_store.store import View
from trace_store.store.saved_views import LONGEST_NAME

PAGES = {
    "runs": state.RUNS_PAGE,
    "run": state.RUN_PAGE,
    "calls": state.CALLS_PAGE,
    "failures": state.FAILURES_PAGE,
    "actors": state.ACTORS_PAGE,
    "compare": state.COMPARE_PAGE,
    "review": state.REVIEW_PAGE,
    "judge": state.JUDGE_PAGE,
    "imports": state.IMPORTS_PAGE,
}
_LISTS = ("runs", "calls")
"""Pages with columns to choose: a view of them says which, so that no other choice of its reader gets in."""

_NAME, _REPLACE, _FAILURE, _CHOSEN = "view-name", "view-replace", "view-failure", "view-chosen"


def show() -> None:
    """The button beside the search bar; what is behind it is read only while it is open."""
    folded = st.popover(
        "Views", icon=":material/bookmark:", type="tertiary", width="content", on_change="rerun", key="views-popover"
    )
    if folded.open:
        with folded:
            _save()
            _saved([view for view in store_reads.views() if view.page in PAGES])


def here() -> View:
    """The present view, not named yet. Raises nothing: its name is a stand-in."""
    page = str(st.session_state.get("current_page", "runs"))
    parameters = st.query_params.to_dict()
    if page in _LISTS:
        parameters.setdefault(state.COLUMNS, DEFAULT)
    return View("here", page, parameters)


def link_of(view: View) -> str:
    """The address of the view, to send: whole where the browser told its own, else from the root of the site."""
    at = urlsplit(str(st.context.url or ""))
    path = "" if view.page == "runs" else view.page
    address = f"{at.scheme}://{at.netloc}/{path}" if at.netloc else f"/{path}"
    return f"{address}?{urlencode(dict(view.parameters))}" if view.parameters else address


def _save() -> None:
    render.note("A link to what you see, exactly:")
    st.code(link_of(here()), language=None, wrap_lines=True)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Save it as",
            key=_NAME,
            max_chars=LONGEST_NAME,
            placeholder="Expired tokens of undeclared actors",
            help="Everybody who uses this store finds it under this name",
        )
        st.button("Save", key="primary-view-save", type="primary", on_click=_kept, help="Keep this view in the store")
    st.checkbox("Replace a view of this name", key=_REPLACE, help="Without it, a name that is taken is refused")
    failure = st.session_state.pop(_FAILURE, None)
    if failure is not None:
        render.problem(failure, heading="Not done")


def _saved(views: list[View]) -> None:
    if not views:
        render.note("No view has been saved yet.")
        return
    by_name = {view.name: view for view in views}
    name = st.selectbox(
        "Saved views",
        list(by_name),
        format_func=lambda name: render.visible(f"{name} ({by_name[name].page})"),
        key=_CHOSEN,
        help="Type to find one",
    )
    view = by_name[name] if name in by_name else views[0]
    with st.container(horizontal=True, gap="small"):
        st.button("Open the view", key="view-open", on_click=_open, args=(view,), help="Go to what was saved")
        st.button("Delete the view", key="view-delete", on_click=_gone, args=(view.name,), help="For everybody")
    st.code(link_of(view), language=None, wrap_lines=True)
    if view.saved_by:
        render.note(f"Saved by {render.literal(view.saved_by)}.")


def _open(view: View) -> None:
    state.go(PAGES[view.page], **view.parameters)


def _kept() -> None:
    name = str(st.session_state[_NAME] or "").strip()
    now = here()
    try:
        if not name:
            raise TraceError("a view needs a name")
        if not st.session_state[_REPLACE] and any(view.name == name for view in state.store().views()):
            raise TraceError(f"there is a view {name!r} already", hint="tick Replace, or choose another name")
        reviewer = browser_storage.recall("reviewer") or None
        state.store().save_view(View(name, now.page, now.parameters, saved_by=reviewer))
    except TraceError as error:
        st.session_state[_FAILURE] = error
        return
    st.session_state[_NAME], st.session_state[_REPLACE], st.session_state[_CHOSEN] = "", False, name


def _gone(name: str) -> None:
    try:
        state.store().delete_view(name)
    except TraceError as error:
        st.session_state[_FAILURE] = error
