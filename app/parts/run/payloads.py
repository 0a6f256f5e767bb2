"""How arguments, responses and documents are shown: exact, in full up to a cap, and the cap says what it hides."""

from __future__ import annotations

from typing import LiteralString

import orjson
import streamlit as st

from app import render
from app.render import Height
from trace_store.model import JSON

CAP = 20_000
"""Characters of one payload that are sent to the browser."""


def show(label: LiteralString, value: JSON, *, height: int | None = None) -> None:
    """One payload under its name: a text as it is, anything else as indented JSON. Null is said in words."""
    render.note(label)
    if value is None:
        st.text("null")
        return
    text = value if isinstance(value, str) else pretty(value)
    capped(text, height=height)


def capped(text: str, *, cap: int = CAP, height: int | None = None) -> None:
    """A text as code without a language, at most `cap` characters of it, and how much that is of the whole."""
    box: Height = height if height is not None else ("content" if text.count("\n") < 16 else 320)
    st.code(text[:cap], language=None, wrap_lines=True, height=box)
    if len(text) > cap:
        render.note(f"{cap:,} of {len(text):,} characters. The Raw panel has the whole document.")


def pretty(value: JSON) -> str:
    """A JSON value as text, indented by two."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS).decode()
