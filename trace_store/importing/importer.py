"""The documents of one file on their way into the store, in their order: prepared here, or by the crew where the file
is large. The store and the report come out the same."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field

from trace_store.contract import find_run_id
from trace_store.evidence import SchemaCache
from trace_store.importing.pipeline import Prepared, prepare
from trace_store.importing.worker_pool import Chunk, Crew, received
from trace_store.readers import Body, Document, Reading, Rejection, body_of
from trace_store.reports import FileReport
from trace_store.store import Batch

LARGE_BYTES = 32 << 20
"""Of new documents that a file must have, as far as one can tell, before workers are started for it."""

SURE_BYTES = 8 << 20
"""Of new documents that tell how many there are: workers take about as long to load as these to prepare."""

CHUNK_BYTES = 1 << 20
CHUNK_ITEMS = 1_000
"""What a worker is given at a time, at most."""

AWAY_BYTES = 16 << 20
"""Of documents that may be with the workers: enough to keep them busy, and bounded whatever the file holds."""


@dataclass(slots=True)
class _Load:
    """What goes to a worker in one chunk, while it is put together; and what has to be known of it while it is away."""

    items: list[Body | Rejection] = field(default_factory=list)
    run_ids: list[str] = field(default_factory=list)
    size_bytes: int = 0


class Intake:
    """Takes what `reading` finds into `batch`, and keeps `report`."""

    def __init__(self, batch: Batch, reading: Reading, report: FileReport, schemas: SchemaCache, crew: Crew) -> None:
        self._batch = batch
        self._reading = reading
        self._report = report
        self._schemas = schemas
        self._crew = crew
        self._new_bytes = 0
        self._is_helped = False
        self._load = _Load()
        self._away: deque[tuple[_Load, Future[bytes]]] = deque()
        self._away_bytes = 0
        self._away_ids: set[str] = set()

    def take(self, item: Document | Rejection) -> None:
        """Takes one item. Raises StoreError."""
        body = body_of(item) if isinstance(item, Document) else item
        if isinstance(body, Body) and self._is_unchanged(body):
            return
        if self._is_helped or self._gets_help():
            self._give(body)
        elif isinstance(body, Body):
            self._settle(prepare(body, self._report.file, self._batch.import_id, self._schemas))
        else:
            self._settle(body)

    def finish(self) -> None:
        """Waits for what is away. Raises StoreError."""
        self._send()
        while self._away:
            self._take_back()

    def _is_unchanged(self, body: Body) -> bool:
        document, run_id = body.document, _run_id(body)
        if run_id in self._away_ids:
            self.finish()  # the same run again: what becomes of it depends on what became of the first
        if self._batch.digest_of(run_id) != document.digest:
            self._new_bytes += len(document.raw)
            return False
        self._report.unchanged += 1
        self._report.redactions += document.redactions
        return True

    def _settle(self, prepared: Prepared | Rejection) -> None:
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

    # ---- the crew ----

    def _gets_help(self) -> bool:
        """Whether workers take over from here: they are called when the file shows to be large, and while they load the
        work goes on here."""
        # Of a packed file, and of one that is mostly known, the part that is done tells what is to come.
        expected = self._new_bytes * self._reading.size_bytes
        if self._new_bytes >= SURE_BYTES and expected >= LARGE_BYTES * self._reading.bytes_done:
            self._crew.start()
            self._is_helped = self._crew.is_ready()
        return self._is_helped

    def _give(self, item: Body | Rejection) -> None:
        """Puts an item, a rejection too, behind those before it; and takes back what is ready or too much."""
        load = self._load
        load.items.append(item)
        if isinstance(item, Body):
            load.run_ids.append(run_id := _run_id(item))
            load.size_bytes += len(item.document.raw)
            self._away_ids.add(run_id)
        if load.size_bytes >= CHUNK_BYTES or len(load.items) >= CHUNK_ITEMS:
            self._send()
        while self._away and (self._away_bytes > AWAY_BYTES or self._away[0][1].done()):
            self._take_back()

    def _send(self) -> None:
        load, self._load = self._load, _Load()
        if load.items:
            answer = self._crew.send(Chunk(self._report.file, self._batch.import_id, load.items))
            load.items = []  # they are on their way as bytes
            self._away.append((load, answer))
            self._away_bytes += load.size_bytes

    def _take_back(self) -> None:
        load, answer = self._away.popleft()
        for prepared in received(answer):
            self._settle(prepared)
        self._away_bytes -= load.size_bytes
        self._away_ids.difference_update(load.run_ids)


def _run_id(body: Body) -> str:
    return find_run_id(body.value) or body.document.digest.hex()
