"""What a list says of a run, a call and a finding: every column, from the document it came from."""

from __future__ import annotations

from typing import Any

from tests.store.building import body, boundary, call, failed_call, finding, put, put_runs, run_of
from trace_store import Store

ENVELOPE = {
    "schema_version": "openmed.agent.error.v1",
    "error_class": "policy",
    "error_code": "policy_denied",
    "stage": "tool_call",
    "retryable": False,
    "run_id": None,
    "action_id": None,
}


def rich(**fields: Any) -> dict[str, Any]:
    return body(
        "run_81",
        failed_call("get_order", arguments={"id": 1}, attempt=1, started_at="2026-04-01T09:00:00Z", latency_ms=100.0),
        call("get_order", arguments={"id": 1}, attempt=2, started_at="2026-04-01T09:00:00.6Z", latency_ms=250.5),
        call("refund", source="injected", status_code=503, matched_rule_index=0, actor_id="boss/refnd"),
        call("pay", source="passthrough", response=ENVELOPE, actor_id="not a label!"),
        call("auth", source="error", status_code=401, error_class="run_token_expired", actor_id="boss"),
        task_id="t1",
        check_id="c1",
        scenario="Refund",
        agent_id="ag1",
        status="completed",
        judge_passed=False,
        started_at="2026-04-01T09:00:00Z",
        sub_agents=["boss"],
        soft_warnings=["one", "two"],
        messages=[{"role": "user", "content": "hello"}],
        metadata={
            "model": "gpt-5",
            "system_prompt_id": "v12",
            "total_input_tokens": 1200,
            "total_output_tokens": 80,
            "agent_runtime_ms": 5000.5,
        },
        final_response="x" * 300,
        **fields,
    )


def test_a_row_of_the_list_of_runs(store: Store) -> None:
    run, raw, digest = run_of(
        rich(), finding(), finding("failure_injected", "info"), finding("unknown_source", "warning")
    )
    run.boundary = boundary("receipt", "calls[4]", call=4)
    put_runs(store, [(run, raw, digest)], file="exports/nightly.jsonl")
    row = store.runs().rows[0]
    assert row.pop("imported_at") == store.imports.page().rows[0]["started_at"]
    assert row == {
        "run_id": "run_81", "task_id": "t1", "check_id": "c1", "scenario": "Refund", "agent_id": "ag1",
        "model": "gpt-5", "system_prompt_id": "v12", "status": "completed", "judge_passed": False, "failed": False,
        "view": "rich", "response_error": None, "error_class": None, "envelope_class": None, "envelope_code": None,
        "boundary": "receipt", "started_at": "2026-04-01T09:00:00Z", "answer": "x" * 200, "messages": 1, "calls": 5,
        "failures": 3, "retries": 1, "exhausted": 0, "gave_up": 0, "undeclared": 1, "malformed": 1, "errors": 1,
        "cautions": 1, "warnings": 2, "wasted_ms": 600.0, "total_input_tokens": 1200, "total_output_tokens": 80,
        "agent_runtime_ms": 5000.5, "review": None, "reviewed": False, "review_stale": False, "failure_mode": None,
        "tags": [], "format": "run-body", "import_id": 1, "file": "exports/nightly.jsonl", "place": "line 1",
    }  # fmt: skip
    assert store.lists.columns("runs") == list(store.runs().rows[0])


def test_rows_of_the_list_of_calls(store: Store) -> None:
    put(store, rich())
    rows = store.calls().rows
    assert rows[0] == {
        "run_id": "run_81", "sequence": 0, "lane": "tool", "tool_name": "get_order", "actor_id": None,
        "actor_status": "unattributed", "outcome": "failed", "status_code": 503, "error_class": "lock_contention",
        "envelope_class": None, "envelope_code": None, "source": "error", "family": "simulated", "latency_ms": 100.0,
        "matched_rule_index": None, "retryable": True, "stale_token": False, "started_at": "2026-04-01T09:00:00Z",
        "chain": 0, "chain_outcome": "recovered", "attempt": 1, "wasted_ms": 600.0, "task_id": "t1", "model": "gpt-5",
    }  # fmt: skip
    assert store.lists.columns("calls") == list(rows[0])

    def column(name: str) -> list[object]:
        return [row[name] for row in rows]

    assert column("sequence") == [0, 1, 2, 3, 4]
    assert column("attempt") == [1, 2, 1, 1, 1]
    assert column("chain") == [0, 0, 1, 2, 3]
    assert column("wasted_ms") == [600.0, 0.0, 0.0, 0.0, 0.0]
    assert column("outcome") == ["failed", "ok", "injected_failure", "application_error", "failed"]
    assert column("matched_rule_index") == [None, None, 0, None, None]
    assert column("envelope_code") == [None, None, None, "policy_denied", None]
    assert column("stale_token") == [False, False, False, False, True]
    assert column("actor_status") == ["unattributed", "unattributed", "undeclared", "malformed", "declared"]
    assert column("started_at")[1] == "2026-04-01T09:00:00.600000Z"


def test_rows_of_the_list_of_findings(store: Store) -> None:
    put_runs(store, [run_of(rich(), finding(path="calls[4]"), finding("response_cut", "warning", "final_response"))])
    rows = store.findings().rows
    assert rows[0] == {
        "run_id": "run_81", "severity": "error", "kind": "call_failed", "path": "calls[4]",
        "message": "call_failed at calls[4]", "rule": "R19", "task_id": "t1",
    }  # fmt: skip
    assert [row["kind"] for row in rows] == ["call_failed", "response_cut"]
    assert store.lists.columns("findings") == list(rows[0])


def test_a_failed_run_that_is_thin(store: Store) -> None:
    put(store, body("a", final_response="", status="failed", error=ENVELOPE, judge_passed=True))
    row = store.runs().rows[0]
    assert (row["failed"], row["view"], row["answer"], row["judge_passed"]) == (True, "thin", None, True)
    assert row["response_error"] == "ResponseShapeError"
    assert (row["envelope_class"], row["envelope_code"]) == ("policy", "policy_denied")


def test_metadata_of_the_wrong_type_is_in_no_column(store: Store) -> None:
    put(store, body("a", metadata={
        "model": 5, "system_prompt_id": ["v1"], "total_input_tokens": True, "total_output_tokens": -1,
        "agent_runtime_ms": "fast",
    }))  # fmt: skip
    row = store.runs().rows[0]
    names = ("model", "system_prompt_id", "total_input_tokens", "total_output_tokens", "agent_runtime_ms")
    assert [row[name] for name in names] == [None] * 5


def test_numbers_that_no_column_holds_are_left_to_the_document(store: Store) -> None:
    odd = call(status_code=2**63, matched_rule_index=2**63, latency_ms=-5)
    put(store, body("a", odd, metadata={"total_input_tokens": 2**64 - 1}))
    row = store.calls().rows[0]
    assert (row["status_code"], row["matched_rule_index"], row["latency_ms"]) == (None, None, None)
    assert store.runs().rows[0]["total_input_tokens"] is None
    assert store.raw("a").count(str(2**64 - 1).encode()) == 1


def test_a_call_that_cannot_be_read_is_listed(store: Store) -> None:
    put(store, {"run_id": "a", "final_response": "done", "proxy_calls": ["what?", call()]})
    rows = store.calls().rows
    assert [row["tool_name"] for row in rows] == [None, "get_order"]
    assert store.runs().rows[0]["calls"] == 2
