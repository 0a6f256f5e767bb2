"""What the pages read from the store, cached until the store is written.

Everything is keyed by the store's revision, so that an import or a review made elsewhere shows at the next click, and a
rerun that changes nothing reads nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

import pandas as pd
import streamlit as st

from app import prefetch, raw_documents, state
from app.components.comparison import ComparisonData, build_comparison
from app.components.timeline import TimelineData, build_timeline
from app.components.transcript import TranscriptData, build_transcript
from app.dropped_messages import dropped_messages
from trace_store.model import JSON, Run
from trace_store.store import FailureTable
from trace_store.store.query import FieldValue, ListName

P = ParamSpec("P")
Value = TypeVar("Value")

ANSWERS = 2048
"""Pages of lists, figures and other small answers of the store."""

WHOLE_RUNS = 6
"""The run that is open, and those just left."""


def read(query: Callable[P, Value], *args: P.args, **kwargs: P.kwargs) -> Value:
    """Return what a query of the store returns; a copy, which the caller may change. Raises what the query raises.

    `query`: a method of the store or of an object that it owns, as in `read(state.store().figures.totals, "tool:pay")`.
    """
    name = f"{query.__module__}.{query.__qualname__}"
    answer: Value = _read(state.store().revision(), name, args, kwargs, lambda: query(*args, **kwargs))
    return answer


@st.cache_data(show_spinner=False, max_entries=ANSWERS)
def _read(
    revision: str, name: str, args: Sequence[object], kwargs: Mapping[str, object], _query: Callable[[], Value]
) -> Value:
    return _query()


def shared_by_revision(max_entries: int) -> Callable[[Callable[P, Value]], Callable[P, Value]]:
    """Cache a function's values until the store is written. Sessions share them, so that nothing may change them."""

    def decorate(function: Callable[P, Value]) -> Callable[P, Value]:
        def compute(revision: str, *args: P.args, **kwargs: P.kwargs) -> Value:
            return function(*args, **kwargs)

        # Streamlit tells the caches of two functions apart by these.
        compute.__module__, compute.__qualname__ = function.__module__, function.__qualname__
        cached = st.cache_resource(show_spinner=False, max_entries=max_entries)(compute)

        @wraps(function)
        def current(*args: P.args, **kwargs: P.kwargs) -> Value:
            return cached(state.store().revision(), *args, **kwargs)

        return current

    return decorate


def facet(list_name: ListName, query: str, field: str, limit: int) -> list[tuple[FieldValue, int]]:
    """Return the facet of one query and field; see `facets`."""
    return facets(list_name, [(query, field)], limit)[0]


def facets(list_name: ListName, queries: Sequence[tuple[str, str]], limit: int) -> list[list[tuple[FieldValue, int]]]:
    """Return the facets of these queries and fields, shared between sessions. Those that are not cached yet are read in
    parallel. Raises QueryError."""
    cached = {query: _facets_of(list_name, query, limit) for query, _ in queries}
    if missing := [(query, field) for query, field in queries if field not in cached[query]]:
        for (query, field), values in state.store().figures.facets(missing, limit, list_name).items():
            cached[query][field] = values
    return [cached[query][field] for query, field in queries]


@shared_by_revision(1024)
def _facets_of(list_name: ListName, query: str, limit: int) -> dict[str, list[tuple[FieldValue, int]]]:
    return {}  # filled by field


def failure_tables(query: str, *names: FailureTable) -> dict[FailureTable, pd.DataFrame]:
    """Return these tables of what failed, shared between sessions. Those that are not cached yet are read in parallel.
    Raises QueryError."""
    cached = _failure_tables_of(query)
    if missing := [name for name in names if name not in cached]:
        cached.update(state.store().figures.failure_tables(query, missing))
    return {name: cached[name] for name in names}


@shared_by_revision(256)
def _failure_tables_of(query: str) -> dict[FailureTable, pd.DataFrame]:
    return {}  # filled by name: a part of the page that is closed reads nothing


def run(run_id: str) -> Run:
    """Return the run document, shared between sessions. Raises NotFoundError."""
    store = state.store()
    return prefetch.run(store, store.revision(), run_id)


def read_ahead(*run_ids: str | None) -> None:
    """Read these runs in the background, so that they open at once."""
    store = state.store()
    prefetch.read_ahead(store, store.revision(), run_ids)


@shared_by_revision(WHOLE_RUNS)
def raw(run_id: str) -> bytes:
    """Return the raw document. Raises NotFoundError."""
    return state.store().raw(run_id)


@shared_by_revision(2)
def raw_value(run_id: str) -> JSON:
    """Return the raw document as a value, shared between sessions. Raises NotFoundError."""
    return raw_documents.value_of(raw(run_id))


@shared_by_revision(WHOLE_RUNS)
def comparison(left_id: str, right_id: str) -> ComparisonData:
    """Return two runs as the component draws them side by side. Raises NotFoundError."""
    return build_comparison(run(left_id), run(right_id))


@shared_by_revision(WHOLE_RUNS)
def timeline(run_id: str) -> TimelineData:
    """Return the run as the timeline draws it. Raises NotFoundError."""
    return build_timeline(run(run_id))


@shared_by_revision(WHOLE_RUNS)
def transcript(run_id: str) -> TranscriptData:
    """Return the run as the transcript draws it, with the messages that the import dropped. Raises NotFoundError."""
    document = run(run_id)
    # Only a run that lost entries needs its raw document: their placeholders open the originals (R15).
    body = raw_value(run_id) if dropped_messages(document) else None
    messages = body.get("messages") if isinstance(body, dict) else None
    return build_transcript(document, messages if isinstance(messages, list) else None)
