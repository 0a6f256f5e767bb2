"""Whole runs in memory: those just opened, and those beside them in the list, which are read before they are asked for.

Reading ahead goes on in a thread of its own once a page is drawn, so that no page waits for it. The thread knows the
store and nothing of Streamlit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock, Thread
from typing import TypeAlias

from trace_store.errors import TraceError
from trace_store.model import Run
from trace_store.store import Store

RUNS_IN_MEMORY = 8
"""Runs in memory: the one that is open, those beside it, and those just left."""

LARGEST_BYTES = 16 * 1024 * 1024
"""Of a raw document that is read ahead. A larger one would take memory and time for a page that may never be opened."""

_Key: TypeAlias = tuple[Store, str, str]

_runs: OrderedDict[_Key, Run] = OrderedDict()
_lock = Lock()
_readers: list[Thread] = []


def run(store: Store, revision: str, run_id: str) -> Run:
    """Return the run document as of a revision of the store; shared between sessions, so nothing may change it. Raises
    NotFoundError."""
    key = (store, revision, run_id)
    with _lock:
        if key in _runs:
            _runs.move_to_end(key)
            return _runs[key]
    document = store.run(run_id)  # outside the lock: a large run takes a second
    with _lock:
        _runs[key] = document
        while len(_runs) > RUNS_IN_MEMORY:
            _runs.popitem(last=False)
    return document


def read_ahead(store: Store, revision: str, run_ids: Iterable[str | None]) -> None:
    """Read these runs in the background, unless that is going on already; nulls are passed over."""
    wanted = [run_id for run_id in run_ids if run_id is not None and (store, revision, run_id) not in _runs]
    _readers[:] = [reader for reader in _readers if reader.is_alive()]
    if wanted and not _readers:
        _readers.append(Thread(target=_read, args=(store, revision, wanted), name="read-ahead", daemon=True))
        _readers[-1].start()


def wait() -> None:
    """Wait until nothing is being read ahead: before a store is closed."""
    for reader in list(_readers):
        reader.join()


def _read(store: Store, revision: str, run_ids: list[str]) -> None:
    for run_id in run_ids:
        try:
            if store.raw_size_bytes(run_id) <= LARGEST_BYTES:
                run(store, revision, run_id)
        except TraceError:
            return  # whoever opens the run gets the error
