"""The filters that people reach for first are served by an index, and no query is too deep for the database."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, Table

from tests.store.query.world import Call, Run, matching_calls, matching_findings, matching_runs, plan_of, put
from trace_store.store.query import ListName, compile_query, parse
from trace_store.store.query.parsing import DEEPEST, MOST_CONDITIONS
from trace_store.store.schema.tables import calls, findings, runs

LISTS: dict[Table, ListName] = {calls: "calls", findings: "findings", runs: "runs"}


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("error_class:run_token_expired", "calls_error_class (error_class=?)"),
        ("error_class:a,b", "calls_error_class (error_class=?)"),
        ("error_class:run_token_*", "calls_error_class (error_class>? AND error_class<?)"),
        ("error_class:*", "calls_error_class"),
        ("actor_status:undeclared", "calls_actor_status (actor_status=?)"),
        ("outcome:failed", "calls_outcome (outcome=?)"),
        ("tool:get_*", "calls_tool_name (tool_name>? AND tool_name<?)"),
        ("actor:supervisor/refunds/**", "calls_actor_id (actor_id>? AND actor_id<?)"),
        ("status>=500", "calls_status_code (status_code>?)"),
        ("rule:0", "calls_matched_rule_index (matched_rule_index=?)"),
        ("latency_ms>60000", "calls_latency_ms (latency_ms>?)"),
        ("chain:exhausted", "calls_chain_outcome (chain_outcome=?)"),
        ("retryable:true", "calls_retryable (retryable=?)"),
        ("stale:true", "calls_stale_token (stale_token=?)"),
        ("source:injected", "calls_source (source=?)"),
        ("attempt>1", "calls_attempt (attempt>?)"),
    ],
)
@pytest.mark.parametrize("listed", [calls, runs], ids=["calls", "runs"])
def test_a_call_filter_walks_its_index(connection: Connection, listed: Table, query: str, index: str) -> None:
    plan = plan_of(connection, listed, compile_query(parse(query), LISTS[listed]))
    assert index in plan, plan
    assert "SCAN calls\n" not in f"{plan}\n"
    if listed is runs:
        # Found by key, from what the index gave.
        assert "SEARCH runs USING INTEGER PRIMARY KEY (rowid=?)" in plan


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("run:run_81", "(run_id=?)"),
        ("task:t", "runs_task_id (task_id=?)"),
        ("run_error_class:agent_*", "runs_error_class (error_class>? AND error_class<?)"),
        ("boundary:transport", "runs_boundary_stage (boundary_stage=?)"),
        ("started>2026-04-01", "runs_started_us (started_us>?)"),
        ("import:3", "runs_import_id (import_id=?)"),
        ("failures>0", "runs_failures"),
        ("retries>=3", "runs_retries"),
        ("finding:call_failed", "findings_kind (kind=?)"),
        ("severity:error", "findings_severity (severity=?)"),
        ("tag:seen", "review_tags_tag (tag=?)"),
    ],
)
def test_a_run_filter_walks_its_index(connection: Connection, query: str, index: str) -> None:
    plan = plan_of(connection, runs, compile_query(parse(query), "runs"))
    assert index in plan, plan
    assert "SCAN runs\n" not in f"{plan}\n"


@pytest.mark.parametrize("listed", [calls, runs], ids=["calls", "runs"])
def test_call_terms_together_walk_the_index_of_one(connection: Connection, listed: Table) -> None:
    plan = plan_of(
        connection, listed, compile_query(parse("error_class:x actor_status:undeclared latency_ms>500"), LISTS[listed])
    )
    assert "calls_error_class (error_class=?)" in plan or "calls_actor_status (actor_status=?)" in plan, plan


@pytest.mark.parametrize("query", ["outcome:ok", "actor:supervisor/**", "error_class:none", "latency_ms<500"])
def test_what_most_calls_have_is_looked_for_in_each_run(connection: Connection, query: str) -> None:
    plan = plan_of(connection, runs, compile_query(parse(query), "runs"))
    assert "LIST SUBQUERY" not in plan
    assert "run_key=?" in plan, plan


def test_the_findings_list_walks_the_index_of_kinds(connection: Connection) -> None:
    plan = plan_of(connection, findings, compile_query(parse("finding:call_failed"), "findings"))
    assert "findings_kind (kind=?)" in plan, plan


@pytest.mark.parametrize(
    "query",
    [
        " ".join(["tool:get_*"] * (MOST_CONDITIONS // 2)),
        " ".join(["-tool:get_*"] * (MOST_CONDITIONS // 2)),
        " OR ".join(["failed:true"] * MOST_CONDITIONS),
        "tool:" + ",".join(["get_*"] * (MOST_CONDITIONS - 1)),
        "run:" + ",".join(f"run_{number}" for number in range(1000)),
        "-(tool:x " * DEEPEST + "refund OR envelope_class:none" + ")" * DEEPEST,
        "(-refund OR tool:x " * DEEPEST + "a " * 100 + ")" * DEEPEST,
    ],
)
def test_the_largest_queries_are_not_too_deep_for_the_database(connection: Connection, query: str) -> None:
    put(connection, Run("r", calls=[Call()], findings=[{"kind": "call_failed"}]))
    assert len(matching_runs(connection, query)) <= 1
    assert len(matching_calls(connection, query)) <= 1
    assert len(matching_findings(connection, query)) <= 1
