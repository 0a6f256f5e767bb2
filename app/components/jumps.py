"""What the reader has followed in a component that leads elsewhere."""

from __future__ import annotations

from typing import cast

import streamlit as st


def jumped_to(key: str) -> str | None:
    """The path that the reader asked the component `key` for; only known in its `on_jump`."""
    jump = st.session_state[key].get("jump")
    return cast("str", jump["path"]) if isinstance(jump, dict) and isinstance(jump.get("path"), str) else None
