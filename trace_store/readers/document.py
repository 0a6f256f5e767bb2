"""A document: one JSON value of a file, on its way to become a run."""

from __future__ import annotations

from dataclasses import dataclass, field

from trace_store.contract.bodies import CONTEXT_VARIABLES, context_id
from trace_store.model import JSON, SoftWarning
from trace_store.readers.parsing.parse import Parsed, compute_digest, write_canonical

STAMPED = ("check_id", "task_id", "scenario", "status", "judge_passed")
"""The outer facts of a check rollup, by the names under which a run body says them itself (R41)."""


@dataclass(slots=True)
class Document:
    """One JSON value and where it stood.

    `raw` is what the file held: the bytes of the line (without its end), of the whole file, or of the element; of a
    part of a file in another encoding, in UTF-8; equal JSON where a secret was taken out. `value` is parsed, redacted
    and stamped; `digest` is the SHA-256 of its canonical form (R42). `warnings` say what had to be changed to read it;
    `redacted_at` is the path of the first secret (R44).
    """

    place: str
    raw: bytes
    value: JSON
    digest: bytes
    stamps: dict[str, JSON] = field(default_factory=dict)
    warnings: list[SoftWarning] = field(default_factory=list)
    redactions: int = 0
    redacted_at: str | None = None


def make_document(place: str, parsed: Parsed, stamps: dict[str, JSON]) -> Document:
    """Return a parsed value as a document, stamped where the run does not speak for itself."""
    value, canonical = parsed.value, parsed.canonical
    if stamps:
        value = _stamp(value, stamps)
        canonical = write_canonical(value)
    return Document(
        place,
        parsed.raw,
        value,
        compute_digest(canonical),
        stamps,
        parsed.warnings,
        parsed.redactions,
        parsed.redacted_at,
    )


def _stamp(value: JSON, stamps: dict[str, JSON]) -> JSON:
    if isinstance(value, str):  # a string is a whole body (R2)
        return {"final_response": value} | stamps
    if not isinstance(value, dict):
        return value
    return value | {name: fact for name, fact in stamps.items() if not _has_fact(value, name)}


def _has_fact(value: dict[str, JSON], name: str) -> bool:
    return value.get(name) is not None or (name in CONTEXT_VARIABLES and context_id(value, name) is not None)
