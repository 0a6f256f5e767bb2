"""Version 2: what a boundary without a class said, masked, is part of the signature of a failure."""

from __future__ import annotations

import zstandard
from sqlalchemy import Connection

from trace_store.model import Run
from trace_store.store.writing.signatures import signature_of

STATEMENTS = (
    "ALTER TABLE runs ADD COLUMN boundary_message TEXT",
    "DROP INDEX runs_boundary_stage",
    "CREATE INDEX runs_boundary_stage ON runs"
    " (boundary_stage, boundary_tool, boundary_class, boundary_message, started_us)",
    "DELETE FROM sqlite_stat1 WHERE idx = 'runs_boundary_stage'",
    "INSERT INTO sqlite_stat1 VALUES ('runs', 'runs_boundary_stage', '100000 5000 1 1 1 1')",
)
_TOGETHER = 64


def fill(connection: Connection) -> None:
    """Give the runs that are there their messages, out of their run documents, a few in memory at a time."""
    last = 0
    while rows := connection.exec_driver_sql(
        "SELECT key, raw_size, blob FROM runs JOIN documents ON run_key = key"
        " WHERE key > ? AND boundary_stage IS NOT NULL AND boundary_class IS NULL ORDER BY key LIMIT ?",
        (last, _TOGETHER),
    ).all():
        for key, raw_size, blob in rows:
            document = zstandard.ZstdDecompressor().decompress(blob)[raw_size:]
            message = signature_of(Run.from_json(document)).message
            connection.exec_driver_sql("UPDATE runs SET boundary_message = ? WHERE key = ?", (message, key))
        last = rows[-1][0]
