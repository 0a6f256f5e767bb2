"""The vocabularies of failure, as data: sources and their families (R17), error classes and statuses of calls, error
classes of runs (R22), statuses of failed runs (R3).

`error_class` names three vocabularies, one a layer: those of calls and of runs are here, those of envelopes in
`envelopes`. They are never merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from trace_store.model import Family, Lane

SOURCES: Mapping[str, Family] = {
    "odyssey": "simulated",
    "injected": "simulated",
    "error": "simulated",
    "passthrough": "live",
    "transport_error": "live",
}
"""The sources of responses, each with its family; the families are disjoint (R17)."""

FAILURE_SOURCES = frozenset({"error", "transport_error"})
"""The sources of calls that failed (R19)."""

ANSWER_SOURCES = frozenset({"odyssey", "passthrough"})
"""The sources of a tool's own answer, which may be an application error (R19)."""

FAILURE_OUTCOMES = frozenset({"failed", "injected_failure"})
"""The outcomes that count as a failure in every figure (R31)."""

OK_CHAINS = frozenset({"succeeded", "recovered"})
"""The outcomes of a chain that succeeded in the end (R25, R27)."""

FAILED_STATUSES = frozenset({"failed", "error", "timeout", "timed_out", "cancelled"})
"""The statuses of a run that failed (R3)."""

STATUS_SPELLINGS: Mapping[str, str] = {"timeout": "timed_out"}
"""Statuses of a run that say the same as another, which figures and filters use for both."""


class ErrorClass(NamedTuple):
    """A class of the call layer (R22). `status` is the HTTP status it comes with, as text (`4xx` is any of them);
    `retryable` names the lanes in which the caller may try again on that status."""

    status: str
    retryable: frozenset[Lane]
    meaning: str


_NEVER: frozenset[Lane] = frozenset()
_ALWAYS: frozenset[Lane] = frozenset({"tool", "data", "telemetry"})
_STALE = "stale token: the run had closed"

CALL_CLASSES: Mapping[str, ErrorClass] = {
    "run_token_missing": ErrorClass(
        "401", _NEVER, "the call carried no bearer token; often a child process with a hand-built environment"
    ),
    "run_token_expired": ErrorClass("401", _NEVER, _STALE),
    "run_token_invalid": ErrorClass("401", _NEVER, _STALE),
    "run_token_rejected": ErrorClass("401", _NEVER, _STALE),
    "run_not_registered": ErrorClass("404", _NEVER, "the token is valid, but this proxy does not know the run"),
    "lock_contention": ErrorClass("503", _ALWAYS, "a parallel call of the same run held its lock"),
    "context_store_unavailable": ErrorClass("503", _ALWAYS, "the proxy could not reach its backing store"),
    "trace_sequence_contended": ErrorClass("503", _ALWAYS, "two writers raced for the next trace sequence"),
    "telemetry_sequence_contended": ErrorClass(
        "503", frozenset({"telemetry"}), "two writers raced for the next telemetry sequence"
    ),
    "routing_gap": ErrorClass("4xx", _NEVER, "the data endpoint has no route for the operation"),
    "trace_payload_invalid": ErrorClass("400", _NEVER, "a trace event was refused for its payload"),
    "trace_event_type_invalid": ErrorClass("400", _NEVER, "a trace event was refused for its type"),
}
"""The known classes of calls. Others are kept and counted under their own name."""

STALE_TOKEN_CLASSES = frozenset(name for name, known in CALL_CLASSES.items() if known.meaning == _STALE)

STATUS_MEANINGS: Mapping[int, str] = {
    400: "malformed tool name, arguments or actor label",
    401: "the run token is missing, invalid or expired",
    404: "the run is not registered with this proxy",
    422: "the arguments were refused",
    429: "rate limited",
    500: "the server is misconfigured, or failed in an unforeseen way",
    503: "a backing store was out of reach",
}
"""What a status means where no class says more (R22)."""

RUN_CLASSES = frozenset({
    "auth_failed", "agent_timeout", "agent_5xx", "agent_4xx", "agent_bad_response", "agent_unreachable",
    "proxy_misconfigured", "contract_error", "response_contract_violation", "transport_error", "internal_error",
})  # fmt: skip
"""The known classes of the run layer (R22). Others are kept under their own name."""
