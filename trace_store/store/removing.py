"""How runs leave the store: their rows by cascade, their texts and full-text entries by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from sqlalchemy import Connection, select

from trace_store.store.conditions import condition_of, where
from trace_store.store.connection import driver_connection
from trace_store.store.search import segmented
from trace_store.store.tables import RUN_SHIFT, runs

_TEXTS = "SELECT key, text FROM texts WHERE key >= ? AND key < ?"
# The index holds no text of its own: to forget one, it must be told what it was given.
_FORGET = "INSERT INTO texts_fts (texts_fts, rowid, text) VALUES ('delete', ?, ?)"


def remove_runs(driver: sqlite3.Connection, keys: Iterable[int]) -> None:
    """Removes the runs of these keys and everything that is kept of them, except their reviews (R42)."""
    for key in keys:
        bounds = (key << RUN_SHIFT, (key + 1) << RUN_SHIFT)
        hits = driver.execute(_TEXTS, bounds)
        driver.executemany(_FORGET, ((text_key, segmented(text)) for text_key, text in hits))
        driver.execute("DELETE FROM texts WHERE key >= ? AND key < ?", bounds)
        driver.execute("DELETE FROM runs WHERE key = ?", (key,))


def delete(connection: Connection, query: str) -> int:
    """Removes the runs that the query finds, and returns how many. Their reviews stay, for when they come back (R42).
    Raises QueryError."""
    keys = list(connection.execute(where(select(runs.c.key), condition_of(query, "runs"))).scalars())
    remove_runs(driver_connection(connection), keys)
    return len(keys)
