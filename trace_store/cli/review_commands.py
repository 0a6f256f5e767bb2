"""Commands for reviews: list them, or write them to a file, and bring those of a file in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from trace_store.cli.import_commands import STDIN, Sources, standard_input
from trace_store.cli.options import Format, FormatOption, Query, join_query, open_store
from trace_store.cli.output import pluralise, print_rows, say, write
from trace_store.errors import ReadError
from trace_store.exports.tables import REVIEW_COLUMNS, review_rows
from trace_store.importing.review_files import ReviewsReport, import_reviews

TABLE_COLUMNS = ("run_id", "verdict", "reviewer", "failure_mode", "actor_id", "step", "tags", "reviewed_at", "stale")
"""What a table shows; the other formats have the note, too."""


def reviews(ctx: typer.Context, query: Query = None, form: FormatOption = Format.table) -> None:
    """List the reviews of the runs that a query finds. `jsonl` and `csv` can be imported again."""
    with open_store(ctx) as store:
        rows = list(review_rows(store.reviews.each(join_query(query))))
    print_rows(rows, len(rows), kind="reviews", form=form, columns=REVIEW_COLUMNS, table_columns=TABLE_COLUMNS)


def import_review_files(
    ctx: typer.Context,
    paths: Sources,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Import reviews from JSONL or CSV, each in the place of the one that its run has."""
    with open_store(ctx) as store:
        reports = []
        for path in paths:
            if path == STDIN:
                reports.append(import_reviews(store, STDIN, standard_input()))
                continue
            try:
                with Path(path).open("rb") as stream:
                    reports.append(import_reviews(store, path, stream))
            except OSError as error:
                raise ReadError(f"cannot be read: {error.strerror}", path=path) from error
    if as_json:
        write(b"[" + b",".join(report.to_json() for report in reports) + b"]\n")
    else:
        for report in reports:
            _print(report)
    if any(report.rejected for report in reports):
        raise typer.Exit(1)


def _print(report: ReviewsReport) -> None:
    sys.stdout.flush()
    write(
        f"{report.name}: {pluralise(report.saved, 'review')} saved, unchanged {report.unchanged:,}, "
        f"rejected {len(report.rejected):,}\n".encode()
    )
    for bad in report.rejected:
        say(f"{report.name}: {bad.place}: {bad.reason} ({bad.hint})")
