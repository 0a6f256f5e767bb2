"""What the pages read from the store, cached until the store changes.

Every reader is keyed by the store's revision, so that an import or a review made elsewhere shows at the next click and
a rerun that changes nothing reads nothing.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import documents, state
from app.components.transcript import TranscriptData, transcript_data
from trace_store.model import JSON, Run
from trace_store.reports import FileReport
from trace_store.store import Failures, Neighbours, Page, Totals
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
    """The values of a field in what the query lists, the most frequent first. Raises QueryError."""
    return _facet(state.store().revision(), listed, query, field, limit)


def neighbours(query: str, sort: str | None, run_id: str) -> Neighbours | None:
    """The run's place in the list, or null where it is not in it. Raises QueryError."""
    return _neighbours(state.store().revision(), query, sort, run_id)


def failures(query: str) -> Failures:
    """The breakdowns of what failed. Raises QueryError."""
    return _failures(state.store().revision(), query)


def figures(query: str) -> pd.Series:
    """The figures over all calls that the query finds, as `Store.stats` names them. Raises QueryError."""
    return _figures(state.store().revision(), query)


def imports(limit: int, offset: int) -> Page:
    """A page of the imports, the latest first."""
    return _imports(state.store().revision(), limit, offset)


def import_report(import_id: int) -> FileReport:
    """The report of an import. Raises NotFoundError."""
    return _import_report(state.store().revision(), import_id)


def run(run_id: str) -> Run:
    """The run document; shared between sessions, so nothing may change it. Raises NotFoundError."""
    return _run(state.store().revision(), run_id)


def raw(run_id: str) -> bytes:
    """The raw document. Raises NotFoundError."""
    return _raw(state.store().revision(), run_id)


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


@st.cache_data(show_spinner=False, max_entries=4 * _ENTRIES)
def _facet(revision: str, listed: Listed, query: str, field: str, limit: int) -> list[tuple[Stored, int]]:
    return state.store().facet(query, field, limit, listed)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _neighbours(revision: str, query: str, sort: str | None, run_id: str) -> Neighbours | None:
    return state.store().neighbours(run_id, query, sort)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _failures(revision: str, query: str) -> Failures:
    return state.store().failures(query)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _figures(revision: str, query: str) -> pd.Series:
    return state.store().stats(query).iloc[0]


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _imports(revision: str, limit: int, offset: int) -> Page:
    return state.store().imports(limit, offset)


@st.cache_data(show_spinner=False, max_entries=_ENTRIES)
def _import_report(revision: str, import_id: int) -> FileReport:
    return state.store().import_report(import_id)


@st.cache_resource(show_spinner=False, max_entries=_RUNS_KEPT)
def _run(revision: str, run_id: str) -> Run:
    return state.store().run(run_id)


@st.cache_data(show_spinner=False, max_entries=_RUNS_KEPT)
def _raw(revision: str, run_id: str) -> bytes:
    return state.store().raw(run_id)


@st.cache_resource(show_spinner=False, max_entries=_RUNS_KEPT)
def _transcript(revision: str, run_id: str) -> TranscriptData:
    run = _run(revision, run_id)
    # Only a run that lost entries needs its raw document: their placeholders open the originals (R15).
    lost = any((warning.path or "").startswith("messages") for warning in run.warnings)
    return transcript_data(run, _raw_messages(_raw(revision, run_id)) if lost else None)


def _raw_messages(raw: bytes) -> list[JSON] | None:
    body = documents.value_of(raw)
    messages = body.get("messages") if isinstance(body, dict) else None
    return messages if isinstance(messages, list) else None
