"""What the pages read from the store, cached until the store changes.

Every reader is keyed by the store's revision, so that an import or a review made elsewhere shows at the next click and
a rerun that changes nothing reads nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from app import prefetch, raw_documents, state
from app.components.comparison import ComparisonData, build_comparison
from app.components.timeline import TimelineData, build_timeline
from app.components.transcript import TranscriptData, build_transcript
from trace_store.model import JSON, Review, Run
from trace_store.reports import FileReport
from trace_store.store import (
    FailureMode,
    FailureTable,
    Judgements,
    Neighbours,
    Page,
    Queue,
    QueuePlace,
    Rates,
    RecentChange,
    ReviewState,
    Totals,
    View,
)
from trace_store.store.query import Listed
from trace_store.store.query.fields import Stored

_ENTRIES = 256
_RUNS_KEPT = 6
"""Whole runs in memory: the one that is open, and those just left."""


def page(listed: Listed, query: str, sort: str | None, limit: int, offset: int) -> Page:
    """One page of a list. Raises QueryError."""
    return _page(state.store().revision(), listed, query, sort, limit, offset)


def totals(query: str) -> Totals:
    """The figures over the runs that the query finds. Raises QueryError."""
    return _totals(state.store().revision(), query)


def facet(listed: Listed, query: str, field: str, limit: int) -> list[tuple[Stored, int]]:
    """The values of a field in what the query lists, the most frequent first; shared between sessions, so that
    nothing may change them. Raises QueryError."""
    return facets(listed, [(query, field)], limit)[0]


def facets(listed: Listed, asked: Sequence[tuple[str, str]], limit: int) -> list[list[tuple[Stored, int]]]:
    """The facets of these queries and fields: those that are not known yet are read side by side. Raises QueryError."""
    revision = state.store().revision()
    known = {query: _facets(revision, listed, query, limit) for query, _ in asked}
    if missing := [(query, field) for query, field in asked if field not in known[query]]:
        for (query, field), values in state.store().facets(missing, limit, listed).items():
            known[query][field] = values
    return [known[query][field] for query, field in asked]


def neighbours(query: str, sort: str | None, run_id: str) -> Neighbours | None:
    """The run's place in the list, or null where it is not in it. Raises QueryError."""
    return _neighbours(state.store().revision(), query, sort, run_id)


def failure_tables(query: str, *names: FailureTable) -> dict[FailureTable, pd.DataFrame]:
    """Those tables of what failed, each read once; shared between sessions, so that nothing may change them. Raises
    QueryError."""
    known = _failure_tables(state.store().revision(), query)
    if missing := [name for name in names if name not in known]:
        known.update(state.store().failure_tables(query, missing))
    return {name: known[name] for name in names}


def tool_figures(query: str) -> pd.DataFrame:
    """The tools of the calls that the query finds. Raises QueryError."""
    return _tool_figures(state.store().revision(), query)


def actors(query: str) -> pd.DataFrame:
    """Who acted in what the query finds, as a tree. Raises QueryError."""
    return _actors(state.store().revision(), query)


def judgements(query: str) -> Judgements:
    """The judge, the evidence and the reviewers of the runs that the query finds. Raises QueryError."""
    return _judgements(state.store().revision(), query)


def rates(query: str) -> Rates:
    """What the runs that the query finds are made of. Raises QueryError."""
    return _rates(state.store().revision(), query)


def shared(one: str, other: str) -> int:
    """How many runs both queries find. Raises QueryError."""
    return _shared(state.store().revision(), one, other)


def repeats(query: str, by: tuple[str, ...], least: int, limit: int, offset: int) -> Page:
    """A page of the tasks, or other groups of runs, that the query finds, by verdict. Raises QueryError."""
    return _repeats(state.store().revision(), query, by, least, limit, offset)


def counterparts(run_ids: tuple[str, ...]) -> dict[str, str]:
    """For each of the runs the nearest of its task that ended the other way, where there is one."""
    return _counterparts(state.store().revision(), run_ids)


def comparison(left_id: str, right_id: str) -> ComparisonData:
    """Two runs as the component shows them side by side. Raises NotFoundError."""
    return _comparison(state.store().revision(), left_id, right_id)


def imports(limit: int, offset: int) -> Page:
    """A page of the imports, the latest first."""
    return _imports(state.store().revision(), limit, offset)


def import_report(import_id: int) -> FileReport:
    """The report of an import. Raises NotFoundError."""
    return _import_report(state.store().revision(), import_id)


def views() -> list[View]:
    """The saved views, by name."""
    return _views(state.store().revision())


def run(run_id: str) -> Run:
    """The run document; shared between sessions, so nothing may change it. Raises NotFoundError."""
    store = state.store()
    return prefetch.run(store, store.revision(), run_id)


def ahead(*run_ids: str | None) -> None:
    """Reads these runs in the background, so that they open at once."""
    store = state.store()
    prefetch.ahead(store, store.revision(), run_ids)


def raw(run_id: str) -> bytes:
    """The raw document. Raises NotFoundError."""
    return _raw(state.store().revision(), run_id)


def review(run_id: str) -> Review | None:
    """The run's review, or null."""
    return _review(state.store().revision(), run_id)


def review_history(run_id: str) -> list[ReviewState]:
    """Every state of the run's review, the latest first."""
    return _review_history(state.store().revision(), run_id)


def failure_modes() -> list[FailureMode]:
    """The failure modes to choose from, those in use included."""
    return _failure_modes(state.store().revision())


def queues() -> list[Queue]:
    """Every review queue with its progress, the latest first."""
    return _queues(state.store().revision())


def queue_place(queue_id: int, run_id: str | None) -> QueuePlace:
    """Where the run stands in a queue. Raises NotFoundError."""
    return _queue_place(state.store().revision(), queue_id, run_id)


def recent_changes(limit: int) -> list[RecentChange]:
    """The latest changes of reviews."""
    return _recent_changes(state.store().revision(), limit)


def timeline(run_id: str) -> TimelineData:
    """The run as the timeline draws it."""
    return _timeline(state.store().revision(), run_id)


def transcript(run_id: str) -> TranscriptData:
    """The run as the transcript component shows it, with what was dropped out of the raw document."""
    return _transcript(state.store().revision(), run_id)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _page(revision: str, listed: Listed, query: str, sort: str | None, limit: int, offset: int) -> Page:
    store = state.store()
    match listed:
        case "runs":
            return store.runs(query, sort=sort, limit=limit, offset=offset)
        case "calls":
            return store.calls(query, sort=sort, limit=limit, offset=offset)
        case "findings":
            return store.findings(query, sort=sort, limit=limit, offset=offset)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _totals(revision: str, query: str) -> Totals:
    return state.store().totals(query)


@st.cache_resource(show_spinner=False, max_entries=4 * _ENTRIES)
def _facets(revision: str, listed: Listed, query: str, limit: int) -> dict[str, list[tuple[Stored, int]]]:
    return {}  # filled by field


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _neighbours(revision: str, query: str, sort: str | None, run_id: str) -> Neighbours | None:
    return state.store().neighbours(run_id, query, sort)


@st.cache_resource(show_spinner=False, max_entries=_ENTRIES)
def _failure_tables(revision: str, query: str) -> dict[FailureTable, pd.DataFrame]:
    return {}  # filled by name: a part of the page that is closed reads nothing


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _tool_figures(revision: str, query: str) -> pd.DataFrame:
    return state.store().tool_figures(query)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _actors(revision: str, query: str) -> pd.DataFrame:
    return state.store().actors(query)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _judgements(revision: str, query: str) -> Judgements:
    return state.store().judgements(query)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _rates(revision: str, query: str) -> Rates:
    return state.store().rates(query)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _shared(revision: str, one: str, other: str) -> int:
    return state.store().shared(one, other)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _repeats(revision: str, query: str, by: tuple[str, ...], least: int, limit: int, offset: int) -> Page:
    return state.store().repeats(query, by, least, limit, offset)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _counterparts(revision: str, run_ids: tuple[str, ...]) -> dict[str, str]:
    return state.store().counterparts(run_ids)


@st.cache_resource(show_spinner=False, max_entries=_RUNS_KEPT)
def _comparison(revision: str, left_id: str, right_id: str) -> ComparisonData:
    return build_comparison(run(left_id), run(right_id))


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _imports(revision: str, limit: int, offset: int) -> Page:
    return state.store().imports(limit, offset)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _import_report(revision: str, import_id: int) -> FileReport:
    return state.store().import_report(import_id)


@st.cache_data(show_spinner=False, max_entries=4)
def _views(revision: str) -> list[View]:
    return state.store().views()


@st.cache_data(show_spinner=False, max_entries=_RUNS_KEPT)
def _raw(revision: str, run_id: str) -> bytes:
    return state.store().raw(run_id)


@st.cache_resource(show_spinner=False, max_entries=_RUNS_KEPT)
def _timeline(revision: str, run_id: str) -> TimelineData:
    return build_timeline(run(run_id))


@st.cache_resource(show_spinner=False, max_entries=_RUNS_KEPT)
def _transcript(revision: str, run_id: str) -> TranscriptData:
    read = run(run_id)
    # Only a run that lost entries needs its raw document: their placeholders open the originals (R15).
    lost = any((warning.path or "").startswith("messages") for warning in read.warnings)
    return build_transcript(read, _raw_messages(_raw(revision, run_id)) if lost else None)


def _raw_messages(raw: bytes) -> list[JSON] | None:
    body = raw_documents.value_of(raw)
    messages = body.get("messages") if isinstance(body, dict) else None
    return messages if isinstance(messages, list) else None


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _review(revision: str, run_id: str) -> Review | None:
    return state.store().review(run_id)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _review_history(revision: str, run_id: str) -> list[ReviewState]:
    return state.store().review_history(run_id)


@st.cache_data(show_spinner=False, max_entries=2)
def _failure_modes(revision: str) -> list[FailureMode]:
    return state.store().failure_modes()


@st.cache_data(show_spinner=False, max_entries=2)
def _queues(revision: str) -> list[Queue]:
    return state.store().queues()


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _queue_place(revision: str, queue_id: int, run_id: str | None) -> QueuePlace:
    return state.store().queue_place(queue_id, run_id)


@st.cache_data(show_spinner=False, max_entries=8)
def _recent_changes(revision: str, limit: int) -> list[RecentChange]:
    return state.store().recent_changes(limit)
