"""One run, or one after another: the run document and the raw document out of their common blob."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import zstandard
from sqlalchemy import Connection, RowMapping, Select, select

from trace_store.errors import NotFoundError
from trace_store.model import Review, Run
from trace_store.store.query.conditions import belongs_to_run, condition_of, is_run, where
from trace_store.store.reviews.review import COLUMNS, read_review
from trace_store.store.schema.tables import documents, imports, reviews, runs

TOGETHER = 32
"""Documents that an export fetches at a time: they are whole runs, and memory is to stay small."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A run as it is kept: `raw`, the document as it stood in its file, redacted, and `document`, the run document
    before the store's own facts are filled in."""

    run_id: str
    import_id: int
    file: str | None
    place: str | None
    review: Review | None
    raw: bytes
    document: bytes

    def run(self) -> Run:
        """The run document as a model, with its import and its review."""
        run = Run.from_json(self.document)
        run.import_id, run.file, run.place = self.import_id, self.file, self.place
        run.review = self.review
        return run


def stored(connection: Connection, run_id: str) -> Stored:
    """The run of that id. Raises NotFoundError."""
    row = connection.execute(_select().where(is_run(run_id))).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"there is no run {run_id!r}", hint="ids are matched exactly, capitals too")
    return _read(row)


def size_bytes(connection: Connection, run_id: str) -> int:
    """Bytes of the run's raw document; 0 where there is no such run."""
    statement = select(documents.c.raw_size).join_from(runs, documents, belongs_to_run(documents))
    return connection.execute(statement.where(is_run(run_id))).scalar() or 0


def report(connection: Connection, import_id: int) -> str:
    """The report of that import, as JSON. Raises NotFoundError."""
    text = connection.execute(select(imports.c.report).where(imports.c.id == import_id)).scalar()
    if text is None:
        raise NotFoundError(f"there is no import {import_id}")
    return str(text)


def each(connection: Connection, query: str) -> Iterator[Stored]:
    """The runs that the query finds, in the order they were imported. Raises QueryError."""
    condition = condition_of(query, "runs")
    statement = where(_select(), condition).order_by(runs.c.key)
    with connection.execution_options(yield_per=TOGETHER).execute(statement) as rows:
        for row in rows.mappings():
            yield _read(row)


def _select() -> Select[Any]:
    kept = (runs.c.run_id, runs.c.import_id, runs.c.file, runs.c.place, documents.c.raw_size, documents.c.blob)
    source = runs.join(documents, belongs_to_run(documents)).outerjoin(reviews, belongs_to_run(reviews))
    return select(*kept, *COLUMNS).select_from(source)


def _read(row: RowMapping) -> Stored:
    both = zstandard.ZstdDecompressor().decompress(row["blob"])
    return Stored(
        row["run_id"],
        row["import_id"],
        row["file"],
        row["place"],
        read_review(row),
        raw=both[: row["raw_size"]],
        document=both[row["raw_size"] :],
    )
