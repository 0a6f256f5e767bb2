"""Commands that read files: import them, or check them and write nothing."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn

from trace_store.cli.options import open_store
from trace_store.cli.output import pluralise, say, visible, write
from trace_store.errors import TraceError
from trace_store.importing.files import Progress as ProgressCallback
from trace_store.importing.files import check_paths, check_stream, import_paths, import_stream
from trace_store.model import Run
from trace_store.readers import Rejection
from trace_store.reports import FileReport, ImportReport, group_rejections

STDIN = "-"


def _none_is_empty(paths: list[str]) -> list[str]:
    # To the file system an empty path is the working directory; to a person, a variable that was not set.
    if "" in paths:
        raise typer.BadParameter("a path is empty")
    return paths


Sources = Annotated[
    list[str],
    typer.Argument(metavar="PATH...", help="Files and folders; `-` is standard input.", callback=_none_is_empty),
]


class CheckFormat(StrEnum):
    """What `check` prints: a report for a person, or the run document of each run."""

    text = "text"
    jsonl = "jsonl"


def import_files(
    ctx: typer.Context,
    paths: Sources,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Import exported runs. Importing the same runs again changes nothing."""
    report = ImportReport()
    with open_store(ctx) as store, _show_progress() as report_progress, _collector_off():
        for path in paths:
            if path == STDIN:
                report.files.append(import_stream(store, STDIN, standard_input(), report_progress))
                continue
            part = import_paths(store, [path], report_progress)
            report.files += part.files
            report.skipped_names += part.skipped_names
    if as_json:
        write(report.to_json() + b"\n")
    else:
        _print_report(report, "imported")
    _end(report, has_errors=False)


@contextmanager
def _collector_off() -> Iterator[None]:
    """Switch the garbage collector off. An import makes no reference cycles, and this process does nothing else; the
    app, whose other threads may make some, imports with the collector on."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def check(
    paths: Sources,
    form: Annotated[
        CheckFormat, typer.Option("--format", help="`jsonl`: the run document of each run, one per line.")
    ] = CheckFormat.text,
) -> None:
    """Read files as an import would, and write nothing. Exits with 1 if a document is rejected or has errors."""
    report = ImportReport()
    counts = dict.fromkeys(("error", "warning", "info"), 0)
    for item in _check_all(paths, report):
        if isinstance(item, Run):
            for finding in item.findings:
                counts[finding.severity] += 1
            if form is CheckFormat.jsonl:
                write(item.to_json() + b"\n")
        elif form is CheckFormat.jsonl:
            say(f"{item.file}: {item.place}: {item.reason}" + (f" ({item.hint})" if item.hint else ""))
    if form is CheckFormat.text:
        _print_report(report, "read")
        print("findings: " + ", ".join(f"{count:,} {severity}" for severity, count in counts.items()))
    _end(report, has_errors=counts["error"] > 0)


def _check_all(paths: list[str], report: ImportReport) -> Iterator[Run | Rejection]:
    for path in paths:
        yield from check_stream(STDIN, standard_input(), report) if path == STDIN else check_paths([path], report)


def standard_input() -> BinaryIO:
    """Standard input as bytes. Raises TraceError where it is closed."""
    if sys.stdin is None:
        raise TraceError("standard input is closed", hint="name a file instead of -")
    return sys.stdin.buffer


def _end(report: ImportReport, *, has_errors: bool) -> None:
    if report.totals["rejected"] or has_errors:
        raise typer.Exit(1)


# ---- the report -------------------------------------------------------------------------------------------------


def _print_report(report: ImportReport, verb: str) -> None:
    for file in report.files:
        for line in _format_file(file, verb):
            print(visible(line))
    if len(report.files) != 1:
        totals = FileReport(pluralise(len(report.files), "file"), seconds=report.seconds)
        for name, count in report.totals.items():
            setattr(totals, name, count)
        print(_summary(totals, verb))
    if report.skipped_names:
        say(f"skipped because of their names: {pluralise(len(report.skipped_names), 'file')}")


def _format_file(file: FileReport, verb: str) -> Iterator[str]:
    yield _summary(file, verb)
    for rejection in group_rejections(file.rejections):
        yield f"  rejected: {rejection.place}: {rejection.reason}" + (f" ({rejection.hint})" if rejection.hint else "")
    if file.rejected > len(file.rejections):
        yield f"  and {file.rejected - len(file.rejections):,} more rejected documents"


def _summary(file: FileReport, verb: str) -> str:
    counts = {
        verb: file.imported,
        "updated": file.updated,
        "of them replaced within the file": file.replaced or None,
        "unchanged": file.unchanged,
        "rejected": file.rejected,
        "warnings": file.warnings,
        "secrets redacted": file.redactions,
        "skipped": file.skipped or None,
    }
    if verb != "imported":  # nothing was written, so there is nothing to compare with
        counts = {name: count for name, count in counts.items() if name not in ("updated", "unchanged")}
    text = ", ".join(f"{name} {count:,}" for name, count in counts.items() if count is not None)
    return f"{file.file}: {text}; {file.seconds:.2f} s, {file.mb_per_second:.1f} MB/s"


# ---- progress ---------------------------------------------------------------------------------------------------


@contextmanager
def _show_progress() -> Iterator[ProgressCallback | None]:
    """Show a bar for each file on a terminal; nothing without one."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TextColumn("{task.fields[runs]:,} read"),
    )
    with Progress(*columns, console=console, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def report_progress(file: str, bytes_read: int, size: int, runs: int) -> None:
            if file not in tasks:
                for ended in tasks.values():
                    bars.update(ended, visible=False)
                tasks[file] = bars.add_task(visible(Path(file).name), total=size or None, runs=0)
            bars.update(tasks[file], completed=bytes_read, total=size or None, runs=runs)

        yield report_progress
