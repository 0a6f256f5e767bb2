"""What the reading of a run left out or could not vouch for: its soft warnings, each with who found it (R14)."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from app import render
from trace_store.model import Run, SoftWarning

_DROPPED = re.compile(r"messages\[\d+\]$")


def show(run: Run) -> None:
    """The warnings, folded; nothing where there are none."""
    if not run.warnings:
        return
    dropped = sum(is_dropped(warning) for warning in run.warnings)
    left_out = f", {dropped:,} about entries left out of the transcript" if dropped else ""
    count = len(run.warnings)
    label = f"{render.counted(count, 'warning')}{left_out}"
    with st.expander(label, icon=":material/warning:"):
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


def is_dropped(warning: SoftWarning) -> bool:
    """Whether the import left an entry of the transcript out."""
    return warning.origin == "import" and warning.path is not None and bool(_DROPPED.fullmatch(warning.path))


def table(run: Run) -> pd.DataFrame:
    """The warnings, those of the export first, as R14 orders them."""
    rows = [
        (warning.origin, render.visible(warning.path or ""), render.visible(warning.reason)) for warning in run.warnings
    ]
    return pd.DataFrame(rows, columns=["origin", "path", "reason"])
