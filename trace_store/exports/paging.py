"""Lists a page at a time: however long one is, no more than a page of it is in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from trace_store.store.lists.pages import Page

PAGE = 1000
"""Rows fetched at a time."""


class Fetch(Protocol):
    """A list of the store: `Store.runs`, `Store.calls` or `Store.findings`."""

    def __call__(self, query: str, sort: str | None, limit: int, offset: int = 0) -> Page: ...


def paged(fetch: Fetch, query: str, *, sort: str | None, limit: int | None) -> tuple[int, Iterator[dict[str, object]]]:
    """How many rows the query finds, and the first `limit` of them, or all. Raises QueryError at once."""
    first = fetch(query, sort, _size(limit, 0))
    return first.total, _rows(fetch, query, sort, limit, first)


def _rows(fetch: Fetch, query: str, sort: str | None, limit: int | None, page: Page) -> Iterator[dict[str, object]]:
    seen = 0
    while page.rows:
        yield from page.rows
        seen += len(page.rows)
        if len(page.rows) < PAGE or seen == limit:
            return
        page = fetch(query, sort, _size(limit, seen), seen)


def _size(limit: int | None, seen: int) -> int:
    return PAGE if limit is None else min(PAGE, limit - seen)
