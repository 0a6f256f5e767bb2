"""Failure envelopes (R39): which objects are one, and the vocabulary that one may use, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, TypeGuard

from trace_store.model import JSON

SCHEMA_VERSION = "openmed.agent.error.v1"

FIELDS = ("schema_version", "error_class", "error_code", "stage", "retryable", "run_id", "action_id")
"""Exactly the fields of an envelope; none of them holds free text."""

MARKS = ("error_class", "error_code", "stage", "retryable")
"""The fields that make any object an envelope, to be validated as one."""

STAGES = ("validation", "authorization", "planning", "tool_call", "provider", "post_processing")

IDENTIFIER = re.compile(r"[A-Za-z0-9._:-]{1,128}")
"""What `run_id` and `action_id` match in full where they are not null."""


class EnvelopeClass(NamedTuple):
    """The codes that belong to a class, and the stages at which it can arise."""

    codes: frozenset[str]
    stages: frozenset[str]


def _class(codes: str, stages: str) -> EnvelopeClass:
    return EnvelopeClass(frozenset(codes.split()), frozenset(stages.split()))


ENVELOPE_CLASSES: Mapping[str, EnvelopeClass] = {
    "validation": _class(
        "invalid_configuration invalid_input schema_violation unsupported_input",
        "validation planning tool_call post_processing",
    ),
    "policy": _class(
        "consent_required policy_denied purpose_mismatch",
        "validation authorization planning tool_call post_processing",
    ),
    "authorization": _class(
        "audience_mismatch capability_expired capability_missing",
        "authorization tool_call",
    ),
    "resource": _class(
        "budget_exceeded model_unavailable optional_dependency_missing resource_exhausted",
        "planning tool_call provider post_processing",
    ),
    "provider": _class(
        "provider_failed provider_protocol_error provider_unavailable",
        "tool_call provider",
    ),
    "timeout": _class(
        "deadline_exceeded request_timeout",
        "tool_call provider post_processing",
    ),
    "internal": _class("internal_error", " ".join(STAGES)),
}

CLASS_OF_CODE: Mapping[str, str] = {code: name for name, known in ENVELOPE_CLASSES.items() for code in known.codes}

RETRYABLE_CODES = frozenset({"deadline_exceeded", "provider_unavailable", "request_timeout", "resource_exhausted"})


def is_envelope(value: JSON) -> TypeGuard[dict[str, JSON]]:
    """Return whether a value is an envelope: an object that has the four fields which mark one, whatever they hold."""
    return isinstance(value, dict) and "error_code" in value and all(mark in value for mark in MARKS)


def envelope_of(error: JSON, response: JSON) -> tuple[str, dict[str, JSON]] | None:
    """Return the first envelope of a call, with the path below the call.

    It is looked for in the call's `error`, its `response` and the response's `error`.
    A run has one in its `error` alone: pass None as its response.
    """
    if is_envelope(error):
        return "error", error
    if is_envelope(response):
        return "response", response
    if isinstance(response, dict) and is_envelope(inner := response.get("error")):
        return "response.error", inner
    return None
