"""Timestamps as the store keeps them, microseconds since the epoch, UTC, and as people read them."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now_us() -> int:
    """Return the current time in microseconds since the epoch."""
    return time.time_ns() // 1000


def iso_timestamp(time_us: int | None) -> str | None:
    """Return `2026-04-01T09:00:00Z`, with microseconds where there are any; null for null."""
    if time_us is None:
        return None
    return (_EPOCH + timedelta(microseconds=time_us)).isoformat().replace("+00:00", "Z")
