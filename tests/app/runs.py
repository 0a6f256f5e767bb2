"""Runs to show, made without the contract: only what the pages look at."""

from __future__ import annotations

from typing import Any

from trace_store.model import Call, Chain, Run


def a_call(sequence: int = 0, **said: Any) -> Call:
    """A call of the log, answered by the simulator unless `said` otherwise."""
    known: dict[str, Any] = {
        "sequence": sequence,
        "lane": "tool",
        "tool_name": "get_order",
        "arguments": {"order_id": "4521"},
        "arguments_decoded": True,
        "response": {"status": "shipped"},
        "source": "odyssey",
        "family": "simulated",
        "latency_ms": 412.0,
        "matched_rule_index": None,
        "validation": None,
        "status_code": 200,
        "error": None,
        "error_class": None,
        "envelope": None,
        "outcome": "ok",
        "retryable": False,
        "stale_token": False,
        "actor_id": "supervisor/refund_agent",
        "actor_status": "declared",
        "started_at": None,
        "idempotency_key": None,
        "chain": sequence,
        "attempt": 1,
    }
    return Call(**(known | said))


def a_run(**said: Any) -> Run:
    """A rich run with an answer and no log, unless `said` otherwise."""
    known: dict[str, Any] = {
        "run_id": "run_81",
        "format": "run-body",
        "final_response": "Done.",
        "final_response_cut": 0,
        "response_error": None,
        "view": "rich",
        "failed": False,
    }
    return Run(**(known | said))


def a_recovered_run() -> Run:
    """Three attempts of one call, the last of them answered, then another call that failed for good."""
    lock = {"outcome": "failed", "error_class": "lock_contention", "status_code": 503, "retryable": True}
    calls = [
        a_call(0, chain=0, **lock),
        a_call(1, chain=0, attempt=2, **lock),
        a_call(2, chain=0, attempt=3),
        a_call(3, chain=1, tool_name="check_policy", outcome="failed", status_code=404),
    ]
    chains = [
        Chain(0, "get_order", None, [0, 1, 2], "recovered", True, ["lock_contention"], [512.0, 960.0], 1900.0),
        Chain(1, "check_policy", None, [3], "failed"),
    ]
    return a_run(calls=calls, chains=chains, has_log=True)
