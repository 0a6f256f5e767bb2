"""A page with one field that the browser stores."""

from __future__ import annotations

import streamlit as st

from app.components import browser_storage


def _store() -> None:
    browser_storage.put("reviewer", st.session_state["name"])


browser_storage.mount()
st.session_state["name"] = browser_storage.get("reviewer", "nobody")
st.text_input("Name", key="name", on_change=_store)
