"""Reviews as JSONL or CSV: one a line, ready to be imported again. Cells of CSV are safe in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import BinaryIO, Literal, TypeAlias

import orjson

from trace_store.exports.cells import write_csv_to
from trace_store.model import JSON, Review

Form: TypeAlias = Literal["jsonl", "csv"]

COLUMNS = (
    "run_id", "verdict", "actor_id", "step", "failure_mode", "note", "tags", "reviewer", "reviewed_at", "stale",
)  # fmt: skip


def write_reviews(reviews: Iterable[tuple[str, Review]], out: BinaryIO, form: Form) -> int:
    """Writes the reviews with the ids of their runs to `out`, which stays open, as UTF-8, and returns how many. In
    CSV the tags of a run stand in one cell, as JSON."""
    rows = as_rows(reviews)
    if form == "csv":
        return write_csv_to(out, rows, COLUMNS)
    count = 0
    for row in rows:
        out.write(orjson.dumps(row) + b"\n")
        count += 1
    return count


def as_rows(reviews: Iterable[tuple[str, Review]]) -> Iterator[dict[str, JSON]]:
    """Each review as an object with the keys of COLUMNS."""
    for run_id, review in reviews:
        said = asdict(review) | {"run_id": run_id}
        yield {name: said[name] for name in COLUMNS}
