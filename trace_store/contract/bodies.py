"""Run bodies (R1-R4): where the final answer stands, what becomes its text, and where it is cut."""

from __future__ import annotations

from typing import NamedTuple

from trace_store.contract.warnings import WarningCollector
from trace_store.model import JSON, Path

PROBED_KEYS = ("final_output", "output", "message")
"""Where an answer is looked for in a body without `final_response`, in this order (R2)."""

MAX_RESPONSE = 50_000
"""Characters of an answer that the platform keeps and the judge sees (R4)."""

CUT_MARKER = "…[truncated]"
RESPONSE_ERROR = "ResponseShapeError"


class FinalResponse(NamedTuple):
    """The answer as the judge saw it. `cut` is the number of characters cut here, null where the platform cut (R4)."""

    text: str | None
    cut: int | None
    error: str | None


def take_final_response(body: dict[str, JSON], warnings: WarningCollector) -> FinalResponse:
    """Takes the answer out of `body`. What is missing, null or empty is a failure, never a rejection (R3)."""
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
    """Whether an `output` is that of a Responses-style run: an array of objects with a `type` (R41)."""
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
