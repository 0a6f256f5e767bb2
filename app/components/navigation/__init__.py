"""Going to another page as one entry of the browser's history.

Streamlit's own switch sets the parameters first and the page after: two entries, the first of them a page that nobody
asked for. So the browser adds the entry itself, and Streamlit follows it as it follows Back and Forward.
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
    """Go to the page at `path` ("" for the first one) with these parameters, once for each `turn`; "" goes nowhere.
    Where it `replaces`, Back does not come to this address again. The address that is left keeps the parameter
    `say_when_empty` even if that is empty: the navigation drops parameters, and Back does not.
    Invisible; called once a run of the page."""
    target = {
        "turn": turn,
        "path": path,
        "query": urlencode(params or {}),
        "replaces": replaces,
        "sayWhenEmpty": say_when_empty,
    }
    with st.container(key=_KEY):
        _component(data=target, key=f"{_KEY}-browser", height=1)
