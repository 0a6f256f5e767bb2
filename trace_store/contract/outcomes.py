"""The error class (R18) and outcome (R19) of a call, and whether it may be tried again (R23).

They depend on source, status and class alone, never on the English text of a message.
"""

from __future__ import annotations

from collections.abc import Iterator

from trace_store.contract.envelopes import is_envelope
from trace_store.contract.vocabulary import ANSWER_SOURCES, CALL_CLASSES, FAILURE_SOURCES, STALE_TOKEN_CLASSES
from trace_store.model import JSON, Call, Lane, Outcome

OTHER_ERROR_BODIES = ("error_body", "body", "detail")
"""The keys for the error body of a call besides `error`, in this order (R18)."""

SDK_TIMEOUT_MS = 120_000.0
_TIMEOUT_TOLERANCE_MS = 1_000.0


def class_in(error_body: JSON) -> str | None:
    """Return the class that a structured error body states: its `detail.error_class`, else its own (R18).

    An envelope states none: its `error_class` is a word of another layer (R22).
    """
    if not isinstance(error_body, dict) or is_envelope(error_body):
        return None
    detail = error_body.get("detail")
    if isinstance(detail, dict) and not is_envelope(detail):
        nested = detail.get("error_class")
        if isinstance(nested, str) and nested:
            return nested
    own = error_body.get("error_class")
    return own if isinstance(own, str) and own else None


def error_class_of(
    own: str | None, error: JSON, rest: dict[str, JSON], response: JSON, status: int | None
) -> str | None:
    """Return the class of a call: its own, else that of the first error body that states one (R18).

    `rest` holds the error bodies beside `error`. The payload of a 200 is data, so a response is read only from 400 up.
    """
    if own:
        return own
    if error is not None and (stated := class_in(error)) is not None:
        return stated
    for key in OTHER_ERROR_BODIES:
        if key in rest and (stated := class_in(rest[key])) is not None:
            return stated
    return class_in(response) if status is not None and status >= 400 else None


def outcome_of(
    source: str | None, status: int | None, error_class: str | None, error: JSON, response: JSON, *, is_readable: bool
) -> Outcome:
    """Return the outcome of a call, the first that holds (R19)."""
    if source == "injected":
        return "injected_failure"
    if (
        source in FAILURE_SOURCES
        or (status is not None and status >= 400)
        or error_class is not None
        or (status is None and error)
    ):
        return "failed"
    # The wire envelope carries no status: from a known source, none means 200.
    if (
        source in ANSWER_SOURCES
        and status in (None, 200)
        and isinstance(response, dict)
        and (response.get("error") is not None or is_envelope(response))
    ):
        return "application_error"
    return "ok" if is_readable else "unreadable"


def is_retryable(outcome: Outcome, status: int | None, error_class: str | None, lane: Lane) -> bool:
    """Return whether the caller may try again: decided by outcome, status and class together (R23)."""
    if outcome != "failed":
        return False
    if status == 429:
        return True
    known = CALL_CLASSES.get(error_class) if error_class is not None else None
    return status == 503 and known is not None and lane in known.retryable


def is_stale_token(status: int | None, error_class: str | None) -> bool:
    """Return whether a call was refused because its run had closed (R23)."""
    return status == 401 and error_class in STALE_TOKEN_CLASSES


def has_no_answer(call: Call) -> bool:
    """Return whether a call failed without an answer, so that its effect may or may not have happened (R19)."""
    return call.outcome == "failed" and (
        call.source == "transport_error"
        or (call.status_code is None and call.source is None and call.error_class is None)
    )


def probably_timed_out(call: Call) -> bool:
    """Return whether a call without an answer took as long as the SDK's default time-out (R26)."""
    return (
        has_no_answer(call)
        and call.latency_ms is not None
        and abs(call.latency_ms - SDK_TIMEOUT_MS) <= _TIMEOUT_TOLERANCE_MS
    )


def has_inconsistent_rule_index(call: Call) -> bool:
    """Return whether a call has a rule index although it was not injected, or was injected without one (R20)."""
    return (call.matched_rule_index is not None) != (call.source == "injected")


def has_inconsistent_validation(call: Call) -> bool:
    """Return whether a call has a validation although the simulator did not answer it (R20)."""
    return call.validation is not None and call.source != "odyssey"


def error_text(call: Call) -> str | None:
    """Return the text of a call's error for people to read: a plain string, or its `message` or `detail`."""
    for body in _error_bodies(call):
        for value in _texts(body):
            if value.strip():
                return value
    return None


def _error_bodies(call: Call) -> Iterator[JSON]:
    yield call.error
    for key in OTHER_ERROR_BODIES:
        yield call.extra.get(key)
    if call.status_code is not None and call.status_code >= 400:
        yield call.response


def _texts(body: JSON) -> Iterator[str]:
    if isinstance(body, str):
        yield body
    elif isinstance(body, dict):
        detail = body.get("detail")
        yield from (value for value in (detail, body.get("message")) if isinstance(value, str))
        if isinstance(detail, dict) and isinstance(detail.get("message"), str):
            yield detail["message"]
