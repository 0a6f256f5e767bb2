"""Imports, one file in one transaction with rows in bulk, and how runs leave the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from sqlalchemy import Table, delete, func, select

from trace_store.errors import NotFoundError
from trace_store.model import Run
from trace_store.reports import FileReport
from trace_store.store.connection import Queries, driver_connection
from trace_store.store.query.compiling import condition_of, where
from trace_store.store.query.full_text import segmented
from trace_store.store.schema import tables
from trace_store.store.timestamps import now_us
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

TABLES_OF_RUNS = ("texts", "documents", "calls", "chains", "actors", "findings", "runs")
"""The tables with rows of runs, in an order that breaks no reference."""

_SELECT_TEXTS = "SELECT key, text FROM texts WHERE key >= ? AND key < ?"
# The index holds no text of its own: to forget one, it must be told what it was given.
_DELETE_INDEXED = "INSERT INTO texts_fts (texts_fts, rowid, text) VALUES ('delete', ?, ?)"


class Batch:
    """The runs of one file on their way into the store. Made by `Store.importing`; not for several threads."""

    def __init__(self, driver: sqlite3.Connection, file: str, size_bytes: int) -> None:
        self._driver = driver
        self._file = file
        self._now_us = now_us()
        self._pending: dict[str, RunRows] = {}
        self.pending_bytes = 0
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
        """Return the digest of the run that goes by `run_id`, in the store or earlier in this file; null when it is
        new."""
        if run_id in self._pending:
            return self._pending[run_id].digest
        present = self._find_run(run_id)
        return present[1] if present else None

    def put(self, run: Run, raw: bytes, digest: bytes) -> Put:
        """Add `run`, or put it in the place of the one that goes by its id: `updated`, or `replaced` where this very
        file brought that one (R42). `raw`: the document as it stood, redacted; `digest`: SHA-256 of its canonical
        form. Raises StoreError when a run is too large to be numbered, or the disk fails."""
        return self.put_rows(rows_of(run, raw, digest))

    def put_rows(self, rows: RunRows) -> Put:
        """Put a run whose rows were made elsewhere; see `put`."""
        verdict: Put = "imported"
        if rows.run_id in self._pending:
            self.pending_bytes -= self._pending.pop(rows.run_id).size_bytes
            verdict = "replaced"
        elif present := self._find_run(rows.run_id):
            key, _, import_id = present
            self._replaced_keys.append(key)
            verdict = "replaced" if import_id == self.import_id else "updated"
        self._pending[rows.run_id] = rows
        self.pending_bytes += rows.size_bytes
        if self.pending_bytes >= BUFFER_BYTES:
            self._flush()
        return verdict

    def finish(self, report: FileReport) -> None:
        """Write the rows in memory, and the file's report. To be called last, once."""
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

    def _find_run(self, run_id: str) -> tuple[int, bytes, int] | None:
        select = "SELECT key, digest, import_id FROM runs WHERE run_id = ?"
        row: tuple[int, bytes, int] | None = self._driver.execute(select, (run_id,)).fetchone()
        return row

    def _flush(self) -> None:
        _remove_runs(self._driver, self._replaced_keys)
        keyed = list(enumerate(self._pending.values(), self._next_key))
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
        self._pending.clear()
        self.pending_bytes = 0
        self._replaced_keys.clear()

    def _write(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        self._driver.executemany(_INSERTS[table], rows)


def _remove_runs(driver: sqlite3.Connection, keys: Iterable[int]) -> None:
    """Remove the runs of these keys and everything that is kept of them, except their reviews (R42)."""
    for key in keys:
        bounds = (key << tables.RUN_SHIFT, (key + 1) << tables.RUN_SHIFT)
        hits = driver.execute(_SELECT_TEXTS, bounds)
        driver.executemany(_DELETE_INDEXED, ((text_key, segmented(text)) for text_key, text in hits))
        driver.execute("DELETE FROM texts WHERE key >= ? AND key < ?", bounds)
        driver.execute("DELETE FROM runs WHERE key = ?", (key,))


def _remove_all(driver: sqlite3.Connection) -> None:
    """Remove every run, and what is kept of it, at once."""
    driver.execute("INSERT INTO texts_fts (texts_fts) VALUES ('delete-all')")
    for table in TABLES_OF_RUNS:
        driver.execute(f"DELETE FROM {table}")  # without a condition, SQLite drops whole pages


def delete_runs(self: Queries, query: str) -> int:
    """Delete the runs that the query finds, and return how many. Their reviews stay, for when they come back (R42).
    Raises QueryError."""
    runs = tables.runs
    statement = where(select(runs.c.key), condition_of(query, "runs"))
    with self.database.write() as connection:
        keys = list(connection.execute(statement).scalars())
        driver = driver_connection(connection)
        if len(keys) == connection.execute(select(func.count()).select_from(runs)).scalar_one():
            _remove_all(driver)
        else:
            _remove_runs(driver, keys)
    return len(keys)


def delete_import(self: Queries, import_id: int) -> int:
    """Delete an import with the runs that are there as it brought them, and return how many. A run that a later import
    updated belongs to that one, and stays; so do reviews (R42). Raises NotFoundError."""
    runs, imports = tables.runs, tables.imports
    with self.database.write() as connection:
        keys = list(connection.execute(select(runs.c.key).where(runs.c.import_id == import_id)).scalars())
        _remove_runs(driver_connection(connection), keys)
        if not connection.execute(delete(imports).where(imports.c.id == import_id)).rowcount:
            raise NotFoundError(f"there is no import {import_id}")
    return len(keys)
