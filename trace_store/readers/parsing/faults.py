"""The one exception inside the reader: bytes that are not what they should be. It never leaves the package."""

from __future__ import annotations


class Fault(Exception):
    """`kind` of the rejection it becomes, why, and the offset of the byte at which it shows."""

    def __init__(self, kind: str, reason: str, offset: int = 0) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.offset = offset
