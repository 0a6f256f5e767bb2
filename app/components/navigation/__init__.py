"""The way from page to page as one step for Back.

Streamlit's own switch sets the parameters first and the page after: two steps, the first of them a page that nobody
asked for. So the browser makes the step itself, and tells Streamlit as if the reader had come there by Back or Forward.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from app.components.frontend import read_files

_KEY = "navigation"

_component = st.components.v2.component("trace_navigation", js=read_files("navigation/navigation.js"))


def mount(
    turn: str = "",
    path: str = "",
    params: Mapping[str, str] | None = None,
    *,
    replaces: bool = False,
    say_when_empty: str = "",
) -> None:
    """Leads to the page at `path` ("" for the first one) and these parameters, once for each `turn`; "" leads nowhere.
    Where it `replaces`, Back does not come to this address again. The address that is left says of the parameter
    `say_when_empty` that it is, where it is, so that Back can be told from the navigation, which drops parameters.
    Invisible; once a run of the page."""
    where = {
        "turn": turn,
        "path": path,
        "query": urlencode(params or {}),
        "replaces": replaces,
        "sayWhenEmpty": say_when_empty,
    }
    with st.container(key=_KEY):
        _component(data=where, key=f"{_KEY}-browser", height=1)
