"""Lists and reviews as CSV or JSON lines. What a spreadsheet opens must stay data, whatever a model wrote into it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import BinaryIO, Literal, Protocol, TextIO, TypeAlias

import orjson

from trace_store.model import JSON, REVIEW_FIELDS, Review
from trace_store.readers.reviews import guard_formula
from trace_store.store import Page, Store

ReviewFormat: TypeAlias = Literal["jsonl", "csv"]

REVIEW_COLUMNS = ("run_id", *REVIEW_FIELDS, "reviewed_at", "stale")

PAGE_ROWS = 1000
"""Rows fetched at a time: however long a list is, no more are in memory."""


def write_csv(rows: Iterable[Mapping[str, object]], columns: Sequence[str], out: TextIO) -> int:
    """Write a header and the rows to `out`, which must not translate line ends, and return how many.

    Objects and arrays stand as JSON, null as an empty cell, booleans as `true` and `false`. A text that starts a
    formula gets an apostrophe in front; numbers do not.
    """
    writer = csv.writer(out)  # lines end as RFC 4180 has it: only so is a lone carriage return in a cell quoted
    writer.writerow(columns)
    count = 0
    for row in rows:
        writer.writerow([cell(row.get(column)) for column in columns])
        count += 1
    return count


def write_csv_to(out: BinaryIO, rows: Iterable[Mapping[str, object]], columns: Sequence[str]) -> int:
    """Write a header and the rows to `out`, which stays open, as UTF-8, and return how many rows."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    try:
        return write_csv(rows, columns, text)
    finally:
        text.detach()


def cell(value: object) -> str | int | float:
    """Return one value as a CSV cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    return guard_formula(text)


class Fetch(Protocol):
    """A list of the store: `Store.runs`, `Store.calls` or `Store.findings`."""

    def __call__(self, query: str, sort: str | None, limit: int, offset: int = 0) -> Page: ...


def read_in_pages(
    fetch: Fetch, query: str, *, sort: str | None, limit: int | None
) -> tuple[int, Iterator[dict[str, object]]]:
    """Return how many rows the query finds, and the first `limit` of them, or all. Raises QueryError at once."""
    first = fetch(query, sort, _size(limit, 0))
    return first.total, _rows(fetch, query, sort, limit, first)


def _rows(fetch: Fetch, query: str, sort: str | None, limit: int | None, page: Page) -> Iterator[dict[str, object]]:
    offset = 0
    while page.rows:
        yield from page.rows
        offset += len(page.rows)
        if len(page.rows) < PAGE_ROWS or offset == limit:
            return
        page = fetch(query, sort, _size(limit, offset), offset)


def _size(limit: int | None, offset: int) -> int:
    return PAGE_ROWS if limit is None else min(PAGE_ROWS, limit - offset)


def write_run_rows(store: Store, query: str, out: BinaryIO) -> int:
    """Write the runs that the query finds as CSV, with every column of the list, and return how many. Raises
    QueryError."""
    # In the order of their import: what another import adds meanwhile does not move a page.
    _, rows = read_in_pages(store.runs, query, sort="imported", limit=None)
    return write_csv_to(out, rows, store.lists.columns("runs"))


def write_reviews(reviews: Iterable[tuple[str, Review]], out: BinaryIO, file_format: ReviewFormat) -> int:
    """Write the reviews with the ids of their runs to `out`, which stays open, as UTF-8, and return how many. In CSV
    the tags of a run stand in one cell, as JSON."""
    rows = review_rows(reviews)
    if file_format == "csv":
        return write_csv_to(out, rows, REVIEW_COLUMNS)
    count = 0
    for row in rows:
        out.write(orjson.dumps(row) + b"\n")
        count += 1
    return count


def review_rows(reviews: Iterable[tuple[str, Review]]) -> Iterator[dict[str, JSON]]:
    """Yield each review as an object with the keys of REVIEW_COLUMNS."""
    for run_id, review in reviews:
        values = asdict(review) | {"run_id": run_id}
        yield {name: values[name] for name in REVIEW_COLUMNS}
