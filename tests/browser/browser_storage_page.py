"""A page with one field that the browser remembers, for the tests of the memory."""

from __future__ import annotations

import streamlit as st

from app.components import browser_storage


def _written() -> None:
    browser_storage.keep("reviewer", st.session_state["name"])


browser_storage.mount()
st.session_state["name"] = browser_storage.recall("reviewer", "nobody")
st.text_input("Name", key="name", on_change=_written)
