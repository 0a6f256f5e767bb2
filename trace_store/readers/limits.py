"""How large things may be before they are refused (R43)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes, except for `ratio` (unpacked to packed) and `members` (of one archive).

    `document_bytes`: one JSON value. `unpacked_bytes`: what one gzip or one member of an archive unpacks to;
    `archive_bytes`: all members of one archive together. `ratio` is looked at from `ratio_from_bytes` on, because
    small repetitive files are packed well without being bombs.
    """

    document_bytes: int = 256 << 20
    unpacked_bytes: int = 8 << 30
    archive_bytes: int = 16 << 30
    ratio: int = 250
    ratio_from_bytes: int = 64 << 20
    members: int = 50_000


LIMITS = Limits()
