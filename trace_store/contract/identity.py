"""What makes a JSON value a run body (R41), and by which id a run goes (R42)."""

from __future__ import annotations

from trace_store.contract.bodies import PROBED_KEYS, is_typed_output
from trace_store.contract.calls import LOG_KEYS
from trace_store.contract.envelopes import is_envelope
from trace_store.contract.scalars import identifier, integer
from trace_store.model import JSON

CONTEXT_VARIABLES = {
    "run_id": "DYSTOPIC_RUN_ID",
    "task_id": "DYSTOPIC_TASK_ID",
    "agent_id": "DYSTOPIC_AGENT_ID",
    "run_token_jti": "DYSTOPIC_RUN_TOKEN_JTI",
}
"""The context ids, and the environment variables that carry them into the sandbox."""

ENVIRONMENT_KEYS = ("env", "environment")


def find_run_id(body: JSON) -> str | None:
    """The id that the body gives itself: `run_id`, `id`, the context run id, the token's jti; else None (R42)."""
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
    """A context id out of the body's recorded environment, or None (R41)."""
    variable = CONTEXT_VARIABLES[name]
    for key in ENVIRONMENT_KEYS:
        environment = body.get(key)
        if isinstance(environment, dict) and (found := identifier(environment.get(variable))) is not None:
            return found
    return None


def http_status(body: dict[str, JSON]) -> int | None:
    """The HTTP status that an object states in `status_code` or `status`, as a number or its three digits (R43)."""
    for key in ("status_code", "status"):
        stated = body.get(key)
        if isinstance(stated, str) and len(stated) == 3 and stated.isascii() and stated.isdigit():
            stated = int(stated)
        status = integer(stated)
        if status is not None and 100 <= status <= 999:
            return status
    return None


def is_run_body(value: JSON) -> bool:
    """Whether a JSON value describes a run: a text, or an object with an answer, a transcript, a log or a run-layer
    error (R41).

    A `message` beside an HTTP error status is the body of an API error (R43), and an error envelope alone tells of
    a failure, not of a run; neither makes one.
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
