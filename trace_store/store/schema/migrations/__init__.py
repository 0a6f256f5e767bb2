"""The schema's versions, and the way from each to the next. A step that was released is never edited: add another.

Each step runs in one transaction that also writes its record, so that a crash leaves a store of the old version or of
the new one. `tables` is always the newest schema; a test holds the steps to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from trace_store.errors import StoreError
from trace_store.store.connection import Database
from trace_store.store.schema.migrations import failure_messages, initial, search_texts

APPLICATION_ID = 0x54524143
"""Marks the file as a trace store, in the header that SQLite keeps for that ("TRAC")."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: the version it leads to, its name, its statements in order, and after them what fills new columns."""

    version: int
    name: str
    statements: tuple[str, ...]
    fill: Callable[[Connection], None] | None = None


MIGRATIONS = (
    Migration(1, "initial", (f"PRAGMA application_id = {APPLICATION_ID}", *initial.STATEMENTS)),
    Migration(2, "messages of failures without a class", failure_messages.STATEMENTS, failure_messages.fill),
    Migration(3, "texts and letters of the full-text index", search_texts.STATEMENTS, search_texts.fill),
)


def migrate(database: Database, migrations: Sequence[Migration] = MIGRATIONS) -> list[int]:
    """Bring the database to the newest of `migrations` and return the versions it went through, none when it was
    there. Raises StoreError for a newer schema, and for a database that holds something else."""
    with database.read() as connection:
        current = _version(connection, database.path)
    newest = migrations[-1].version
    if current > newest:
        raise StoreError(
            f"the store has schema {current}, and this program knows {newest}",
            path=database.path,
            hint="a newer program wrote it: update this one",
        )
    return [step.version for step in migrations if step.version > current and _apply(database, step)]


def _apply(database: Database, step: Migration) -> bool:
    with database.write() as connection:
        # Asked again now that we hold the lock: another process may have opened the same store.
        if _version(connection, database.path) >= step.version:
            return False
        for statement in step.statements:
            connection.exec_driver_sql(statement)
        if step.fill is not None:
            step.fill(connection)
        connection.exec_driver_sql(
            "INSERT INTO migrations (version, name, applied_us) VALUES (?, ?, ?)",
            (step.version, step.name, time.time_ns() // 1000),
        )
    return True


def _version(connection: Connection, path: str) -> int:
    if connection.exec_driver_sql("PRAGMA application_id").scalar_one() == APPLICATION_ID:
        version = connection.exec_driver_sql("SELECT max(version) FROM migrations").scalar_one()
        return int(version)
    if connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema").scalar_one():
        raise StoreError("this database holds something else", path=path, hint="name a new file for the store")
    return 0
