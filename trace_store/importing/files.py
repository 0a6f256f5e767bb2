"""Imports: readers, contract, evidence and store, one file after another, with a report of each.

One file is one transaction: a crash or an interrupt leaves all of it or none (R42). A document that was imported before
is recognised by its digest, and costs no more than to parse it. Large files are prepared by worker processes beside
this one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import BinaryIO, TypeAlias

from trace_store.evidence import SchemaCache
from trace_store.importing.importer import FileImporter
from trace_store.importing.pipeline import build_run
from trace_store.importing.worker_pool import WorkerPool
from trace_store.model import Run
from trace_store.readers import Body, Document, Reading, Rejection, display_path, list_files, open_documents, read_body
from trace_store.reports import FileReport, ImportReport
from trace_store.store import Store

Progress: TypeAlias = Callable[[str, int, int, int], None]
"""Told now and then: the file, its bytes done, its bytes in all (0: unknown), and the runs read from it."""

_PROGRESS_EVERY_S = 0.1
_UNREADABLE = "unreadable"


def import_paths(
    store: Store,
    paths: Iterable[str | PathLike[str]],
    progress: Progress | None = None,
    *,
    workers: int | None = None,
) -> ImportReport:
    """Import files and folders. A path that cannot be read is a rejection in the report, and the others go on.
    `workers`: how many processes may help with a large file; null: as many as the machine has cores for. Raises
    StoreError where the store cannot be written, or a worker ends."""
    report, schemas = ImportReport(), SchemaCache()
    with WorkerPool(workers) as pool:
        for path in _files(paths, report):
            report.files.append(_import(store, display_path(path), open_documents(path), schemas, pool, progress))
    return report


def import_stream(
    store: Store, name: str, stream: BinaryIO, progress: Progress | None = None, *, workers: int | None = None
) -> FileReport:
    """Import a binary stream under `name`: an upload, or standard input. Raises StoreError."""
    with WorkerPool(workers) as pool:
        return _import(store, name, open_documents(stream), SchemaCache(), pool, progress)


def check_paths(paths: Iterable[str | PathLike[str]], report: ImportReport | None = None) -> Iterator[Run | Rejection]:
    """Read as an import does, write nothing, and yield every run and every rejection with its file. `report` is filled
    in on the way; nothing is `updated` or `unchanged` in it, for there is nothing to compare with."""
    full_report, schemas = ImportReport() if report is None else report, SchemaCache()
    for path in _files(paths, full_report):
        full_report.files.append(FileReport(display_path(path)))
        yield from _check(open_documents(path), full_report.files[-1], schemas)


def check_stream(name: str, stream: BinaryIO, report: ImportReport | None = None) -> Iterator[Run | Rejection]:
    """Check a binary stream under `name`, as `check_paths` does files."""
    full_report = ImportReport() if report is None else report
    full_report.files.append(FileReport(name))
    yield from _check(open_documents(stream), full_report.files[-1], SchemaCache())


def _files(paths: Iterable[str | PathLike[str]], report: ImportReport) -> Iterator[Path]:
    """Yield the files to read, with folders opened. The reader reports what cannot be read."""
    for path in map(Path, paths):
        try:
            listing = list_files(path) if path.is_dir() else None
        except OSError:
            listing = None
        if listing is None:
            yield path
            continue
        report.skipped_names += map(display_path, listing.skipped)
        yield from listing.files


def _import(
    store: Store, file: str, reading: Reading, schemas: SchemaCache, pool: WorkerPool, progress: Progress | None
) -> FileReport:
    report = FileReport(file)
    began = time.perf_counter()
    with reading:
        # The first item before the transaction: unpacking must not hold the store, and tells the size.
        first = next(reading, None)
        report.size_bytes = reading.size_bytes
        if isinstance(first, Rejection) and first.kind == _UNREADABLE and not reading.size_bytes:
            _reject(report, first)
            return report
        with store.importing(file, report.size_bytes) as batch:
            importer, last_progress = FileImporter(batch, reading, report, schemas, pool), began
            for item in chain(() if first is None else (first,), reading):
                importer.take(item)
                if progress is not None and (now := time.perf_counter()) - last_progress >= _PROGRESS_EVERY_S:
                    last_progress = now
                    progress(file, reading.bytes_done, report.size_bytes, report.documents - report.rejected)
            importer.finish()
            report.skip(reading.skipped)
            report.seconds = time.perf_counter() - began
            batch.finish(report)
    if progress is not None:
        progress(file, report.size_bytes, report.size_bytes, report.documents - report.rejected)
    return report


def _check(reading: Reading, report: FileReport, schemas: SchemaCache) -> Iterator[Run | Rejection]:
    began = time.perf_counter()
    with reading:
        for item in reading:
            body = read_body(item) if isinstance(item, Document) else item
            run = build_run(body, report.file, schemas) if isinstance(body, Body) else body
            if isinstance(run, Rejection):
                _reject(report, run)
                run.file = report.file
            else:
                report.imported += 1
                _list_warnings(run, report)
            if isinstance(body, Body):
                report.redactions += body.document.redactions
            report.size_bytes = reading.size_bytes
            report.seconds = time.perf_counter() - began
            yield run
        report.skip(reading.skipped)


def _list_warnings(run: Run, report: FileReport) -> None:
    for warning in run.warnings:
        if warning.origin == "import":
            report.warn(run.run_id, warning.path, warning.reason)


def _reject(report: FileReport, rejection: Rejection) -> None:
    report.reject(rejection.place, rejection.kind, rejection.reason, rejection.hint)
