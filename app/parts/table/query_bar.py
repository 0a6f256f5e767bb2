"""The search bar: one query language on every page, its help, and the saved views.

A view keeps everything of the address under a name, so that it opens exactly what was saved: the run, the panel and
the step too.
"""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

import pandas as pd
import streamlit as st

from app import cache, render, session_keys, state
from app.components import browser_storage, query_completion
from app.parts.table.columns import DEFAULT
from trace_store.errors import TraceError
from trace_store.store import LONGEST_VIEW_NAME, SavedView
from trace_store.store.query import FIELDS, ListName

EXAMPLES = (
    "error_class:run_token_* -source:odyssey",
    "actor_status:undeclared",
    "chain:exhausted,gave_up",
    "verdict:passed failures>0",
    "latency_ms>5000 tool:get_*",
    '"refund issued"',
)
TWO_LINES_PX = 58
"""Streamlit wraps a cell's text only in rows of more than 56 pixels."""

_QUERY, _EXAMPLE = "query-text", "query-example"


def show_query_bar(listed: ListName = "runs") -> str:
    """Draw the bar of a page that lists these. Returns the query of the address as it stands, understood or not."""
    query = state.param(state.QUERY)
    with st.container(key="query-bar", horizontal=True, vertical_alignment="center", gap="small"):
        st.text_input(
            "Query",
            key=state.bound(_QUERY, query),
            on_change=_on_query_entered,
            placeholder="Search: words, or field:value — for example error_class:* actor_status:undeclared",
            label_visibility="collapsed",
            icon=":material/search:",
            width="stretch",
        )
        query_completion.mount(_QUERY, listed)
        if query:
            st.button("Clear", on_click=set_query, args=("",), type="tertiary", help="Show everything again")
        with st.popover("Fields", type="tertiary", icon=":material/help:", width="content"):
            _show_help()
        show_saved_views()
    return query


def set_query(query: str) -> None:
    """Make `query` the query of the view, from its first page."""
    state.write(q=query.strip(), page=None)


def _on_query_entered() -> None:
    set_query(st.session_state[_QUERY])


def _on_example_chosen() -> None:
    if chosen := st.session_state[_EXAMPLE]:
        set_query(chosen)


def _show_help() -> None:
    render.heading("What you can search for")
    render.note(
        "`field:value`, `field:a,b` for either, `-field:value` to exclude, `field>n`, `field:*` for any value, "
        "`field:none` for no value, `*` inside a value. Plain or quoted words search the texts. All terms must match; "
        "`OR` and ( ) work too."
    )
    st.pills(
        "Examples",
        list(EXAMPLES),
        format_func=render.literal,
        key=state.bound(_EXAMPLE, None),
        on_change=_on_example_chosen,
        help="Click one to search for it.",
    )
    st.dataframe(
        _field_table(),
        hide_index=True,
        height=330,
        width=650,
        row_height=TWO_LINES_PX,
        column_config={
            "field": st.column_config.TextColumn("Field", width=112),
            "of": st.column_config.TextColumn("Of a", width=46),
            "meaning": st.column_config.TextColumn("Meaning", width=290),
            "example": st.column_config.TextColumn("Example", width=190),
        },
        alt="The fields of the query language",
        key="query-fields",
    )


@st.cache_data(show_spinner=False)
def _field_table() -> pd.DataFrame:
    rows = [(field.name, field.of, field.description, field.example) for field in FIELDS]
    return pd.DataFrame(rows, columns=["field", "of", "meaning", "example"])


VIEW_PAGES = {
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
_PAGES_WITH_COLUMNS = ("runs", "calls")
"""Pages with columns to choose: a view of them says which, so that no other choice of its reader gets in."""

_NAME, _REPLACE, _CHOSEN = "view-name", "view-replace", "view-chosen"


def show_saved_views() -> None:
    """Draw the button beside the search bar; what is behind it is read only while it is open."""
    folded = st.popover(
        "Views", icon=":material/bookmark:", type="tertiary", width="content", on_change="rerun", key="views-popover"
    )
    if folded.open:
        with folded:
            _show_save_form()
            _show_saved([view for view in cache.read(state.store().views.all) if view.page in VIEW_PAGES])


def current_view() -> SavedView:
    """Return the present view, not named yet. Raises nothing: its name is a stand-in."""
    page = str(session_keys.get(session_keys.CURRENT_PAGE, str) or "runs")
    parameters = st.query_params.to_dict()
    if page in _PAGES_WITH_COLUMNS:
        parameters.setdefault(state.COLUMNS, DEFAULT)
    return SavedView("here", page, parameters)


def link_of(view: SavedView) -> str:
    """Return the address of the view, to send: whole where the browser told its own, else from the root of the site."""
    at = urlsplit(str(st.context.url or ""))
    path = "" if view.page == "runs" else view.page
    address = f"{at.scheme}://{at.netloc}/{path}" if at.netloc else f"/{path}"
    return f"{address}?{urlencode(dict(view.parameters))}" if view.parameters else address


def _show_save_form() -> None:
    render.note("A link to exactly this view:")
    st.code(link_of(current_view()), language=None, wrap_lines=True)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Save it as",
            key=_NAME,
            max_chars=LONGEST_VIEW_NAME,
            placeholder="Expired tokens of undeclared actors",
            help="Everyone who uses this store sees it under this name",
        )
        st.button(
            "Save", key="primary-view-save", type="primary", on_click=_save_view, help="Keep this view in the store"
        )
    st.checkbox("Replace the view of this name", key=_REPLACE, help="Otherwise a name that is taken is refused")
    failure = st.session_state.pop(session_keys.VIEW_FAILURE, None)
    if failure is not None:
        render.problem(failure, heading="The view was not changed")


def _show_saved(views: list[SavedView]) -> None:
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
        st.button(
            "Open the view", key="view-open", on_click=_open_view, args=(view,), help="Open the page as it was saved"
        )
        st.button(
            "Delete the view",
            key="view-delete",
            on_click=_delete_view,
            args=(view.name,),
            help="Delete it for everyone",
        )
    st.code(link_of(view), language=None, wrap_lines=True)
    if view.saved_by:
        render.note(f"Saved by {render.literal(view.saved_by)}.")


def _open_view(view: SavedView) -> None:
    state.go(VIEW_PAGES[view.page], **view.parameters)


def _save_view() -> None:
    name = str(st.session_state[_NAME] or "").strip()
    now = current_view()
    try:
        if not name:
            raise TraceError("a view needs a name")
        if not st.session_state[_REPLACE] and any(view.name == name for view in state.store().views.all()):
            raise TraceError(f"there is already a view {name!r}", hint="tick Replace, or choose another name")
        reviewer = browser_storage.get("reviewer") or None
        state.store().views.save(SavedView(name, now.page, now.parameters, saved_by=reviewer))
    except TraceError as error:
        st.session_state[session_keys.VIEW_FAILURE] = error
        return
    st.session_state[_NAME], st.session_state[_REPLACE], st.session_state[_CHOSEN] = "", False, name


def _delete_view(name: str) -> None:
    try:
        state.store().views.delete(name)
    except TraceError as error:
        st.session_state[session_keys.VIEW_FAILURE] = error
