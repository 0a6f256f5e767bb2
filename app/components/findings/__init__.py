"""The findings of a run, grouped by severity: each with its evidence, and what its kind means on demand."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.components.assets import source
from app.components.findings.data import FindingsData, findings_data
from app.components.payload import payload

__all__ = ["FindingsData", "findings", "findings_data"]

_component = st.components.v2.component(
    "trace_findings",
    html=source("findings/findings.html"),
    css=source("shared/theme.css", "findings/findings.css"),
    js=source(
        "shared/dom.js", "shared/literal.js", "shared/words.js", "shared/virtual_list.js", "findings/findings.js"
    ),
)


def findings(
    data: FindingsData, *, run: str, height: int = 720, key: str = "findings", on_jump: Callable[[], None] | None = None
) -> None:
    """Draws the findings of the run with the id `run` in at most `height` pixels. `on_jump` runs before the page does,
    when the reader has followed one to its evidence: `jumps.jumped_to` then tells where."""
    _component(data=payload(data, run=run, height=height), key=key, on_jump_change=on_jump or (lambda: None))
