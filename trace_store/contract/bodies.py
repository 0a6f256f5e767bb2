"""Run bodies: what makes a JSON value one (R41), its id (R42), and its final answer (R1-R4)."""

from __future__ import annotations

from typing import NamedTuple

from trace_store.contract.calls import LOG_KEYS
from trace_store.contract.envelopes import is_envelope
from trace_store.contract.fields import WarningCollector
from trace_store.contract.scalars import identifier, integer
from trace_store.model import JSON, Path

PROBED_KEYS = ("final_output", "output", "message")
"""The keys for the answer of a body without `final_response`, in this order (R2)."""

MAX_RESPONSE = 50_000
"""Characters of an answer that the platform keeps and the judge sees (R4)."""

CUT_MARKER = "…[truncated]"
RESPONSE_ERROR = "ResponseShapeError"


CONTEXT_VARIABLES = {
    "run_id": "DYSTOPIC_RUN_ID",
    "task_id": "DYSTOPIC_TASK_ID",
    "agent_id": "DYSTOPIC_AGENT_ID",
    "run_token_jti": "DYSTOPIC_RUN_TOKEN_JTI",
}
"""The context ids, and the environment variables that carry them into the sandbox."""

ENVIRONMENT_KEYS = ("env", "environment")


class FinalResponse(NamedTuple):
    """The answer as the judge saw it. `cut` is the number of characters cut here, null where the platform cut (R4)."""

    text: str | None
    cut: int | None
    error: str | None


def take_final_response(body: dict[str, JSON], warnings: WarningCollector) -> FinalResponse:
    """Take the answer out of `body`. What is missing, null or empty is a failure, never a rejection (R3)."""
    value = _take_answer(body, warnings)
    if value is None or value == "":
        return FinalResponse(None, 0, RESPONSE_ERROR)
    text = value if isinstance(value, str) else str(value)
    if len(text) <= MAX_RESPONSE + len(CUT_MARKER) and text.endswith(CUT_MARKER):
        return FinalResponse(text, None, None)
    cut = len(text) - MAX_RESPONSE
    if cut <= 0:
        return FinalResponse(text, 0, None)
    warnings.add(
        Path.of("final_response"),
        "changed",
        f"cut to its first {MAX_RESPONSE:,} characters, as the judge saw it; {cut:,} were cut",
    )
    return FinalResponse(text[:MAX_RESPONSE] + CUT_MARKER, cut, None)


def is_typed_output(value: JSON) -> bool:
    """Return whether an `output` is that of a Responses-style run: an array of objects with a `type` (R41)."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and isinstance(item.get("type"), str) for item in value)
    )


def _take_answer(body: dict[str, JSON], warnings: WarningCollector) -> JSON:
    if "final_response" in body:
        return body.pop("final_response")
    for key in PROBED_KEYS:
        value = body.get(key)
        if value is not None and not (key == "output" and is_typed_output(value)):
            warnings.add(Path.of(key), "noted", f"the body has no final_response; the answer was read from {key}")
            return body.pop(key)
    return None


def find_run_id(body: JSON) -> str | None:
    """Return the id in a body: `run_id`, `id`, the context run id, or the token's jti; else None (R42)."""
    if not isinstance(body, dict):
        return None
    return (
        identifier(body.get("run_id"))
        or identifier(body.get("id"))
        or context_id(body, "run_id")
        or identifier(body.get("run_token_jti"))
        or context_id(body, "run_token_jti")
    )


def context_id(body: dict[str, JSON], name: str) -> str | None:
    """Return a context id from the environment that the body recorded, or None (R41)."""
    variable = CONTEXT_VARIABLES[name]
    for key in ENVIRONMENT_KEYS:
        environment = body.get(key)
        if isinstance(environment, dict) and (value := identifier(environment.get(variable))) is not None:
            return value
    return None


def http_status(body: dict[str, JSON]) -> int | None:
    """Return the HTTP status that an object states in `status_code` or `status`, as a number or its three digits
    (R43)."""
    for key in ("status_code", "status"):
        stated = body.get(key)
        if isinstance(stated, str) and len(stated) == 3 and stated.isascii() and stated.isdigit():
            stated = int(stated)
        status = integer(stated)
        if status is not None and 100 <= status <= 999:
            return status
    return None


def is_run_body(value: JSON) -> bool:
    """Return whether a JSON value describes a run (R41).

    A run is a text, or an object with an answer, a transcript, a log or a run-layer error.

    Neither a `message` beside an HTTP error status, which is the body of an API error (R43), nor an error envelope by
    itself is a run.
    """
    if isinstance(value, str):
        return True
    if not isinstance(value, dict):
        return False
    return (
        "final_response" in value
        or "messages" in value
        or any(_is_answer(key, value) for key in PROBED_KEYS)
        or any(isinstance(value.get(key), list) for key in LOG_KEYS)
        or value.get("error") is not None
        or value.get("error_json") is not None
        or (bool(value.get("error_class")) and not is_envelope(value))
    )


def _is_answer(key: str, body: dict[str, JSON]) -> bool:
    value = body.get(key)
    if value is None:
        return False
    if key == "output":
        return not is_typed_output(value)
    if key == "message":
        return (http_status(body) or 0) < 400
    return True
