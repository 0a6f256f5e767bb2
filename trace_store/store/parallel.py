"""Statements that do not wait for each other: each on a connection and a thread of its own.

SQLite works outside Python's lock, so that two of them use two cores. Each sees the store as it is when it begins: one
may know of a write that another, which began before it, does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection

from trace_store.store.connection import Database

Key = TypeVar("Key")
Value = TypeVar("Value")

THREADS = 4
"""The pages of a few readers should not put more statements to the disk at once than it can serve."""


def side_by_side(database: Database, reads: Mapping[Key, Callable[[Connection], Value]]) -> dict[Key, Value]:
    """What each of `reads` returns, by its name. Raises what the first of them raised, in their order."""

    def read(reading: Callable[[Connection], Value]) -> Value:
        with database.read() as connection:
            return reading(connection)

    if len(reads) < 2:
        return {key: read(reading) for key, reading in reads.items()}
    with ThreadPoolExecutor(max_workers=min(THREADS, len(reads)), thread_name_prefix="store-read") as pool:
        begun = {key: pool.submit(read, reading) for key, reading in reads.items()}
        return {key: future.result() for key, future in begun.items()}
