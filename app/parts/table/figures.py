"""The figures above the list of runs: what a reviewer asks first. Each is a filter: a click sets or lifts it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from app.parts.table import query_bar
from trace_store.store.figures.totals import Totals
from trace_store.store.query.editing import has, toggle


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of `Totals`, in words, and the term that it stands for."""

    of: str
    word: str
    field: str
    value: str
    meaning: str


FIGURES = (
    Figure(
        "failed",
        "ended in failure",
        "failed",
        "true",
        "No answer, an error class of the run, or its status says so (R3)",
    ),
    Figure("with_errors", "with error findings", "severity", "error", "The evidence shows at least one error"),
    Figure("undeclared", "undeclared actors", "actor_status", "undeclared", "Calls by actors not in the catalog (R30)"),
    Figure("exhausted", "exhausted retries", "chain", "exhausted", "A logical call whose attempts all failed (R27)"),
    Figure("thin", "thin", "view", "thin", "No transcript, only the final answer (R5)"),
    Figure("unreviewed", "unreviewed", "reviewed", "false", "Nobody has saved a review yet"),
)


def show(query: str, totals: Totals) -> None:
    """One button a figure, the number first; those that the query asks for are pressed."""
    with st.container(key="figures", horizontal=True, gap="small"):
        for figure in FIGURES:
            pressed = has(query, figure.field, figure.value)
            st.button(
                f"**{getattr(totals, figure.of):,}** {figure.word}",
                key=f"figure-{figure.of}",
                type="primary" if pressed else "secondary",
                help=f"{figure.meaning}. {'Click to lift this filter.' if pressed else 'Click to see only these.'}",
                on_click=_toggled,
                args=(query, figure),
                width="stretch",
            )


def _toggled(query: str, figure: Figure) -> None:
    query_bar.set_query(toggle(query, figure.field, figure.value))
