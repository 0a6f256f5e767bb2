"""Version 3: the full-text index folds letters by one rule, and has the names of tools, ids, metadata and more."""

from __future__ import annotations

import zstandard
from sqlalchemy import Connection

from trace_store.model import Run
from trace_store.store.connection import driver_connection
from trace_store.store.query.full_text import segmented
from trace_store.store.schema.tables import RUN_SHIFT
from trace_store.store.writing.texts import texts_of

STATEMENTS = (
    # An entry leaves the index only under the spelling that it came in with: all of them go, and are made anew.
    "INSERT INTO texts_fts (texts_fts) VALUES ('delete-all')",
    "DELETE FROM texts",
)
_TOGETHER = 32


def fill(connection: Connection) -> None:
    """Index the runs that are there, out of their run documents, a few in memory at a time."""
    driver = driver_connection(connection)
    last = 0
    while rows := driver.execute(
        "SELECT run_key, raw_size, blob FROM documents WHERE run_key > ? ORDER BY run_key LIMIT ?", (last, _TOGETHER)
    ).fetchall():
        for key, raw_size, blob in rows:
            run = Run.from_json(zstandard.ZstdDecompressor().decompress(blob)[raw_size:])
            texts = [((key << RUN_SHIFT) + number, part, path, text) for number, part, path, text in texts_of(run)]
            driver.executemany("INSERT INTO texts (key, part, path, text) VALUES (?, ?, ?, ?)", texts)
            indexed = ((text_key, segmented(text)) for text_key, _, _, text in texts)
            driver.executemany("INSERT INTO texts_fts (rowid, text) VALUES (?, ?)", indexed)
        last = rows[-1][0]
