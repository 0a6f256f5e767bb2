"""A page with one field that the browser remembers, for the tests of the memory."""

from __future__ import annotations

import streamlit as st

from app.components import memory


def _written() -> None:
    memory.keep("reviewer", st.session_state["name"])


memory.mount()
st.session_state["name"] = memory.recall("reviewer", "nobody")
st.text_input("Name", key="name", on_change=_written)
