"""Numbers, durations and timestamps as the pages write them, in one place: the same value reads the same everywhere.

Halves are rounded up, as the browser does in tables and components: 12.5 ms is 13 ms. Times are in UTC, to the minute
in tables, and in full where one is named. Pure: no Streamlit, no store.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import LiteralString, TypeGuard

from trace_store.contract.times import instant_us

_LARGEST = 1e15
"""Beyond it a fraction means nothing, and `Decimal` would need more digits than it has."""


def decimal(value: float, digits: int = 0) -> LiteralString:
    """Return the number with this many decimals and grouped thousands."""
    if not abs(value) < _LARGEST:
        return f"{value:,.{digits}f}"
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):,f}"


def milliseconds(ms: float) -> LiteralString:
    """Return a short duration: 1,250 ms."""
    return f"{decimal(ms)} ms"


def seconds(ms: float) -> LiteralString:
    """Return a longer duration, given in milliseconds: 1.3 s."""
    return f"{decimal(ms / 1000, 1)} s"


def percent(count: float, total: float = 1, digits: int = 0) -> LiteralString:
    """Return the share of `count` in `total`: 12 %. Of nothing, it is 0 %."""
    return f"{decimal(100 * count / total if total else 0, digits)} %"


def shares(low: float, high: float) -> LiteralString:
    """Return an interval of shares: 12 to 34 %."""
    return f"{decimal(100 * low)} to {percent(high)}"


def token_counts(read: object, written: object) -> LiteralString | None:
    """Return the tokens that a model read and wrote: 1,200 → 340. One that is not a number is a question mark; without
    either there is nothing to show."""
    if not (is_number(read) or is_number(written)):
        return None
    return " → ".join(f"{count:,}" if is_number(count) else "?" for count in (read, written))


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a JSON value is a number; booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def timestamp(value: object) -> str:
    """Return a time of the store to the minute, as `2026-03-01 09:30`; nothing for null."""
    return str(value).replace("T", " ")[:16] if value else ""


def utc_time(text: str) -> str:
    """Return a time as an export wrote it in full and in UTC: `2026-03-01 09:30:12.25 UTC`. One in another zone or
    notation is followed by what was written; what is not a time stays as it is."""
    us = instant_us(text)
    if us is None:
        return text
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)
    fraction = f".{moment.microsecond:06}".rstrip("0") if moment.microsecond else ""
    utc = f"{moment:%Y-%m-%d %H:%M:%S}{fraction} UTC"
    is_same = text.removesuffix("Z").removesuffix("+00:00").replace("T", " ").startswith(f"{moment:%Y-%m-%d %H:%M:%S}")
    return utc if is_same else f"{utc}, exported as {text}"
