"""Commands that look: lists of runs, calls and findings, figures over them, and one run in full."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from trace_store.cli.options import Format, Formatted, Limit, Query, Sort, opened_store, text_of
from trace_store.cli.output import print_rows, write
from trace_store.cli.run_text import lines_of

RUN_COLUMNS = (
    "run_id", "started_at", "status", "judge_passed", "failed", "view", "calls", "failures", "retries", "warnings",
    "errors", "boundary",
)  # fmt: skip
CALL_COLUMNS = (
    "run_id", "sequence", "tool_name", "actor_id", "outcome", "status_code", "error_class", "source", "latency_ms",
)  # fmt: skip
FINDING_COLUMNS = ("run_id", "severity", "kind", "path", "message", "rule")
"""What a table shows; the other formats have every column."""


class RunFormat(StrEnum):
    """How one run is printed: for a person, as its run document, or as the bytes that came in."""

    text = "text"
    json = "json"
    raw = "raw"


RunId = Annotated[str, typer.Argument(metavar="RUN_ID", help="As it stands in the first column of `runs`.")]
By = Annotated[str, typer.Option("--by", metavar="FIELD[,FIELD]", help="Fields to group by, as in a query.")]


def runs(
    ctx: typer.Context, query: Query = None, form: Formatted = Format.table, sort: Sort = None, limit: Limit = 50
) -> None:
    """List the runs that a query finds."""
    with opened_store(ctx) as store:
        page = store.runs(text_of(query), sort=sort, limit=limit)
        columns = store.columns("runs")
    print_rows(page.rows, page.total, kind="runs", form=form, columns=columns, shown=RUN_COLUMNS)


def calls(
    ctx: typer.Context, query: Query = None, form: Formatted = Format.table, sort: Sort = None, limit: Limit = 50
) -> None:
    """List the logged calls that a query finds, of all runs."""
    with opened_store(ctx) as store:
        page = store.calls(text_of(query), sort=sort, limit=limit)
        columns = store.columns("calls")
    print_rows(page.rows, page.total, kind="calls", form=form, columns=columns, shown=CALL_COLUMNS)


def findings(
    ctx: typer.Context, query: Query = None, form: Formatted = Format.table, sort: Sort = None, limit: Limit = 50
) -> None:
    """List the findings of the runs that a query finds."""
    with opened_store(ctx) as store:
        page = store.findings(text_of(query), sort=sort, limit=limit)
        columns = store.columns("findings")
    print_rows(page.rows, page.total, kind="findings", form=form, columns=columns, shown=FINDING_COLUMNS)


def stats(ctx: typer.Context, by: By, query: Query = None, form: Formatted = Format.table) -> None:
    """Count calls and failures, with latencies, retries and waste, by one or several fields."""
    with opened_store(ctx) as store:
        frame = store.stats(text_of(query), by=[field.strip() for field in by.split(",") if field.strip()])
    columns = list(frame.columns)
    rows = [
        dict(zip(columns, values, strict=True)) for values in frame.astype(object).where(frame.notna(), None).values
    ]
    print_rows(rows, len(rows), kind="groups", form=form, columns=columns, shown=columns)


def show(
    ctx: typer.Context,
    run_id: RunId,
    form: Annotated[RunFormat, typer.Option("--format", help="`raw` is what came in.")] = RunFormat.text,
) -> None:
    """Show one run: as text, as its run document, or as the raw document."""
    with opened_store(ctx) as store:
        if form is RunFormat.raw:
            write(store.raw(run_id))
            return
        run = store.run(run_id)
    if form is RunFormat.json:
        write(run.to_json() + b"\n")
    else:
        write("".join(f"{line}\n" for line in lines_of(run)).encode())
