"""Statistics for the query planner: how many rows a value of each index has.

They are the same in every store instead of counted: plans do not change with the data, tests read the plans that
users get, and no import pays for counting. Values here are uneven (most calls are ok, declared, a first attempt), and
people ask for the rare ones; an average, which is all that SQLite keeps when it counts, would take those for common.
"""

from __future__ import annotations

from sqlalchemy import Index, Table

from trace_store.store.schema.tables import metadata

ROWS = {
    "migrations": 10, "imports": 100, "runs": 100_000, "documents": 100_000, "calls": 1_200_000, "chains": 1_100_000,
    "actors": 300_000, "findings": 300_000, "texts": 5_000_000, "reviews": 1_000, "review_tags": 1_000,
    "review_history": 2_000, "failure_modes": 20, "queues": 20, "queue_runs": 2_000, "views": 20,
}  # fmt: skip
"""Of a large store. Only how they compare is of weight."""

CLUSTERED = {"calls": 12, "chains": 11, "actors": 3, "findings": 3, "review_tags": 2, "queue_runs": 200}
"""Rows that lie together: those of a run, of a review, of a queue."""

ROWS_OF_A_VALUE = {
    "runs_import_id": 1_000, "runs_imported_us": 1_000, "runs_task_id": 200, "runs_check_id": 2_000,
    "runs_scenario": 2_000, "runs_agent_id": 20_000, "runs_model": 20_000, "runs_system_prompt_id": 8_000,
    "runs_status": 5_000, "runs_judge_passed": 30_000, "runs_view": 5_000, "runs_error_class": 1_000,
    "runs_boundary_stage": 5_000, "runs_started_us": 1, "runs_calls": 5_000, "runs_failures": 5_000,
    "runs_retries": 5_000, "runs_undeclared": 1_000, "runs_warnings": 1_000, "runs_figures": 5_000,
    "runs_judged": 30_000, "runs_exhausted": 5_000, "runs_malformed": 1_000, "runs_errors": 10_000,
    "runs_envelope_class": 500, "runs_envelope_code": 300,
    "calls_outcome": 60_000, "calls_tool_name": 40_000, "calls_actor_id": 100_000, "calls_actor_status": 60_000,
    "calls_error_class": 20_000, "calls_status_code": 60_000, "calls_source": 200_000, "calls_family": 500_000,
    "calls_lane": 1_000_000, "calls_chain_outcome": 60_000, "calls_attempt": 60_000, "calls_latency_ms": 10,
    "calls_started_us": 1, "calls_retryable": 60_000, "calls_stale_token": 6_000, "calls_failed": 4_000,
    "calls_matched_rule_index": 5_000, "calls_envelope_class": 2_000, "calls_envelope_code": 1_000,
    "chains_outcome": 50_000, "actors_status": 15_000, "findings_kind": 6_000, "findings_severity": 60_000,
    "findings_errors": 6_000, "review_tags_tag": 50, "review_history_run_id": 2, "review_history_change": 10,
    "queue_runs_run_id": 1,
}  # fmt: skip

ROWS_INDEXED = {
    "runs_exhausted": 5_000, "runs_malformed": 1_000, "runs_errors": 30_000, "runs_envelope_class": 2_000,
    "runs_envelope_code": 2_000, "calls_retryable": 60_000, "calls_stale_token": 6_000, "calls_failed": 120_000,
    "calls_matched_rule_index": 30_000, "calls_envelope_class": 10_000, "calls_envelope_code": 10_000,
    "findings_errors": 60_000,
}  # fmt: skip
"""Of indexes over some rows only."""


def statistics() -> list[tuple[str, str | None, str]]:
    """Return the rows of `sqlite_stat1`: table, index, and the numbers as SQLite writes them."""
    rows: list[tuple[str, str | None, str]] = []
    for table in metadata.sorted_tables:
        rows += [(table.name, str(index.name), _numbers(table, index)) for index in table.indexes]
        rows.append((table.name, *_of_key(table)))
    return sorted(rows, key=str)


def _numbers(table: Table, index: Index) -> str:
    """Return the rows in the index, and rows with equal values in its first column, its first two, and so on."""
    each = ROWS_OF_A_VALUE[str(index.name)]
    further = [max(1, each // 10_000), *(1 for _ in index.columns)]
    numbers = [ROWS_INDEXED.get(str(index.name), ROWS[table.name]), each, *further[: len(index.columns) - 1]]
    return " ".join(map(str, numbers))


def _of_key(table: Table) -> tuple[str | None, str]:
    number = ROWS[table.name]
    if table.name in CLUSTERED:
        return table.name, f"{number} {CLUSTERED[table.name]} 1"
    if table.name in ("runs", "reviews"):  # found by run_id
        return f"sqlite_autoindex_{table.name}_1", f"{number} 1"
    return None, str(number)
