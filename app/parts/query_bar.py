"""The search bar: one query language on every page, in the address, and what can be written in it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import render, state
from trace_store.store.query import FIELDS

EXAMPLES = (
    ("error_class:run_token_* -source:odyssey", "calls refused for a run token, whoever answered but the simulator"),
    ("actor_status:undeclared", "calls by an actor that the catalog does not declare"),
    ("chain:exhausted,gave_up", "logical calls that never got through"),
    ("verdict:passed severity:error", "passed by the judge, though the evidence has errors"),
    ("latency_ms>5000 tool:get_*", "slow calls of some tools"),
    ('"refund issued"', "these words, one after the other, anywhere in a run"),
)
_KEY = "query-text"


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
    return query


def set_query(query: str) -> None:
    """Makes `query` the query of the view, from its first page."""
    state.write(q=query.strip(), page=None)


def _written() -> None:
    set_query(st.session_state[_KEY])


def _help() -> None:
    render.heading("What can be asked")
    render.note(
        "`field:value`, `field:a,b` for either, `-field:value` for not, `field>n`, `field:*` for any, `field:none`, "
        "`*` within a value. Plain or quoted words search the texts. Terms are joined by and; `OR` and ( ) work."
    )
    for query, meaning in EXAMPLES:
        st.button(
            render.literal(query),
            key=f"example-{query}",
            help=meaning,
            on_click=set_query,
            args=(query,),
            type="tertiary",
        )
    st.dataframe(
        _fields(),
        hide_index=True,
        height=280,
        width=720,
        column_config={
            "field": st.column_config.TextColumn("Field", width=120),
            "of": st.column_config.TextColumn("Of a", width=50),
            "meaning": st.column_config.TextColumn("Meaning", width=320),
            "example": st.column_config.TextColumn("Example", width=200),
        },
        alt="The fields of the query language",
        key="query-fields",
    )


@st.cache_data(show_spinner=False)
def _fields() -> pd.DataFrame:
    rows = [(field.name, field.of, field.description, field.example) for field in FIELDS]
    return pd.DataFrame(rows, columns=["field", "of", "meaning", "example"])
