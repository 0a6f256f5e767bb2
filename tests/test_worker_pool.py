"""Large files: the same store and report with workers as without, and nothing left behind when one of them ends."""

from __future__ import annotations

import os
import pickle
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest

from benchmarks.generate import runs
from trace_store.errors import StoreError
from trace_store.importing import files, importer
from trace_store.importing.files import import_paths, import_stream
from trace_store.importing.worker_pool import READY, WorkerPool, wait_for_answer, write_message
from trace_store.store import Store

BEARER = "Bearer abcdefghijklmnop0123456789"
OF_ITS_TIME = {"migrations", "imports", "imported_us"}  # tables and columns
UNREADABLE = {"texts_fts"}  # of its own; the tables that it keeps its index in are compared


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path / 'traces.db'}") as opened:
        yield opened


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[WorkerPool]:
    """The pools that were started. Every new document is enough to call one, and it is waited for."""
    started: list[WorkerPool] = []
    start, is_ready = WorkerPool.start, WorkerPool.is_ready

    def noted(self: WorkerPool) -> None:
        if self not in started:
            started.append(self)
        start(self)

    monkeypatch.setattr(WorkerPool, "start", noted)
    monkeypatch.setattr(WorkerPool, "is_ready", lambda self: is_ready(self, 60))
    monkeypatch.setattr(importer, "SAMPLE_BYTES", 1)
    monkeypatch.setattr(importer, "LARGE_BYTES", 1)
    monkeypatch.setattr(importer, "CHUNK_BYTES", 40_000)
    monkeypatch.setattr(importer, "PENDING_BYTES", 100_000)
    monkeypatch.setattr(files, "_PROGRESS_EVERY_S", 0)
    return started


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Forty runs; some that come again, changed or not; a secret, warnings, and lines that are no runs."""
    bodies: list[Any] = list(runs(40, messages=6, calls=4))
    bodies[3]["proxy_calls"][0]["response"] = {"note": BEARER}
    bodies[5]["messages"] = "none"
    bodies[7] = bodies[6]
    bodies[9] = bodies[8] | {"final_response": "another"}
    lines = [orjson.dumps(body) for body in bodies]
    lines[11:11] = [b"{broken", b'{"detail": "no", "status_code": 401}', b'"a text"', b""]
    lines += [lines[20], lines[0]]
    path = tmp_path / "large.jsonl"
    path.write_bytes(b"\n".join(lines))
    return path


def contents(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the store in order, but for what tells the time of the import."""
    rows = {}
    with closing(sqlite3.connect(database)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for table in {name for (name,) in tables} - OF_ITS_TIME - UNREADABLE:
            found = connection.execute(f"SELECT * FROM {table}")
            kept = [i for i, column in enumerate(found.description) if column[0] not in OF_ITS_TIME]
            rows[table] = [tuple(row[i] for i in kept) for row in found]
    return rows


def imported(path: Path, database: Path, workers: int) -> dict[str, Any]:
    with Store.open(f"sqlite:///{database}") as store:
        report = import_paths(store, [path], workers=workers).files[0].as_dict()
    del report["seconds"], report["mb_per_second"]
    return report


def gone(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return True
    return False


def on_the_first_sign(act: Callable[[], None]) -> Callable[[str, int, int, int], None]:
    """A progress that acts once some runs were read."""
    left = [act]

    def told(file: str, done: int, size: int, read: int) -> None:
        if read and left:
            left.pop()()

    return told


@pytest.mark.parametrize("workers", [1, 2])
def test_the_store_and_the_report_are_the_same_with_workers(
    pools: list[WorkerPool], path: Path, tmp_path: Path, workers: int
) -> None:
    alone = imported(path, tmp_path / "alone.db", 0)
    helped = imported(path, tmp_path / "helped.db", workers)
    assert helped == alone
    assert {name: alone[name] for name in ("imported", "updated", "unchanged", "rejected", "redactions")} == {
        "imported": 39, "updated": 1, "unchanged": 3, "rejected": 2, "redactions": 1,
    }  # fmt: skip
    assert contents(tmp_path / "helped.db") == contents(tmp_path / "alone.db")
    assert pools[-1].count == workers


def test_what_was_imported_before_calls_no_workers(pools: list[WorkerPool], path: Path, store: Store) -> None:
    import_paths(store, [path], workers=1)
    assert len(pools) == 1
    report = import_paths(store, [path], workers=1).files[0]
    # Of a run that comes twice in the file, the store keeps the last: the first is a change each time.
    assert (report.imported, report.updated, report.unchanged) == (0, 2, 41)


def test_a_small_file_calls_no_workers(path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkerPool, "start", lambda self: pytest.fail("no worker is needed"))
    with path.open("rb") as stream:
        assert import_stream(store, "upload", stream).imported == 39


def test_a_worker_that_is_killed_costs_the_file_and_says_so(pools: list[WorkerPool], path: Path, store: Store) -> None:
    def kill() -> None:
        for process_id in pools[0].process_ids:
            os.kill(process_id, signal.SIGKILL)

    with pytest.raises(StoreError, match=r"a worker process of the import has ended \(signal 9\)"):
        import_paths(store, [path], on_the_first_sign(kill), workers=2)
    assert (store.runs().total, store.imports.page().total) == (0, 0)
    assert import_paths(store, [path], workers=0).totals["imported"] == 39


def test_an_interrupt_ends_the_workers_and_leaves_nothing(pools: list[WorkerPool], path: Path, store: Store) -> None:
    process_ids: list[int] = []

    def interrupt() -> None:
        process_ids.extend(pools[0].process_ids)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_paths(store, [path], on_the_first_sign(interrupt), workers=2)
    assert len(process_ids) == 2
    assert all(gone(process_id) for process_id in process_ids)
    assert (store.runs().total, store.imports.page().total) == (0, 0)


@pytest.mark.parametrize("executable", ["/nowhere/python", "/bin/false", ""])
def test_where_no_worker_starts_the_import_does_the_work_itself(
    pools: list[WorkerPool], path: Path, store: Store, executable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trace_store.importing.worker_pool.sys.executable", executable)
    assert import_paths(store, [path], workers=2).totals["imported"] == 39


def test_the_error_of_a_document_is_raised_by_the_import() -> None:
    answer: Future[bytes] = Future()
    answer.set_result(pickle.dumps(StoreError("a run of 3,000,000 calls", place="line 7", hint="too many")))
    with pytest.raises(StoreError, match=r"line 7: a run of 3,000,000 calls \(too many\)"):
        wait_for_answer(answer)


def test_a_worker_ends_with_its_import(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "trace_store.importing.worker"]
    done = subprocess.run(command, input=b"", capture_output=True, check=True, timeout=60)
    greeting = tmp_path / "greeting"
    with greeting.open("wb") as pipe:
        write_message(pipe, READY)
    assert (done.stdout, done.stderr) == (greeting.read_bytes(), b"")
