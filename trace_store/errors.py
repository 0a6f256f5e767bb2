"""Every error a user can meet, as one tree.

TraceError               path, place, hint
├── ReadError            a file or a document that cannot be read; carries the rejection's kind
├── QueryError           a query that means nothing: position and "did you mean"
├── StoreError           the database cannot be opened, or is of a newer version
│   └── StoreBusyError   another import holds the store
├── ConflictError        somebody saved another review of the run in the meantime
└── NotFoundError        no such run, import or saved view
"""

from __future__ import annotations


class TraceError(Exception):
    """Base of all. `str()` is one line for a person: what is wrong, where, and what to do about it."""

    def __init__(
        self, message: str, *, path: str | None = None, place: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.path, self.place) if part)
        text = f"{where}: {self.message}" if where else self.message
        return f"{text} ({self.hint})" if self.hint else text


class ReadError(TraceError):
    """A file or document that is not a run (R43)."""


class QueryError(TraceError):
    """A query that cannot be understood. `position` is the offset of the fault in the query text, in characters."""

    def __init__(self, message: str, *, position: int = 0, hint: str | None = None) -> None:
        super().__init__(message, place=f"at character {position + 1}", hint=hint)
        self.position = position


class StoreError(TraceError):
    """The store cannot be opened or written."""


class StoreBusyError(StoreError):
    """Another import holds the write lock; try again when it is done."""


class NotFoundError(TraceError):
    """Nothing goes by that name."""


class ConflictError(TraceError):
    """What was to be changed is no longer what its editor saw. Nothing was written."""
