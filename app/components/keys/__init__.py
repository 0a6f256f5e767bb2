"""The keys of the page: those of `app.keys` press the controls that they stand for, and `?` lists them."""

from __future__ import annotations

import streamlit as st

from app import keys, state
from app.components.frontend import read_files

_KEY, _LISTENER = "keys", "keys-listener"

_component = st.components.v2.component(
    "trace_keys",
    html=read_files("keys/keys.html"),
    css=read_files("keys/keys.css"),
    js=read_files("shared/dom.js", "keys/keys.js"),
)


def mount(page: str) -> None:
    """Listen for the keys of the page of this title; called once a run of the frame."""
    with st.container(key=_KEY):
        _component(
            data={
                "page": page,
                "form": keys.REVIEW_FORM,
                "keys": [
                    {"keys": key.keys, "does": key.does, "act": key.act, "target": key.target, "own": bool(key.pages)}
                    for key in keys.of_page(page)
                ],
            },
            key=_LISTENER,
            height=1,
            on_go_change=_go,
        )


def _go() -> None:
    """Go to the page that a key leads to, with the query."""
    page = keys.PAGES.get(str(st.session_state[_LISTENER].get("go")))
    if page is not None:
        state.go(page, q=state.param(state.QUERY))
