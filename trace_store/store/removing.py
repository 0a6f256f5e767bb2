"""How runs leave the store: their rows by cascade, their texts and full-text entries by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from trace_store.store.search import segmented
from trace_store.store.tables import RUN_SHIFT

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
