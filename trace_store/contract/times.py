"""Times on the wire: ISO 8601 texts with or without an offset, and epoch numbers in four units (R31)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from trace_store.contract.scalars import finite
from trace_store.model import JSON

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_MS = 1e15  # longer than history
_EPOCH_DIGITS = re.compile(r"-?[0-9]{9,19}(\.[0-9]{1,9})?")

EPOCH_UNITS = (
    # A number below the bound is in units of which 10**digits make a second. Each bound is in the year 5138 of its own
    # unit, and in 1973 of the next.
    (10**11, 0),
    (10**14, 3),
    (10**17, 6),
    (10**20, 9),
)


class Instant(NamedTuple):
    """A time: `text` as the run document shows it, `us` in microseconds since the epoch, and whether it was naive."""

    text: str
    us: int
    naive: bool


class Span(NamedTuple):
    """When a call ran, in microseconds since the epoch."""

    start_us: int
    end_us: int


def read_time(value: JSON) -> Instant | None:
    """Read a time, or return None where the value is not one.

    A text with an offset is kept unchanged, one without is UTC and gets a `Z`. The size of an epoch number, or of a
    text of nine or more digits, gives its unit: seconds, milliseconds, microseconds or nanoseconds.
    """
    if isinstance(value, str):
        return _from_text(value)
    if finite(value) is None:
        return None
    return _from_epoch(value if type(value) is int else Decimal(repr(value)))


def instant_us(text: str | None) -> int | None:
    """Return the microseconds since the epoch of a `started_at` or `at` of the run document, or None."""
    instant = None if text is None else _from_text(text)
    return None if instant is None else instant.us


def call_span(start_us: int | None, latency_ms: float | None) -> Span | None:
    """Return when a call ran; None where its log does not say when it started.

    Without a latency it ends when it starts.
    """
    if start_us is None:
        return None
    return Span(start_us, start_us + int(min(latency_ms or 0.0, _LONGEST_MS) * 1000))


def overlap(one: Span, other: Span) -> bool:
    """Return whether two calls were in flight at the same moment (R32)."""
    return one.start_us < other.end_us and other.start_us < one.end_us


def _from_text(text: str) -> Instant | None:
    bare = text.strip()
    moment = _parse_iso(bare)
    if moment is None:
        return _from_epoch(Decimal(bare)) if _EPOCH_DIGITS.fullmatch(bare) else None
    if moment.tzinfo is not None:
        return Instant(text, _microseconds(moment), False)
    moment = moment.replace(tzinfo=UTC)
    with_offset = f"{bare}Z"
    if _parse_iso(with_offset) is None:  # a date alone takes no offset
        with_offset = f"{moment.replace(tzinfo=None).isoformat()}Z"
    return Instant(with_offset, _microseconds(moment), True)


def _parse_iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.upper() if text.endswith("z") else text)
    except ValueError:
        return None


def _microseconds(moment: datetime) -> int:
    since = moment - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def _from_epoch(number: int | Decimal) -> Instant | None:
    digits = next((digits for bound, digits in EPOCH_UNITS if -bound < number < bound), None)
    if digits is None:
        return None
    nanoseconds = round(number * 10 ** (9 - digits))
    seconds, fraction = divmod(nanoseconds, 10**9)
    try:
        moment = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:  # before the year 1
        return None
    text = moment.replace(tzinfo=None).isoformat()
    if fraction:
        text += f".{fraction:09d}".rstrip("0")
    return Instant(f"{text}Z", nanoseconds // 1000, False)
