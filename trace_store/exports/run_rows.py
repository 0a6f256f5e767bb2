"""The list of runs as a file: a row a run, with every column of the list."""

from __future__ import annotations

from typing import BinaryIO

from trace_store.exports.cells import write_csv_to
from trace_store.exports.paging import paged
from trace_store.store import Store


def write_run_rows(store: Store, query: str, out: BinaryIO) -> int:
    """Writes the runs that the query finds as CSV, and returns how many. Raises QueryError."""
    # In the order of their import: what another import adds meanwhile does not move a page.
    _, rows = paged(store.runs, query, sort="imported", limit=None)
    return write_csv_to(out, rows, store.lists.columns("runs"))
