"""The columns of the lists: their public names, which are those of the run document, and how a row is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Row

from trace_store.store.query import ListName
from trace_store.store.reviews.review_columns import IS_STALE, TAGS
from trace_store.store.schema.tables import calls, findings, imports, reviews, runs
from trace_store.store.timestamps import iso_timestamp


@dataclass(frozen=True, slots=True)
class ListColumn:
    """One column of a list. `read` makes the public value of a stored one that is not null."""

    name: str
    value: ColumnElement[Any]
    read: Callable[[Any], object] | None = None


def _plain(table_columns: Any, *names: str) -> tuple[ListColumn, ...]:
    return tuple(ListColumn(name, table_columns[name]) for name in names)


RUN_COLUMNS: tuple[ListColumn, ...] = (
    *_plain(runs.c, "run_id", "task_id", "check_id", "scenario", "agent_id", "model", "system_prompt_id", "status"),
    ListColumn("judge_passed", runs.c.judge_passed, bool),
    ListColumn("failed", runs.c.failed, bool),
    *_plain(runs.c, "view", "response_error", "error_class", "envelope_class", "envelope_code"),
    ListColumn("boundary", runs.c.boundary_stage),
    ListColumn("started_at", runs.c.started_us, iso_timestamp),
    *_plain(runs.c, "answer", "messages", "calls", "failures", "retries", "exhausted", "gave_up", "undeclared"),
    *_plain(runs.c, "malformed", "errors", "cautions", "warnings", "wasted_ms"),
    ListColumn("total_input_tokens", runs.c.input_tokens),
    ListColumn("total_output_tokens", runs.c.output_tokens),
    ListColumn("agent_runtime_ms", runs.c.runtime_ms),
    ListColumn("review", reviews.c.verdict),
    ListColumn("reviewed", reviews.c.run_id.is_not(None), bool),
    ListColumn("review_stale", IS_STALE, bool),
    ListColumn("failure_mode", reviews.c.failure_mode),
    ListColumn("tags", TAGS, orjson.loads),
    *_plain(runs.c, "format", "import_id"),
    ListColumn("imported_at", runs.c.imported_us, iso_timestamp),
    *_plain(runs.c, "file", "place"),
)

CALL_COLUMNS: tuple[ListColumn, ...] = (
    *_plain(runs.c, "run_id"),
    *_plain(calls.c, "sequence", "lane", "tool_name", "actor_id", "actor_status", "outcome", "status_code"),
    *_plain(calls.c, "error_class", "envelope_class", "envelope_code", "source", "family", "latency_ms"),
    *_plain(calls.c, "matched_rule_index"),
    ListColumn("retryable", calls.c.retryable, bool),
    ListColumn("stale_token", calls.c.stale_token, bool),
    ListColumn("started_at", calls.c.started_us, iso_timestamp),
    *_plain(calls.c, "chain", "chain_outcome", "attempt", "wasted_ms"),
    *_plain(runs.c, "task_id", "model"),
)

FINDING_COLUMNS: tuple[ListColumn, ...] = (
    *_plain(runs.c, "run_id"),
    *_plain(findings.c, "severity", "kind", "path", "message", "rule"),
    *_plain(runs.c, "task_id"),
)

LIST_COLUMNS: Mapping[ListName, tuple[ListColumn, ...]] = {
    "runs": RUN_COLUMNS,
    "calls": CALL_COLUMNS,
    "findings": FINDING_COLUMNS,
}

IMPORT_COLUMNS: tuple[ListColumn, ...] = (
    ListColumn("import_id", imports.c.id),
    *_plain(imports.c, "file"),
    ListColumn("started_at", imports.c.started_us, iso_timestamp),
    *_plain(imports.c, "seconds", "size_bytes", "imported", "updated", "unchanged", "rejected", "warnings"),
    *_plain(imports.c, "redactions"),
)


def read_row(columns: tuple[ListColumn, ...], row: Row[Any]) -> dict[str, object]:
    """Return a row of `columns`, in their order, as a dictionary of public names and values."""
    return {
        column.name: value if value is None or column.read is None else column.read(value)
        for column, value in zip(columns, row, strict=True)
    }
