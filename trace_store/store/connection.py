"""Connections to the database: one engine for readers, one connection that writes, and errors with hints.

SQLite in write-ahead mode: readers see the last committed state while an import runs, and never wait for it. Every
reading thread takes a connection of its own from the pool; there is one writing connection, held by one thread at a
time, and other processes wait at most `wait_s` for theirs.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import URL, ColumnElement, Connection, Engine, Integer, create_engine, event, func, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import QueuePool

from trace_store.errors import StoreBusyError, StoreError
from trace_store.model import Path
from trace_store.store import percentiles
from trace_store.store.folding import text_holds

Key = TypeVar("Key")
Value = TypeVar("Value")

PAGE_BYTES = 8192
READ_THREADS = 4
"""The pages of a few readers should not put more statements to the disk at once than it can serve."""

# Primary result codes of SQLite -> what they mean to a person, and what to do.
_FAULTS: dict[int, tuple[type[StoreError], str, str]] = {
    sqlite3.SQLITE_BUSY: (
        StoreBusyError,
        "another import or edit holds the store",
        "try again when it is done",
    ),
    sqlite3.SQLITE_LOCKED: (
        StoreBusyError,
        "another import or edit holds the store",
        "try again when it is done",
    ),
    sqlite3.SQLITE_NOTADB: (StoreError, "this file is not a database", "name a new file, or one that a store wrote"),
    sqlite3.SQLITE_CORRUPT: (StoreError, "the database is damaged", "restore a copy, or import into a new store"),
    sqlite3.SQLITE_READONLY: (StoreError, "the store cannot be written", "the file or its folder is read-only"),
    sqlite3.SQLITE_CANTOPEN: (
        StoreError,
        "the store cannot be opened",
        "the folder must exist, and allow that files are written in it",
    ),
    sqlite3.SQLITE_PERM: (StoreError, "the store cannot be opened", "access to the file is denied"),
    sqlite3.SQLITE_FULL: (StoreError, "the disk is full", "nothing of this import was kept; make room and repeat it"),
    sqlite3.SQLITE_IOERR: (StoreError, "the disk failed while the store was read or written", "check the disk"),
    sqlite3.SQLITE_TOOBIG: (StoreError, "a text or document is over SQLite's limit of 1 GB", "split the document"),
}


class Database:
    """One SQLite file. `read()` and `write()` hand out connections inside a transaction."""

    def __init__(self, url: str, *, wait_s: float) -> None:
        """Prepare the engines; nothing is opened yet. `wait_s`: seconds to wait for another writer. Raises StoreError
        for a URL of no file."""
        self.path = _database_path(url)
        self.wait_s = wait_s
        self._reader = _engine(self.path, wait_s, writes=False)
        self._writer = _engine(self.path, wait_s, writes=True)
        self._write_lock = threading.Lock()
        self._watch: sqlite3.Connection | None = None
        self._watched_since_ns = 0
        self._watch_lock = threading.Lock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the store throughout and cannot write."""
        with self._explain_faults(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give the writing connection, the lock already held; it commits at the end, and any exception rolls all of it
        back. Raises StoreBusyError when another writer does not finish within `wait_s`."""
        with self._take_turn(), self._explain_faults(), self._writer.begin() as connection:
            yield connection

    def read_in_parallel(self, reads: Mapping[Key, Callable[[Connection], Value]]) -> dict[Key, Value]:
        """Return what each of `reads` returns, by its key; each runs on a connection and a thread of its own.

        SQLite works outside Python's lock, so that two of them use two cores. Each sees the store as it is when it
        begins. Raises what the first of them raised, in their order.
        """

        def read(function: Callable[[Connection], Value]) -> Value:
            with self.read() as connection:
                return function(connection)

        if len(reads) < 2:
            return {key: read(function) for key, function in reads.items()}
        with ThreadPoolExecutor(max_workers=min(READ_THREADS, len(reads)), thread_name_prefix="store-read") as pool:
            futures = {key: pool.submit(read, function) for key, function in reads.items()}
            return {key: future.result() for key, future in futures.items()}

    def run_alone(self, *statements: str) -> None:
        """Run statements that SQLite allows outside a transaction only (VACUUM, PRAGMA), on the writing connection."""
        with self._take_turn(), self._explain_faults(), self._writer.connect() as connection:
            for statement in statements:
                driver_connection(connection).execute(statement).close()

    def revision(self) -> str:
        """Return another text whenever the database was written, by this process or any other."""
        with self._watch_lock, self._explain_faults():
            if self._watch is None:
                # Each connection of SQLite sees the version change when any other has written.
                self._watch = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
                self._watched_since_ns = time.time_ns()
            version = self._watch.execute("PRAGMA data_version").fetchone()[0]
        return f"{self._watched_since_ns}.{version}"

    def close(self) -> None:
        """Close every connection; those in use are closed when they are given back."""
        self._reader.dispose()
        self._writer.dispose()
        with self._watch_lock:
            if self._watch is not None:
                self._watch.close()
                self._watch = None

    @contextmanager
    def _take_turn(self) -> Iterator[None]:
        # A lock of ours in front of SQLite's: threads get the writer as soon as it is free, without polling the file.
        if not self._write_lock.acquire(timeout=self.wait_s):
            raise self._fault(sqlite3.SQLITE_BUSY)
        try:
            yield
        finally:
            self._write_lock.release()

    @contextmanager
    def _explain_faults(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            code = getattr(cause, "sqlite_errorcode", None)
            if code is None or code & 0xFF not in _FAULTS:
                raise
            raise self._fault(code & 0xFF) from error

    def _fault(self, code: int) -> StoreError:
        kind, message, hint = _FAULTS[code]
        return kind(message, path=self.path, hint=hint)


class Queries:
    """A group of queries over one database: the base of Store and of the objects that it owns."""

    def __init__(self, database: Database) -> None:
        self.database = database


def driver_connection(connection: Connection) -> sqlite3.Connection:
    """Return the driver's connection behind `connection`, in the same transaction: bulk rows go to its
    `executemany`."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def call_sequence(path: ColumnElement[str]) -> ColumnElement[int]:
    """Return the SQL expression for the sequence of the logged call that a path leads to; null where to none."""
    return func.call_sequence(path, type_=Integer)


def add_functions(connection: sqlite3.Connection) -> None:
    """Give the connection the SQL functions of the store."""
    percentiles.add_aggregate(connection)
    connection.create_function("call_sequence", 1, _call_sequence, deterministic=True)
    connection.create_function("text_holds", 2, text_holds, deterministic=True)


def _call_sequence(path: str) -> int | None:
    return Path(path).call_sequence


def _database_path(url: str) -> str:
    example = "a store is named like sqlite:///traces.db"
    try:
        address = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(f"{url!r} is not the URL of a store", hint=example) from error
    if address.get_backend_name() != "sqlite":
        raise StoreError(f"a store in {address.get_backend_name()} is not supported", hint=example)
    if not address.database or address.database == ":memory:" or address.database.startswith("file:"):
        raise StoreError(f"{url!r} names no file", hint=example)
    if address.query:
        raise StoreError(f"{url!r} has options, and a store takes none", hint=example)
    return address.database


def _engine(path: str, wait_s: float, *, writes: bool) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=path),
        poolclass=QueuePool,
        pool_size=1 if writes else 8,
        max_overflow=0 if writes else -1,
        connect_args={"timeout": wait_s, "check_same_thread": False},
    )
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
        try:
            for pragma in _pragmas(writes):
                connection.execute(f"PRAGMA {pragma}").close()
            add_functions(connection)
        except sqlite3.Error:
            connection.close()
            raise

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _pragmas(writes: bool) -> tuple[str, ...]:
    shared = ("foreign_keys = ON", "temp_store = MEMORY")
    if not writes:
        # No memory mapping: measured, it gains nothing, and counts the file into the process.
        return (*shared, "query_only = ON", "cache_size = -16384")
    return (
        f"page_size = {PAGE_BYTES}",  # of a new file; an existing one keeps its own
        "journal_mode = WAL",
        "synchronous = NORMAL",  # a power cut may lose the last commit, never the store's soundness
        "journal_size_limit = 67108864",
        *shared,
        "cache_size = -65536",
    )
