"""Moments as the store keeps them, microseconds since the epoch, UTC, and as people read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def iso(moment_us: int | None) -> str | None:
    """`2026-04-01T09:00:00Z`, with microseconds where there are any; null for null."""
    if moment_us is None:
        return None
    return (_EPOCH + timedelta(microseconds=moment_us)).isoformat().replace("+00:00", "Z")
