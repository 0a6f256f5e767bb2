"""The keys of the page: listens for those of `app.keys`, presses the controls they stand for, lists them under `?`."""

from __future__ import annotations

import streamlit as st

from app import keys, state
from app.components.assets import source

_KEY, _LISTENER = "keys", "keys-listener"

_component = st.components.v2.component(
    "trace_keys",
    html=source("keys/keys.html"),
    css=source("keys/keys.css"),
    js=source("shared/dom.js", "keys/model.js", "keys/keys.js"),
)


def mount(page: str) -> None:
    """The listener for the page of this title; once a run of the frame."""
    with st.container(key=_KEY):
        _component(
            data={
                "page": page,
                "keys": [
                    {"keys": key.keys, "does": key.does, "act": key.act, "target": key.target, "own": bool(key.pages)}
                    for key in keys.of_page(page)
                ],
            },
            key=_LISTENER,
            height=1,
            on_go_change=_went,
        )


def _went() -> None:
    """A key leads to a page: the query goes along."""
    page = keys.PAGES.get(str(st.session_state[_LISTENER].get("go")))
    if page is not None:
        state.go(page, q=state.param(state.QUERY))
