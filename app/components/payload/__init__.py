"""One JSON value as a tree: tokens in colour, nodes that fold, long arrays page by page."""

from __future__ import annotations

import streamlit as st

from app.components.frontend import encode_json, encode_payload, read_files, read_script
from trace_store.model import JSON

_component = st.components.v2.component(
    "trace_payload",
    html=read_files("payload/payload.html"),
    css=read_files("shared/theme.css", "shared/json_tree.css", "payload/payload.css"),
    js=read_script(
        "shared/dom.js",
        "shared/text.js",
        "shared/format.js",
        "shared/json_text.js",
        "shared/json_scan.js",
        "shared/json_tree.js",
        "payload/payload.js",
    ),
)


def draw_payload(value: JSON, *, key: str) -> None:
    """Draw a value that is not a text; a text is shown as it is, by other means."""
    _component(data=encode_payload({"json": encode_json(value)}), key=key)
