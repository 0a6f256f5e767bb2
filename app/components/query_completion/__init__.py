"""Suggestions below the search bar while a query is typed: fields, their values, and values seen in the store.

It adds a list to Streamlit's own text field, so that whatever else the field does stays as it is. The suggestions come
over HTTP (`completion_route`), and no key press runs the page again. In the page itself and not in a shadow root: the
field has to refer to the list and its options by their ids.
"""

from __future__ import annotations

import streamlit as st

from app.components.frontend import read_files
from trace_store.store.query import ListName

_KEY = "query-completion"

_component = st.components.v2.component(
    "trace_query_completion",
    css=read_files("query_completion/query_completion.css"),
    js=read_files("shared/dom.js", "query_completion/query_completion.js"),
    isolate_styles=False,
)


def mount(field: str, listed: ListName) -> None:
    """Suggest what can stand in the text field of the widget `field`, in a query on the list."""
    with st.container(key=_KEY):
        _component(data={"field": f".st-key-{field} input", "list": listed}, key=f"{_KEY}-list", height=1)
