"""Imports: one file, one transaction, rows in bulk."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, TypeAlias

from sqlalchemy import Table

from trace_store.errors import StoreError
from trace_store.model import Run
from trace_store.reports import FileReport
from trace_store.store.connection import Database, driver_connection
from trace_store.store.query.full_text import segmented
from trace_store.store.schema import tables
from trace_store.store.writing.deleting import remove_runs
from trace_store.store.writing.rows import RunRows, rows_of

BUFFER_BYTES = 8 * 1024 * 1024
"""Of documents whose rows wait to be written together: enough for bulk speed, and bounded whatever the file holds."""

Put: TypeAlias = Literal["imported", "updated", "replaced"]


def _insert(table: Table) -> str:
    names = [f'"{column.name}"' for column in table.columns]
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"


_INSERTS = {
    table.name: _insert(table)
    for table in (
        tables.runs,
        tables.documents,
        tables.calls,
        tables.chains,
        tables.actors,
        tables.findings,
        tables.texts,
    )
}
_INSERT_INDEXED = "INSERT INTO texts_fts (rowid, text) VALUES (?, ?)"


class Batch:
    """The runs of one file on their way into the store. Made by `importing`; not for several threads."""

    def __init__(self, driver: sqlite3.Connection, file: str, size_bytes: int) -> None:
        self._driver = driver
        self._file = file
        self._now_us = time.time_ns() // 1000
        self._waiting: dict[str, RunRows] = {}
        self.waiting_bytes = 0
        """Of the documents whose rows are not written yet."""
        self._replaced_keys: list[int] = []
        self._next_key = 1 + driver.execute("SELECT coalesce(max(key), 0) FROM runs").fetchone()[0]
        self.finished = False
        # The row is there from the beginning, because its runs refer to it.
        cursor = driver.execute(
            "INSERT INTO imports (file, started_us, seconds, size_bytes, imported, updated, unchanged, rejected,"
            " warnings, redactions, report) VALUES (?, ?, 0, ?, 0, 0, 0, 0, 0, 0, '')",
            (file, self._now_us, size_bytes),
        )
        assert cursor.lastrowid is not None
        self.import_id: int = cursor.lastrowid

    def digest_of(self, run_id: str) -> bytes | None:
        """The digest of the run that goes by `run_id`, in the store or earlier in this file; null when it is new."""
        if run_id in self._waiting:
            return self._waiting[run_id].digest
        known = self._stored(run_id)
        return known[1] if known else None

    def put(self, run: Run, raw: bytes, digest: bytes) -> Put:
        """Adds `run`, or puts it in the place of the one that goes by its id: `updated`, or `replaced` where this very
        file brought that one (R42). `raw`: the document as it stood, redacted; `digest`: SHA-256 of its canonical
        form. Raises StoreError when a run is too large to be numbered, or the disk fails."""
        return self.put_rows(rows_of(run, raw, digest))

    def put_rows(self, rows: RunRows) -> Put:
        """`put` for rows that were made elsewhere."""
        verdict: Put = "imported"
        if rows.run_id in self._waiting:
            self.waiting_bytes -= self._waiting.pop(rows.run_id).size_bytes
            verdict = "replaced"
        elif known := self._stored(rows.run_id):
            key, _, import_id = known
            self._replaced_keys.append(key)
            verdict = "replaced" if import_id == self.import_id else "updated"
        self._waiting[rows.run_id] = rows
        self.waiting_bytes += rows.size_bytes
        if self.waiting_bytes >= BUFFER_BYTES:
            self._flush()
        return verdict

    def finish(self, report: FileReport) -> None:
        """Writes what still waits, and the file's report. To be called last, once."""
        self._flush()
        self._driver.execute(
            "UPDATE imports SET seconds = ?, imported = ?, updated = ?, unchanged = ?, rejected = ?, warnings = ?,"
            " redactions = ?, report = ? WHERE id = ?",
            (
                report.seconds,
                report.imported,
                report.updated,
                report.unchanged,
                report.rejected,
                report.warnings,
                report.redactions,
                report.to_json().decode(),
                self.import_id,
            ),
        )
        self.finished = True

    def _stored(self, run_id: str) -> tuple[int, bytes, int] | None:
        select = "SELECT key, digest, import_id FROM runs WHERE run_id = ?"
        row: tuple[int, bytes, int] | None = self._driver.execute(select, (run_id,)).fetchone()
        return row

    def _flush(self) -> None:
        remove_runs(self._driver, self._replaced_keys)
        keyed = list(enumerate(self._waiting.values(), self._next_key))
        head = (self.import_id, self._now_us, self._file)
        self._write("runs", ((key, rows.run_id, *head, *rows.run) for key, rows in keyed))
        self._write("documents", ((key, *rows.document) for key, rows in keyed))
        self._write("calls", ((key, *row) for key, rows in keyed for row in rows.calls))
        self._write("chains", ((key, *row) for key, rows in keyed for row in rows.chains))
        self._write("actors", ((key, *row) for key, rows in keyed for row in rows.actors))
        self._write("findings", ((key, *row) for key, rows in keyed for row in rows.findings))
        texts = [
            ((key << tables.RUN_SHIFT) + number, part, path, text)
            for key, rows in keyed
            for number, part, path, text in rows.texts
        ]
        self._write("texts", texts)
        self._driver.executemany(_INSERT_INDEXED, ((key, segmented(text)) for key, _, _, text in texts))
        self._next_key += len(keyed)
        self._waiting.clear()
        self.waiting_bytes = 0
        self._replaced_keys.clear()

    def _write(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        self._driver.executemany(_INSERTS[table], rows)


@contextmanager
def importing(database: Database, file: str, size_bytes: int) -> Iterator[Batch]:
    """A batch for the runs of `file`. It is committed when the block ends and `finish` was called; any exception, an
    interrupt too, leaves the store as it was. Raises StoreBusyError when another import holds the store."""
    with database.write() as connection:
        batch = Batch(driver_connection(connection), file, size_bytes)
        yield batch
        if not batch.finished:
            raise StoreError("the import was not finished", path=file)
