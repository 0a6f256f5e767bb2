"""What several commands share: the store they work on, and the options for a query, a format, a sort key and groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated

import typer
from typer.core import TyperCommand

from trace_store.errors import QueryError, TraceError
from trace_store.store import Store
from trace_store.store.query import ListName, sort_columns

_NEGATED_TERM = re.compile(r"""-(?:\w+(?::|[<>]=?)|["(])""")


class Format(StrEnum):
    """How rows are printed."""

    table = "table"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"


class QueryCommand(TyperCommand):
    """A command that takes a query: `-source:odyssey` is a term of it, not an option."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # typer's own context
        # A blank in front takes a word out of the options; to the query language it is nothing.
        return super().parse_args(ctx, [f" {word}" if _NEGATED_TERM.match(word) else word for word in args])


Query = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[QUERY]", help="Terms like `failed:true tool:get_* -source:odyssey`; without one, everything matches."
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="`json` includes the total.")]
Sort = Annotated[str | None, typer.Option(help="A field to sort by; prefix it with `-` for largest or latest first.")]
Limit = Annotated[
    int | None,
    typer.Option(
        min=0, help="The maximum number of rows. Default: 50 for `table` and `json`, all rows for `jsonl` and `csv`."
    ),
]


def join_query(query: list[str] | None) -> str:
    """Return the words of the command line as one query."""
    return " ".join(query or ()).strip()


@contextmanager
def open_store(ctx: typer.Context) -> Iterator[Store]:
    """Return the store that `--store` names. Raises StoreError."""
    with Store.open(ctx.ensure_object(dict)["store"]) as store:
        yield store


SORTS: Mapping[ListName, Sequence[str]] = {
    "runs": ("started", "imported", "failures", "errors", "calls", "retries", "wasted_ms"),
    "calls": ("started", "latency_ms", "tool", "actor", "error_class", "source", "attempt"),
    "findings": ("severity", "finding", "run", "started", "imported"),
}
GROUPS = ("tool", "actor", "error_class", "outcome", "source", "model", "scenario", "agent")
"""Some of the names that an option takes, the likeliest first; docs/query.md has all."""


def check_sort(sort: str | None, list_name: ListName) -> None:
    """Raise TraceError where the list cannot be sorted by `sort`."""
    if sort is not None:
        with report_option_errors("--sort", SORTS[list_name]):
            sort_columns(sort, list_name)


@contextmanager
def report_option_errors(option: str, some: Sequence[str]) -> Iterator[None]:
    """Turn a QueryError into a TraceError that names the option, with a suggestion, or `some` names, as its hint."""
    try:
        yield
    except QueryError as error:
        is_guess = error.hint is not None and error.hint.startswith("did you mean")
        hint = error.hint if is_guess else f"it takes {', '.join(some)} and others"
        raise TraceError(error.message, path=option, hint=hint) from None
