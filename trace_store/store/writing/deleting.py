"""How runs leave the store: their rows by cascade, their texts and full-text entries by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from sqlalchemy import Connection, func, select

from trace_store.store.connection import driver_connection
from trace_store.store.query.conditions import condition_of, where
from trace_store.store.query.full_text import segmented
from trace_store.store.schema.tables import RUN_SHIFT, runs

OF_RUNS = ("texts", "documents", "calls", "chains", "actors", "findings", "runs")
"""The tables with rows of runs, in an order that breaks no reference."""

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


def remove_all(driver: sqlite3.Connection) -> None:
    """Removes every run, and what is kept of it, at once."""
    driver.execute("INSERT INTO texts_fts (texts_fts) VALUES ('delete-all')")
    for table in OF_RUNS:
        driver.execute(f"DELETE FROM {table}")  # without a condition, SQLite drops whole pages


def delete(connection: Connection, query: str) -> int:
    """Removes the runs that the query finds, and returns how many. Their reviews stay, for when they come back (R42).
    Raises QueryError."""
    keys = list(connection.execute(where(select(runs.c.key), condition_of(query, "runs"))).scalars())
    driver = driver_connection(connection)
    if len(keys) == connection.execute(select(func.count()).select_from(runs)).scalar_one():
        remove_all(driver)
    else:
        remove_runs(driver, keys)
    return len(keys)
