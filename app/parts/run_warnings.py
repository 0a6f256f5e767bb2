"""What the reading of a run left out or could not vouch for: why it is thin, what was dropped, its soft warnings."""

from __future__ import annotations

import re
from typing import LiteralString

import pandas as pd
import streamlit as st

from app import render
from trace_store.model import Run, SoftWarning

_DROPPED = re.compile(r"messages\[\d+\]$")


def show(run: Run) -> None:
    """Folded while the run is rich; nothing where there is nothing to say."""
    if run.view == "thin":
        render.sentence(why_thin(run))
    if not run.warnings:
        return
    dropped = sum(is_dropped(warning) for warning in run.warnings)
    left_out = f", {dropped:,} of them about entries left out of the transcript" if dropped else ""
    count = len(run.warnings)
    label = f"{count:,} {'warning' if count == 1 else 'warnings'}{left_out}"
    with st.expander(label, expanded=run.view == "thin", icon=":material/warning:"):
        st.dataframe(
            table(run),
            hide_index=True,
            height="content" if count <= 12 else 420,
            column_config={
                "origin": st.column_config.TextColumn("Origin", width=70, help="Who found it (R14)"),
                "path": st.column_config.TextColumn("Where", width=160),
                "reason": st.column_config.TextColumn("What"),
            },
            alt="The soft warnings of this run",
            key="run-warnings",
        )


def why_thin(run: Run) -> LiteralString:
    """Why there is no transcript, in a sentence (R5)."""
    places = [warning.path or "" for warning in run.warnings]
    dropped = sum(is_dropped(warning) for warning in run.warnings)
    if "messages" in places:
        return "**Thin run:** the export has `messages`, but not as an array, so there is no transcript to show (R7)."
    if dropped:
        return f"**Thin run:** every entry of `messages` was dropped ({dropped:,}); the warnings say why (R8, R9)."
    return "**Thin run:** the export carries no messages, only the final answer (R5)."


def is_dropped(warning: SoftWarning) -> bool:
    """Whether the import left an entry of the transcript out."""
    return warning.origin == "import" and warning.path is not None and bool(_DROPPED.fullmatch(warning.path))


def table(run: Run) -> pd.DataFrame:
    """The warnings, those of the export first, as R14 orders them."""
    rows = [
        (warning.origin, render.visible(warning.path or ""), render.visible(warning.reason)) for warning in run.warnings
    ]
    return pd.DataFrame(rows, columns=["origin", "path", "reason"])
