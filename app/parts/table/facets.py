"""Facets: the values that a field has in what is listed, with counts. A click writes into the query or takes it away.

The query's text is the only state: what is chosen here is what the text asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app import render, state, store_reads
from app.parts.table import query_bar
from trace_store.store.query import Field, field_named
from trace_store.store.query.editing import add, clear, has, remove
from trace_store.store.query.fields import Listed, Stored

PILLS = 6
"""A field with more values gets a list to choose from, so that the sidebar stays short."""
NARROW, WIDE = 22, 44
"""Characters of a name that fit into a pill of the sidebar, or of the page. Longer ones get the list, too."""
VALUES = 200


@dataclass(frozen=True, slots=True)
class Facet:
    """A field of the query as a facet, under the name that the sidebar gives it."""

    field: str
    label: str


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


def sidebar(listed: Listed, query: str, facets: Sequence[Facet], more: Sequence[Facet]) -> None:
    """The facets in the sidebar; those in `more` are read only while they are open. `query` is one that parses."""
    prepare(listed, query, facets)
    with st.sidebar, st.container(key="facets", gap="small"):
        for facet in facets:
            show(listed, query, facet)
        folded = st.expander("More filters", on_change="rerun", key="more-filters")
        if folded.open:
            prepare(listed, query, more)
            with folded:
                for facet in more:
                    show(listed, query, facet)


def prepare(listed: Listed, query: str, facets: Sequence[Facet]) -> None:
    """Reads what these facets will show, side by side: one after the other, they are most of what a page waits for.
    Raises QueryError."""
    store_reads.facets(listed, [(clear(query, facet.field), facet.field) for facet in facets], VALUES)


def show(listed: Listed, query: str, facet: Facet, *, room: int = NARROW) -> None:
    """One facet, or nothing where no row has a value. The counts leave out the facet's own terms, so that the other
    values stay in sight."""
    values = store_reads.facet(listed, clear(query, facet.field), facet.field, VALUES)
    if not values:
        return
    counts = dict(values)
    chosen = [value for value in counts if has(query, facet.field, value)]
    key = state.bound(f"facet-{listed}-{facet.field}", chosen)
    field = field_named(facet.field, listed)
    if len(counts) <= PILLS and all(len(str(value)) <= room for value in counts):
        st.pills(
            facet.label,
            list(counts),
            selection_mode="multi",
            format_func=lambda value: f"{_name(field, value)} {counts[value]:,}",
            key=key,
            on_change=_chosen,
            args=(query, facet.field, chosen, key),
            help=field.description,
        )
    else:
        st.multiselect(
            facet.label,
            list(counts),
            format_func=lambda value: render.visible(f"{render.shortened(str(value), 60)} ({counts[value]:,})"),
            key=key,
            on_change=_chosen,
            args=(query, facet.field, chosen, key),
            placeholder=f"{len(counts):,}{'+' if len(counts) == VALUES else ''} values",
            help=field.description,
        )


def _name(field: Field, value: Stored) -> str:
    # What the query language itself names is ours; anything else came out of a run.
    return str(value) if value in field.values else render.literal(value)


def rewritten(query: str, field: str, before: Sequence[Stored], after: Sequence[Stored]) -> str:
    """The query after a facet's choice went from `before` to `after`."""
    for value in before:
        if value not in after:
            query = remove(query, field, value)
    for value in after:
        if value not in before:
            query = add(query, field, value)
    return query


def _chosen(query: str, field: str, before: Sequence[Stored], key: str) -> None:
    query_bar.set_query(rewritten(query, field, before, st.session_state[key]))
