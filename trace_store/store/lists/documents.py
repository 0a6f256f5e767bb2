"""One run, or one after another: the run document and the raw document out of their common blob."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import zstandard
from sqlalchemy import RowMapping, Select, select

from trace_store.errors import NotFoundError
from trace_store.model import Review, Run
from trace_store.store.connection import Queries
from trace_store.store.query.compiling import belongs_to_run, condition_of, is_run, where
from trace_store.store.reviews.review_columns import REVIEW_COLUMNS, read_review
from trace_store.store.schema.tables import documents, reviews, runs

FETCHED_TOGETHER = 32
"""Documents that an export fetches at a time: they are whole runs, and memory is to stay small."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as the store keeps it. `raw`: the document as it stood in its file, redacted; `document`: the run document,
    without its import and its review."""

    run_id: str
    import_id: int
    file: str | None
    place: str | None
    review: Review | None
    raw: bytes
    document: bytes

    def run(self) -> Run:
        """Return the run document as a model, with its import and its review."""
        run = Run.from_json(self.document)
        run.import_id, run.file, run.place = self.import_id, self.file, self.place
        run.review = self.review
        return run


def run(self: Queries, run_id: str) -> Run:
    """Return the run document, with its import and its review. Raises NotFoundError."""
    return _record(self, run_id).run()


def raw(self: Queries, run_id: str) -> bytes:
    """Return the document as it stood in its file, redacted. Raises NotFoundError."""
    return _record(self, run_id).raw


def raw_size_bytes(self: Queries, run_id: str) -> int:
    """Return the size of the raw document; 0 where no run goes by that id."""
    statement = select(documents.c.raw_size).join_from(runs, documents, belongs_to_run(documents))
    with self.database.read() as connection:
        return connection.execute(statement.where(is_run(run_id))).scalar() or 0


def each(self: Queries, query: str = "") -> Iterator[RunRecord]:
    """Yield the runs that the query finds in the order they were imported, whole, a few at a time in memory. Raises
    QueryError."""
    condition = condition_of(query, "runs")
    statement = where(_select(), condition).order_by(runs.c.key)
    with (
        self.database.read() as connection,
        connection.execution_options(yield_per=FETCHED_TOGETHER).execute(statement) as rows,
    ):
        for row in rows.mappings():
            yield _read(row)


def _record(self: Queries, run_id: str) -> RunRecord:
    with self.database.read() as connection:
        row = connection.execute(_select().where(is_run(run_id))).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"there is no run {run_id!r}", hint="ids are matched exactly, capitals too")
    return _read(row)


def _select() -> Select[Any]:
    columns = (runs.c.run_id, runs.c.import_id, runs.c.file, runs.c.place, documents.c.raw_size, documents.c.blob)
    source = runs.join(documents, belongs_to_run(documents)).outerjoin(reviews, belongs_to_run(reviews))
    return select(*columns, *REVIEW_COLUMNS).select_from(source)


def _read(row: RowMapping) -> RunRecord:
    both = zstandard.ZstdDecompressor().decompress(row["blob"])
    return RunRecord(
        row["run_id"],
        row["import_id"],
        row["file"],
        row["place"],
        read_review(row),
        raw=both[: row["raw_size"]],
        document=both[row["raw_size"] :],
    )
