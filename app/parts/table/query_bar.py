"""The search bar: one query language on every page, in the address, and what can be written in it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import render, state
from app.parts.table import saved_views
from trace_store.store.query import FIELDS

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

_KEY, _EXAMPLE = "query-text", "query-example"


def show() -> str:
    """The bar. Returns the query of the address as it stands, understood or not."""
    query = state.param(state.QUERY)
    with st.container(key="query-bar", horizontal=True, vertical_alignment="center", gap="small"):
        st.text_input(
            "Query",
            key=state.bound(_KEY, query),
            on_change=_written,
            placeholder="Search: words, or field:value — for example error_class:* actor_status:undeclared",
            label_visibility="collapsed",
            icon=":material/search:",
            width="stretch",
        )
        if query:
            st.button("Clear", on_click=set_query, args=("",), type="tertiary", help="Show everything again")
        with st.popover("Fields", type="tertiary", icon=":material/help:", width="content"):
            _help()
        saved_views.show()
    return query


def set_query(query: str) -> None:
    """Makes `query` the query of the view, from its first page."""
    state.write(q=query.strip(), page=None)


def _written() -> None:
    set_query(st.session_state[_KEY])


def _example_chosen() -> None:
    if chosen := st.session_state[_EXAMPLE]:
        set_query(chosen)


def _help() -> None:
    render.heading("What can be asked")
    render.note(
        "`field:value`, `field:a,b` for either, `-field:value` for not, `field>n`, `field:*` for any, `field:none`, "
        "`*` within a value. Plain or quoted words search the texts. Terms are joined by and; `OR` and ( ) work."
    )
    st.pills(
        "Examples",
        list(EXAMPLES),
        format_func=render.literal,
        key=state.bound(_EXAMPLE, None),
        on_change=_example_chosen,
        help="A click asks it.",
    )
    st.dataframe(
        _fields(),
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
def _fields() -> pd.DataFrame:
    rows = [(field.name, field.of, field.description, field.example) for field in FIELDS]
    return pd.DataFrame(rows, columns=["field", "of", "meaning", "example"])
