"""Import the documents of one file in their order: prepared here, or by worker processes where the file is large.

The store and the report come out the same.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field

from trace_store.evidence import SchemaCache
from trace_store.importing.pipeline import PreparedRun, prepare_run
from trace_store.importing.worker_pool import Chunk, WorkerPool, wait_for_answer
from trace_store.readers import Body, Document, Reading, Rejection, read_body
from trace_store.reports import FileReport
from trace_store.store import Batch

LARGE_BYTES = 32 << 20
"""Of new documents that a file must have, as far as one can tell, before workers are started for it."""

SAMPLE_BYTES = 8 << 20
"""Of new documents that tell how many there are: workers take about as long to load as these to prepare."""

CHUNK_BYTES = 1 << 20
CHUNK_ITEMS = 1_000
"""What a worker is given at a time, at most."""

PENDING_BYTES = 16 << 20
"""Of documents that may be with the workers: enough to keep them busy, and bounded whatever the file holds."""


@dataclass(slots=True)
class _PendingChunk:
    """What goes to a worker in one chunk, while it is put together; and what has to be known of it while it is away."""

    items: list[Body | Rejection] = field(default_factory=list)
    run_ids: list[str] = field(default_factory=list)
    size_bytes: int = 0


class FileImporter:
    """Takes what `reading` finds into `batch`, and keeps `report`."""

    def __init__(
        self, batch: Batch, reading: Reading, report: FileReport, schemas: SchemaCache, pool: WorkerPool
    ) -> None:
        self._batch = batch
        self._reading = reading
        self._report = report
        self._schemas = schemas
        self._pool = pool
        self._new_bytes = 0
        self._uses_workers = False
        self._load = _PendingChunk()
        self._pending: deque[tuple[_PendingChunk, Future[bytes]]] = deque()
        self._pending_bytes = 0
        self._pending_ids: set[str] = set()

    def take(self, item: Document | Rejection) -> None:
        """Take one item. Raises StoreError."""
        body = read_body(item) if isinstance(item, Document) else item
        if isinstance(body, Body) and self._is_unchanged(body):
            return
        if self._uses_workers or self._starts_workers():
            self._queue(body)
        elif isinstance(body, Body):
            self._store(prepare_run(body, self._report.file, self._batch.import_id, self._schemas))
        else:
            self._store(body)

    def finish(self) -> None:
        """Wait for the chunks at the workers. Raises StoreError."""
        self._send()
        while self._pending:
            self._collect_oldest()

    def _is_unchanged(self, body: Body) -> bool:
        document, run_id = body.document, body.run_id
        if run_id in self._pending_ids:
            self.finish()  # the same run again: what becomes of it depends on what became of the first
        if self._batch.digest_of(run_id) != document.digest:
            self._new_bytes += len(document.raw)
            return False
        self._report.unchanged += 1
        self._report.redactions += document.redactions
        return True

    def _store(self, prepared: PreparedRun | Rejection) -> None:
        report = self._report
        if isinstance(prepared, Rejection):
            report.reject(prepared.place, prepared.kind, prepared.reason, prepared.hint)
            return
        verdict = self._batch.put_rows(prepared.rows)
        report.imported += verdict == "imported"
        report.updated += verdict != "imported"
        report.replaced += verdict == "replaced"
        report.redactions += prepared.redactions
        for warning in prepared.warnings:
            report.warn(prepared.rows.run_id, warning.path, warning.reason)

    # ---- the worker pool ----

    def _starts_workers(self) -> bool:
        """Return whether workers take over from here: they are started when the file shows to be large, and while they
        load the work goes on here."""
        # Of a packed file, and of one that is mostly known, the part that is done tells what is to come.
        expected = self._new_bytes * self._reading.size_bytes
        if self._new_bytes >= SAMPLE_BYTES and expected >= LARGE_BYTES * self._reading.bytes_done:
            self._pool.start()
            self._uses_workers = self._pool.is_ready()
        return self._uses_workers

    def _queue(self, item: Body | Rejection) -> None:
        """Queue an item, or a rejection, behind those before it; then store what is ready or too much to hold."""
        load = self._load
        load.items.append(item)
        if isinstance(item, Body):
            load.run_ids.append(item.run_id)
            load.size_bytes += len(item.document.raw)
            self._pending_ids.add(item.run_id)
        if load.size_bytes >= CHUNK_BYTES or len(load.items) >= CHUNK_ITEMS:
            self._send()
        while self._pending and (self._pending_bytes > PENDING_BYTES or self._pending[0][1].done()):
            self._collect_oldest()

    def _send(self) -> None:
        load, self._load = self._load, _PendingChunk()
        if load.items:
            answer = self._pool.send(Chunk(self._report.file, self._batch.import_id, load.items))
            load.items = []  # they are on their way as bytes
            self._pending.append((load, answer))
            self._pending_bytes += load.size_bytes

    def _collect_oldest(self) -> None:
        load, answer = self._pending.popleft()
        for prepared in wait_for_answer(answer):
            self._store(prepared)
        self._pending_bytes -= load.size_bytes
        self._pending_ids.difference_update(load.run_ids)
