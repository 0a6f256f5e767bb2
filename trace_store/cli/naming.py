"""Names of fields in options: one that does not serve is told as a fault of its option, before the store is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from trace_store.errors import QueryError, TraceError
from trace_store.store.query import ListName, sort_columns

SORTS: Mapping[ListName, Sequence[str]] = {
    "runs": ("started", "imported", "failures", "errors", "calls", "retries", "wasted_ms"),
    "calls": ("started", "latency_ms", "tool", "actor", "error_class", "source", "attempt"),
    "findings": ("severity", "finding", "run", "started", "imported"),
}
GROUPS = ("tool", "actor", "error_class", "outcome", "source", "model", "scenario", "agent")
"""Some of the names that an option takes, the likeliest first; docs/query.md has all."""


def check_sort(sort: str | None, listed: ListName) -> None:
    """Raises TraceError where the list cannot be sorted by it."""
    if sort is not None:
        with faults_of("--sort", SORTS[listed]):
            sort_columns(sort, listed)


@contextmanager
def faults_of(option: str, some: Sequence[str]) -> Iterator[None]:
    """Tells a QueryError as a fault of the option, whose value is no query that has a place to point at: what was
    probably meant, else `some` of the names. Raises TraceError."""
    try:
        yield
    except QueryError as error:
        is_guess = error.hint is not None and error.hint.startswith("did you mean")
        hint = error.hint if is_guess else f"it takes {', '.join(some)} and others"
        raise TraceError(error.message, path=option, hint=hint) from None
