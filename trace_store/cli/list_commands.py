"""Commands that list runs, calls and findings, aggregate them, and show one run in full."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from trace_store.cli.options import (
    GROUPS,
    Format,
    FormatOption,
    Limit,
    Query,
    Sort,
    check_sort,
    join_query,
    open_store,
    report_option_errors,
)
from trace_store.cli.output import ROW_BY_ROW, print_rows, write
from trace_store.cli.run_text import format_run
from trace_store.exports.tables import Fetch, read_in_pages
from trace_store.store.query import ListName, compile_query, parse

RUN_COLUMNS = (
    "run_id", "started_at", "status", "judge_passed", "failed", "view", "calls", "failures", "retries", "warnings",
    "errors", "boundary",
)  # fmt: skip
CALL_COLUMNS = (
    "run_id", "sequence", "tool_name", "actor_id", "outcome", "status_code", "error_class", "source", "latency_ms",
)  # fmt: skip
FINDING_COLUMNS = ("run_id", "severity", "kind", "path", "message", "rule")
"""What a table shows; the other formats have every column."""


ROWS_OF_A_PAGE = 50
"""What a person is shown unless they ask for more or fewer."""


class RunFormat(StrEnum):
    """How one run is printed: for a person, as its run document, or as the bytes that came in."""

    text = "text"
    json = "json"
    raw = "raw"


RunId = Annotated[str, typer.Argument(metavar="RUN_ID", help="The ID, as in the first column of `runs`.")]
By = Annotated[str, typer.Option("--by", metavar="FIELD[,FIELD]", help="Fields to group by, as in a query.")]


def runs(
    ctx: typer.Context, query: Query = None, form: FormatOption = Format.table, sort: Sort = None, limit: Limit = None
) -> None:
    """List the runs that match a query."""
    _print_list(ctx, "runs", query, form=form, sort=sort, limit=limit, table_columns=RUN_COLUMNS)


def calls(
    ctx: typer.Context, query: Query = None, form: FormatOption = Format.table, sort: Sort = None, limit: Limit = None
) -> None:
    """List the logged calls that match a query, across all runs."""
    _print_list(ctx, "calls", query, form=form, sort=sort, limit=limit, table_columns=CALL_COLUMNS)


def findings(
    ctx: typer.Context, query: Query = None, form: FormatOption = Format.table, sort: Sort = None, limit: Limit = None
) -> None:
    """List the findings of the runs that match a query."""
    _print_list(ctx, "findings", query, form=form, sort=sort, limit=limit, table_columns=FINDING_COLUMNS)


def _print_list(
    ctx: typer.Context,
    list_name: ListName,
    query: list[str] | None,
    *,
    form: Format,
    sort: str | None,
    limit: int | None,
    table_columns: Sequence[str],
) -> None:
    check_sort(sort, list_name)
    if limit is None and form not in ROW_BY_ROW:
        limit = ROWS_OF_A_PAGE
    with open_store(ctx) as store:
        fetch: Fetch = {"runs": store.runs, "calls": store.calls, "findings": store.findings}[list_name]
        total, rows = read_in_pages(fetch, join_query(query), sort=sort, limit=limit)
        print_rows(
            rows, total, kind=list_name, form=form, columns=store.lists.columns(list_name), table_columns=table_columns
        )


def stats(ctx: typer.Context, by: By, query: Query = None, form: FormatOption = Format.table) -> None:
    """Count calls and failures, with latencies, retries and wasted time, by one or more fields."""
    fields = [field.strip() for field in by.split(",") if field.strip()]
    text = join_query(query)
    compile_query(parse(text), "calls")  # first: what is wrong after it is a group
    with open_store(ctx) as store, report_option_errors("--by", GROUPS):
        frame = store.stats(text, by=fields)
    columns = list(frame.columns)
    rows = [
        dict(zip(columns, values, strict=True)) for values in frame.astype(object).where(frame.notna(), None).values
    ]
    print_rows(rows, len(rows), kind="groups", form=form, columns=columns, table_columns=columns)


def show(
    ctx: typer.Context,
    run_id: RunId,
    form: Annotated[RunFormat, typer.Option("--format", help="`raw` is what came in.")] = RunFormat.text,
) -> None:
    """Show one run: as text, as its run document, or as the raw document."""
    with open_store(ctx) as store:
        if form is RunFormat.raw:
            write(store.raw(run_id))
            return
        run = store.run(run_id)
    if form is RunFormat.json:
        write(run.to_json() + b"\n")
    else:
        write("".join(f"{line}\n" for line in format_run(run)).encode())
