"""The columns of the lists: their public names, which are those of the run document, and how a row is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Row

from trace_store.store.query import Listed
from trace_store.store.reviews import review as reviewing
from trace_store.store.schema.tables import calls, findings, imports, reviews, runs
from trace_store.store.timestamps import iso


@dataclass(frozen=True, slots=True)
class Shown:
    """One column of a list. `read` makes the public value of a stored one that is not null."""

    name: str
    value: ColumnElement[Any]
    read: Callable[[Any], object] | None = None


def _same(table_columns: Any, *names: str) -> tuple[Shown, ...]:
    return tuple(Shown(name, table_columns[name]) for name in names)


RUN_COLUMNS: tuple[Shown, ...] = (
    *_same(runs.c, "run_id", "task_id", "check_id", "scenario", "agent_id", "model", "system_prompt_id", "status"),
    Shown("judge_passed", runs.c.judge_passed, bool),
    Shown("failed", runs.c.failed, bool),
    *_same(runs.c, "view", "response_error", "error_class", "envelope_class", "envelope_code"),
    Shown("boundary", runs.c.boundary_stage),
    Shown("started_at", runs.c.started_us, iso),
    *_same(runs.c, "answer", "messages", "calls", "failures", "retries", "exhausted", "gave_up", "undeclared"),
    *_same(runs.c, "malformed", "errors", "cautions", "warnings", "wasted_ms"),
    Shown("total_input_tokens", runs.c.input_tokens),
    Shown("total_output_tokens", runs.c.output_tokens),
    Shown("agent_runtime_ms", runs.c.runtime_ms),
    Shown("review", reviews.c.verdict),
    Shown("reviewed", reviews.c.run_id.is_not(None), bool),
    Shown("review_stale", reviewing.IS_STALE, bool),
    Shown("failure_mode", reviews.c.failure_mode),
    Shown("tags", reviewing.TAGS, orjson.loads),
    *_same(runs.c, "format", "import_id"),
    Shown("imported_at", runs.c.imported_us, iso),
    *_same(runs.c, "file", "place"),
)

CALL_COLUMNS: tuple[Shown, ...] = (
    *_same(runs.c, "run_id"),
    *_same(calls.c, "sequence", "lane", "tool_name", "actor_id", "actor_status", "outcome", "status_code"),
    *_same(calls.c, "error_class", "envelope_class", "envelope_code", "source", "family", "latency_ms"),
    *_same(calls.c, "matched_rule_index"),
    Shown("retryable", calls.c.retryable, bool),
    Shown("stale_token", calls.c.stale_token, bool),
    Shown("started_at", calls.c.started_us, iso),
    *_same(calls.c, "chain", "chain_outcome", "attempt", "wasted_ms"),
    *_same(runs.c, "task_id", "model"),
)

FINDING_COLUMNS: tuple[Shown, ...] = (
    *_same(runs.c, "run_id"),
    *_same(findings.c, "severity", "kind", "path", "message", "rule"),
    *_same(runs.c, "task_id"),
)

OF_LISTS: Mapping[Listed, tuple[Shown, ...]] = {
    "runs": RUN_COLUMNS,
    "calls": CALL_COLUMNS,
    "findings": FINDING_COLUMNS,
}

IMPORT_COLUMNS: tuple[Shown, ...] = (
    Shown("import_id", imports.c.id),
    *_same(imports.c, "file"),
    Shown("started_at", imports.c.started_us, iso),
    *_same(imports.c, "seconds", "size_bytes", "imported", "updated", "unchanged", "rejected", "warnings"),
    *_same(imports.c, "redactions"),
)


def read_row(columns: tuple[Shown, ...], row: Row[Any]) -> dict[str, object]:
    """A row of `columns`, in their order, as a dictionary of public names and values."""
    return {
        shown.name: value if value is None or shown.read is None else shown.read(value)
        for shown, value in zip(columns, row, strict=True)
    }
