"""The registry of formats: which module reads a document as a run (R41). A new format is a module and a line here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from trace_store.contract.bodies import find_run_id
from trace_store.contract.calls import LOG_KEYS
from trace_store.model import JSON, SoftWarning
from trace_store.readers.document import Document
from trace_store.readers.formats import responses, run_body
from trace_store.readers.rejections import Rejection, refuse_non_run, reject


class Reader(Protocol):
    """What a module of a format has. `read` is only asked what `recognises` accepted, and never raises."""

    FORMAT: str

    def recognises(self, value: JSON) -> bool: ...

    def read(self, value: JSON) -> tuple[JSON, list[SoftWarning]]: ...


MAX_ENTRIES = 500_000
"""Of one transcript or one log: more is refused: it would take the memory of many runs."""

READERS: tuple[Reader, ...] = (responses, run_body)
"""In the order in which they are asked: the narrow ones first."""


@dataclass(slots=True)
class Body:
    """A run body, the document and the format that it was read from, the id that the run goes by (R42), and what the
    reading had to change. Paths are those of the run document."""

    document: Document
    format: str
    value: JSON
    run_id: str
    warnings: list[SoftWarning] = field(default_factory=list)
    redacted_at: str | None = None


def is_run(value: JSON) -> bool:
    """Return whether some format takes the value for a run."""
    return any(reader.recognises(value) for reader in READERS)


def read_body(document: Document) -> Body | Rejection:
    """Return the document as a run body, or why it is not one (R43)."""
    for reader in READERS:
        if reader.recognises(document.value):
            value, warnings = reader.read(document.value)
            if (too_long := _too_long(value)) is not None:
                return reject(document.place, "too_large", too_long)
            redacted_at = document.redacted_at
            if reader is run_body:
                warnings = run_body.warnings_in_run(document.warnings, document.value)
                redacted_at = redacted_at and run_body.path_in_run(redacted_at, document.value)
            else:
                warnings = document.warnings + warnings
            run_id = find_run_id(value) or document.digest.hex()
            return Body(document, reader.FORMAT, value, run_id, warnings, redacted_at)
    return refuse_non_run(document.place, document.value)


def _too_long(value: JSON) -> str | None:
    for key in ("messages", *LOG_KEYS) if isinstance(value, dict) else ():
        entries = value.get(key)
        if isinstance(entries, list) and len(entries) > MAX_ENTRIES:
            return f"`{key}` has {len(entries):,} entries, and may have {MAX_ENTRIES:,}"
    return None
