"""Commands that export or delete runs, and vacuum the store."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from trace_store.cli.options import Query, join_query, open_store
from trace_store.cli.output import pluralise, say
from trace_store.errors import TraceError
from trace_store.exports.documents import write_envelopes, write_jsonl
from trace_store.exports.tables import write_run_rows
from trace_store.store import Store

STDOUT = Path("-")


class ExportFormat(StrEnum):
    """What an export holds: the imported documents, one row per run, or one envelope per failed call."""

    jsonl = "jsonl"
    csv = "csv"
    envelopes = "envelopes"


def export(
    ctx: typer.Context,
    query: Query = None,
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            help="`jsonl`: the documents as they were imported, one run per line; `csv`: the list of runs; "
            "`envelopes`: each failed call as a "
            "failure envelope, without any text of the run.",
        ),
    ] = ExportFormat.jsonl,
    output: Annotated[Path, typer.Option("--output", "-o", help="A file; `-` is standard output.")] = STDOUT,
) -> None:
    """Export the runs that match a query."""
    with open_store(ctx) as store, _open_output(output) as out:
        count = _WRITERS[form](store, join_query(query), out)
    what = "failed call" if form is ExportFormat.envelopes else "run"
    say(f"{pluralise(count, what)} exported" + ("" if output == STDOUT else f" to {output}"))


_WRITERS: Mapping[ExportFormat, Callable[[Store, str, BinaryIO], int]] = {
    ExportFormat.jsonl: lambda store, query, out: write_jsonl(store.each(query), out),
    ExportFormat.csv: write_run_rows,
    ExportFormat.envelopes: lambda store, query, out: write_envelopes(store.each(query), out),
}


@contextmanager
def _open_output(output: Path) -> Iterator[BinaryIO]:
    """Open the output of an export. A file gets its name only when it is complete: what was there before is never half
    overwritten. A device or a pipe is written to, and never replaced. Raises TraceError where it cannot be written."""
    if output == STDOUT:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(output))  # a link stays one, and its file is replaced
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if output.exists() and not output.is_file():
            with output.open("wb") as out:
                yield out
            return
        with part.open("xb") as out:
            yield out
        part.replace(target)
    except OSError as error:
        raise TraceError(f"cannot be written: {error.strerror}", path=str(output)) from error
    finally:
        part.unlink(missing_ok=True)


def delete(
    ctx: typer.Context,
    query: Query = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete the runs that match a query. Their reviews are kept."""
    text = join_query(query)
    if not text:
        raise TraceError("delete needs a query", hint="run:* finds every run")
    with open_store(ctx) as store:
        total = store.runs(text, limit=0).total
        if total and not yes:
            _ask(f"Delete {pluralise(total, 'run')}?")
        count = store.delete(text) if total else 0
    print(f"{pluralise(count, 'run')} deleted")


def _ask(question: str) -> None:
    """Return for a yes; end the command with 1 for a no, and where nobody answers."""
    is_terminal = is_yes = False
    try:
        is_yes = typer.confirm(question, err=True)
        is_terminal = sys.stdin.isatty()
    except typer.Abort:
        pass  # the input is closed, or somebody pressed ^C: no answer is a no
    if not is_terminal:
        say("")  # only a terminal has shown the end of the answer's line
    if not is_yes:
        say("nothing was deleted")
        raise typer.Exit(1)


def vacuum(ctx: typer.Context) -> None:
    """Reclaim the disk space of deleted runs."""
    with open_store(ctx) as store:
        store.vacuum()
    print("the store is compacted")
