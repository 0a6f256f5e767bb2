"""Filters beside and above a list: figures and facets. A click writes a term into the query or takes it out again.

The query's text is the only state: what is pressed or chosen here is what the text asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app import cache, render, state
from app.glossary import COUNT
from app.parts.table.query_bar import set_query
from trace_store.store import Totals
from trace_store.store.query import Field, FieldValue, ListName, field_named
from trace_store.store.query.editing import add_value, clear_field, has_value, remove_value, toggle_value


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
        COUNT["run_failures"].meaning,
    ),
    Figure("with_errors", "with error findings", "severity", "error", "At least one finding of severity error."),
    Figure("undeclared", "undeclared actors", "actor_status", "undeclared", "Calls by actors not in the catalog."),
    Figure("exhausted", "exhausted retries", "chain", "exhausted", COUNT["exhausted"].meaning),
    Figure("thin", "thin", "view", "thin", "No transcript, only the final answer."),
    Figure("unreviewed", "unreviewed", "reviewed", "false", "Nobody has saved a review yet."),
)


def show_figures(query: str, totals: Totals) -> None:
    """Draw one button a figure, the number first; those that the query asks for are pressed."""
    with st.container(key="figures", horizontal=True, gap="small"):
        for figure in FIGURES:
            pressed = has_value(query, figure.field, figure.value)
            st.button(
                f"**{getattr(totals, figure.of):,}** {figure.word}",
                key=f"figure-{figure.of}",
                type="primary" if pressed else "secondary",
                help=f"{figure.meaning} {'Click to remove this filter.' if pressed else 'Click to see only these.'}",
                on_click=_on_figure_clicked,
                args=(query, figure),
                width="stretch",
            )


def _on_figure_clicked(query: str, figure: Figure) -> None:
    set_query(toggle_value(query, figure.field, figure.value))


PILLS = 6
"""A field with more values gets a list to choose from, so that the sidebar stays short."""
NARROW, WIDE = 22, 44
"""Characters of a name that fit into a pill of the sidebar, or of the page. Longer ones get the list, too."""
VALUES = 200


@dataclass(frozen=True, slots=True)
class Facet:
    """A field of the query as a facet, under the name that the sidebar gives it."""

    field: str
    name: str

    @property
    def label(self) -> str:
        """Return the name, with the field to type in a query beside it where that is another word."""
        return self.name if self.name.lower() == self.field else f"{self.name} :gray[{self.field}]"


RUN_FACETS = (
    Facet("verdict", "Judge"),
    Facet("view", "View"),
    Facet("run_status", "Run status"),
    Facet("boundary", "First failed at"),
    Facet("severity", "Severity of findings"),
    Facet("finding", "Kind of finding"),
    Facet("error_class", "Error class of calls"),
    Facet("actor_status", "Actor status"),
    Facet("outcome", "Outcome of calls"),
)
MORE_RUN_FACETS = (
    Facet("tool", "Tool"),
    Facet("source", "Source"),
    Facet("chain", "Retry chains"),
    Facet("model", "Model"),
    Facet("task", "Task"),
    Facet("scenario", "Scenario"),
    Facet("check", "Check"),
    Facet("agent", "Agent"),
    Facet("prompt", "System prompt"),
    Facet("run_error_class", "Error class of runs"),
    Facet("boundary_tool", "Tool at the failed boundary"),
    Facet("boundary_class", "Class at the failed boundary"),
    Facet("review", "Reviewer's verdict"),
    Facet("reviewer", "Reviewer"),
    Facet("responsible", "Responsible actor"),
    Facet("failure_mode", "Failure mode"),
    Facet("tag", "Tag"),
    Facet("queue", "Review queue"),
    Facet("import", "Import"),
    Facet("file", "File"),
)


def show_facet_sidebar(listed: ListName, query: str, facets: Sequence[Facet], more: Sequence[Facet]) -> None:
    """Draw the facets in the sidebar; those in `more` are read only while they are open. `query` is one that parses."""
    load_facets(listed, query, facets)
    with st.sidebar, st.container(key="facets", gap="small"):
        for facet in facets:
            show_facet(listed, query, facet)
        folded = st.expander("More filters", on_change="rerun", key="more-filters")
        if folded.open:
            load_facets(listed, query, more)
            with folded:
                for facet in more:
                    show_facet(listed, query, facet)


def load_facets(listed: ListName, query: str, facets: Sequence[Facet]) -> None:
    """Read what these facets will show, side by side: one after the other, they are most of what a page waits for.
    Raises QueryError."""
    cache.facets(listed, [(clear_field(query, facet.field), facet.field) for facet in facets], VALUES)


def show_facet(listed: ListName, query: str, facet: Facet, *, widest: int = NARROW) -> None:
    """Draw one facet, or nothing where no row has a value. The counts leave out the facet's own terms, so that the
    other values stay in sight."""
    values = cache.facet(listed, clear_field(query, facet.field), facet.field, VALUES)
    if not values:
        return
    counts = dict(values)
    selected = [value for value in counts if has_value(query, facet.field, value)]
    key = state.bound(f"facet-{listed}-{facet.field}", selected)
    field = field_named(facet.field, listed)
    if len(counts) <= PILLS and all(len(str(value)) <= widest for value in counts):
        st.pills(
            facet.label,
            list(counts),
            selection_mode="multi",
            format_func=lambda value: f"{_value_label(field, value)} {counts[value]:,}",
            key=key,
            on_change=_on_facet_changed,
            args=(query, facet.field, selected, key),
            help=field.description,
        )
    else:
        st.multiselect(
            facet.label,
            list(counts),
            format_func=lambda value: render.visible(f"{render.shortened(str(value), 60)} ({counts[value]:,})"),
            key=key,
            on_change=_on_facet_changed,
            args=(query, facet.field, selected, key),
            placeholder=f"{len(counts):,}{'+' if len(counts) == VALUES else ''} values",
            help=field.description,
        )


def _value_label(field: Field, value: FieldValue) -> str:
    # What the query language itself names is ours; anything else came out of a run.
    return str(value) if value in field.values else render.literal(value)


def apply_choice(query: str, field: str, before: Sequence[FieldValue], after: Sequence[FieldValue]) -> str:
    """Return the query after a facet's choice went from `before` to `after`."""
    for value in before:
        if value not in after:
            query = remove_value(query, field, value)
    for value in after:
        if value not in before:
            query = add_value(query, field, value)
    return query


def _on_facet_changed(query: str, field: str, before: Sequence[FieldValue], key: str) -> None:
    set_query(apply_choice(query, field, before, st.session_state[key]))
