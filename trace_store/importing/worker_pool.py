"""Worker processes beside an import: they prepare chunks of documents while the import reads and writes.

A worker is a fresh interpreter that runs `trace_store.importing.worker`, and talks with the import through two pipes,
one chunk at a time. It is neither forked (the app has threads) nor started by `multiprocessing`, which would run the
program that imports, a page of the app or somebody's script, once more in each worker. When either side ends, however
it ends, the other reads the end of a pipe: no worker outlives its import, and an import without its worker says so.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from types import TracebackType
from typing import BinaryIO

from trace_store.errors import StoreError, TraceError
from trace_store.importing.pipeline import PreparedRun
from trace_store.readers import Body, Rejection

MAX_USEFUL_WORKERS = 2
"""More workers than these have nothing to do: to read and write takes the import itself about half as long as to
prepare takes them."""

READY = b""
"""What a worker says once it has loaded."""

_LENGTH_BYTES = 8


@dataclass(slots=True)
class Chunk:
    """Documents of one import on their way to a worker. Rejections go along, so that they keep their place."""

    file: str
    import_id: int
    items: Sequence[Body | Rejection]


def cores() -> int:
    """Return the processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerPool:
    """At most `count` workers; null: as many as are useful and the machine has cores for, beside this process. They
    start with `start`, and end when the pool is closed."""

    def __init__(self, count: int | None = None) -> None:
        self.count = min(MAX_USEFUL_WORKERS, cores() - 1) if count is None else count
        self._workers: list[_Worker] = []
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._loading: list[Future[bytes]] = []
        self._threads: ThreadPoolExecutor | None = None

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the workers; `is_ready` says when they have loaded. Where no process can be started there will be none,
        and the import does the work itself."""
        if self._threads is not None or self.count <= 0 or not sys.executable:
            return
        # One thread a worker: it waits at the pipes, and leaves the work on what comes through them to the import.
        self._threads = ThreadPoolExecutor(self.count, thread_name_prefix="import-worker")
        for _ in range(self.count):
            try:
                worker = _Worker()
            except OSError:
                break
            self._workers.append(worker)
            self._idle.put(worker)
            self._loading.append(self._threads.submit(worker.receive))

    def is_ready(self, within_s: float = 0.0) -> bool:
        """Return whether the workers have loaded, or do so within that time: then chunks can be sent."""
        ready, loading = wait(self._loading, within_s)
        return bool(ready) and not loading and all(worker.exception() is None for worker in ready)

    @property
    def process_ids(self) -> list[int]:
        """Return the process ids of the workers that were started."""
        return [worker.process.pid for worker in self._workers]

    def send(self, chunk: Chunk) -> Future[bytes]:
        """Have a chunk prepared by the next worker that is free; see `wait_for_answer`."""
        assert self._threads is not None, "the pool must be started before chunks are sent"
        return self._threads.submit(self._exchange, pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL))

    def close(self) -> None:
        """End the workers, whatever they are doing."""
        if self._threads is None:
            return
        for worker in self._workers:
            worker.process.kill()
        self._threads.shutdown(cancel_futures=True)  # those that wait at a pipe see its end
        for worker in self._workers:
            worker.close()
        self._workers.clear()
        self._loading.clear()
        self._idle = SimpleQueue()
        self._threads = None

    def _exchange(self, message: bytes) -> bytes:
        worker = self._idle.get()
        try:
            return worker.ask(message)
        finally:
            self._idle.put(worker)


def wait_for_answer(answer: Future[bytes]) -> list[PreparedRun | Rejection]:
    """Wait for what became of the items of a chunk, and return it in their order. Raises StoreError: that of a
    document, or that the worker has ended."""
    result: list[PreparedRun | Rejection] | TraceError = pickle.loads(answer.result())
    if isinstance(result, TraceError):
        raise result
    return result


class _Worker:
    """One process and its pipes."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            # -P: nothing is imported from the folder that one happens to work in.
            [sys.executable, "-P", "-m", "trace_store.importing.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            # Of its own, so that Ctrl-C on a terminal reaches the import alone, which then ends its workers.
            start_new_session=True,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self._into: BinaryIO = self.process.stdin  # type: ignore[assignment]  # typed as IO[bytes]
        self._out_of: BinaryIO = self.process.stdout  # type: ignore[assignment]

    def ask(self, message: bytes) -> bytes:
        """Send a message and wait for the answer. Raises StoreError when the worker has ended."""
        try:
            write_message(self._into, message)
        except OSError:
            raise self._has_ended() from None
        return self.receive()

    def receive(self) -> bytes:
        """Wait for a message. Raises StoreError when the worker has ended."""
        message = read_message(self._out_of)
        if message is None:
            raise self._has_ended()
        return message

    def close(self) -> None:
        """Wait for the end of the process, and close the pipes."""
        self.process.wait()
        for pipe in (self._into, self._out_of):
            with suppress(OSError):  # what was still to be written goes nowhere
                pipe.close()

    def _has_ended(self) -> StoreError:
        status = self.process.wait()
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return StoreError(
            f"a worker process of the import has ended ({how})",
            hint="nothing of this file was kept; repeat the import, where there is more memory if that ran out",
        )


def write_message(pipe: BinaryIO, message: bytes) -> None:
    """Write one message: its length, then its bytes."""
    pipe.write(len(message).to_bytes(_LENGTH_BYTES))
    pipe.write(message)
    pipe.flush()


def read_message(pipe: BinaryIO) -> bytes | None:
    """Return the next message, or None where the pipe ends."""
    head = pipe.read(_LENGTH_BYTES)
    length = int.from_bytes(head)
    message = pipe.read(length)
    return message if len(head) == _LENGTH_BYTES and len(message) == length else None
