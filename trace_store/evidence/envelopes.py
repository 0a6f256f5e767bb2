"""Failure envelopes: which rules one breaks (R39), and a failed call written as one (R40)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import orjson

from trace_store.contract.envelopes import (
    CLASS_OF_CODE,
    ENVELOPE_CLASSES,
    FIELDS,
    IDENTIFIER,
    MARKS,
    RETRYABLE_CODES,
    SCHEMA_VERSION,
    STAGES,
    is_envelope,
)
from trace_store.contract.outcomes import has_no_answer
from trace_store.contract.vocabulary import FAILURE_OUTCOMES
from trace_store.evidence.findings.formatting import format_json, format_name
from trace_store.model import JSON, Call, Path, Run

STAGE = "tool_call"
"""The stage of every envelope made of a call; it is valid for every class."""

_IDENTIFIERS = ("run_id", "action_id")


class EnvelopeViolation(NamedTuple):
    """A broken rule: its name, the field, and the reason, as the end of a sentence. The reason repeats no identifier,
    which may contain what should not be shown."""

    name: str
    field: str
    reason: str


def envelopes_in(run: Run) -> Iterator[tuple[Path, dict[str, JSON]]]:
    """Yield each envelope of a run with its path: its `error`, and each call's `error`, `response` and error in it."""
    if is_envelope(run.error):
        yield Path("error"), run.error
    for call in run.calls:
        response = call.response
        if call.error is None and type(response) is not dict:
            continue
        inner = response.get("error") if isinstance(response, dict) else None
        for steps, value in ((("error",), call.error), (("response",), response), (("response", "error"), inner)):
            if is_envelope(value):
                yield Path.call(call.sequence).below(steps), value


def violations(envelope: dict[str, JSON]) -> Iterator[EnvelopeViolation]:
    """Yield the rules that an envelope breaks, in the order of its fields, then those that it should not have (R39)."""
    for field in FIELDS:
        if field not in envelope:
            yield EnvelopeViolation("missing_field", field, f"{field} is missing")
    if "schema_version" in envelope and envelope["schema_version"] != SCHEMA_VERSION:
        version = format_json(envelope["schema_version"])
        yield EnvelopeViolation("invalid_schema_version", "schema_version", f"{version} is not {SCHEMA_VERSION}")
    yield from _class_violations(envelope)
    for field in _IDENTIFIERS:
        value = envelope.get(field)
        if value is not None and not is_identifier(value):
            yield EnvelopeViolation("invalid_identifier", field, f"{field} is not an opaque identifier")
    for field in envelope:
        if field not in FIELDS:
            yield EnvelopeViolation("unexpected_field", field, f"an envelope has no field {format_name(field)}")


def _class_violations(envelope: dict[str, JSON]) -> Iterator[EnvelopeViolation]:
    error_class, code, stage, retryable = (envelope[field] for field in MARKS)
    known = ENVELOPE_CLASSES.get(error_class) if isinstance(error_class, str) else None
    if known is None:
        yield EnvelopeViolation(
            "unknown_error_class", "error_class", f"{format_json(error_class)} is not a known class"
        )
    class_of_code = CLASS_OF_CODE.get(code) if isinstance(code, str) else None
    if class_of_code is None:
        yield EnvelopeViolation("unknown_error_code", "error_code", f"{format_json(code)} is not a known code")
    elif known is not None and code not in known.codes:
        reason = f"{code} is a code of the class {class_of_code}, not of {error_class}"
        yield EnvelopeViolation("unknown_error_code", "error_code", reason)
    if not isinstance(stage, str) or stage not in STAGES:
        yield EnvelopeViolation("unknown_stage", "stage", f"{format_json(stage)} is not a known stage")
    elif known is not None and stage not in known.stages:
        reason = f"a failure of the class {error_class} does not arise at {stage}"
        yield EnvelopeViolation("invalid_stage_for_class", "stage", reason)
    if not isinstance(retryable, bool):
        yield EnvelopeViolation(
            "retryable_mismatch", "retryable", f"{format_json(retryable)} is neither true nor false"
        )
    elif class_of_code is not None and retryable != (code in RETRYABLE_CODES):
        may = "may" if code in RETRYABLE_CODES else "must not"
        yield EnvelopeViolation(
            "retryable_mismatch",
            "retryable",
            f"{code} {may} be retried, but the envelope says {format_json(retryable)}",
        )


def is_identifier(value: JSON) -> bool:
    """Return whether a value is an opaque identifier that an envelope may carry."""
    return isinstance(value, str) and IDENTIFIER.fullmatch(value) is not None


def as_envelope(call: Call, run_id: str | None) -> dict[str, JSON] | None:
    """Return a failed or injected call as an envelope of the public version; None for any other call (R40).

    Every value comes from a table or is checked to be an identifier, so that no text of the run can get through.
    """
    if call.outcome not in FAILURE_OUTCOMES:
        return None
    code = _code_of(call)
    return {
        "schema_version": SCHEMA_VERSION,
        "error_class": CLASS_OF_CODE[code],
        "error_code": code,
        "stage": STAGE,
        "retryable": code in RETRYABLE_CODES,
        "run_id": run_id if is_identifier(run_id) else None,
        "action_id": f"call-{call.sequence}",
    }


_TOKEN_CODES = {"run_token_missing": "capability_missing", "run_token_expired": "capability_expired"}
_STATUS_CODES = {403: "policy_denied", 400: "schema_violation", 422: "schema_violation", 404: "invalid_configuration"}


def _code_of(call: Call) -> str:
    """Return the code of a failed call, the first that holds."""
    status = call.status_code
    if status == 429 or call.error_class == "lock_contention":
        return "resource_exhausted"
    if status == 503 and call.retryable:
        return "provider_unavailable"
    if status == 401:
        return _TOKEN_CODES.get(call.error_class or "", "audience_mismatch")
    if status in _STATUS_CODES:
        return _STATUS_CODES[status]
    if has_no_answer(call):
        return "request_timeout" if _says_timeout(call) else "provider_unavailable"
    # The wire envelope carries no status: with a source, none means 200 (R19).
    if call.source in ("injected", "error") and status in (None, 200):
        return "provider_failed"
    if call.outcome == "injected_failure":
        return "provider_failed"
    return "provider_protocol_error" if _is_not_json(call) else "internal_error"


def _says_timeout(call: Call) -> bool:
    """Return whether the log says in a field that a call timed out: of the call itself, or of its error."""
    places = (call.extra, call.error if isinstance(call.error, dict) else {})
    return any(place.get("timed_out") is True or place.get("error_type") == "timeout" for place in places)


def _is_not_json(call: Call) -> bool:
    """Return whether the answer was not JSON: the payload is its text."""
    return any(isinstance(body, str) and not _parses(body) for body in (call.response, call.extra.get("body")))


def _parses(text: str) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True
