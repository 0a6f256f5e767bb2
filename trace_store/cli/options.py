"""What several commands share: the store they work on, the query they take, and how their arguments are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated

import typer
from typer.core import TyperCommand

from trace_store.store import Store

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
    typer.Argument(metavar="[QUERY]", help="Terms like `failed:true tool:get_* -source:odyssey`; nothing means all."),
]
Formatted = Annotated[Format, typer.Option("--format", help="`json` holds the total too.")]
Sort = Annotated[str | None, typer.Option(help="A field to sort by; `-` in front: largest or latest first.")]
Limit = Annotated[
    int | None,
    typer.Option(min=0, help="Rows at most. Left out: 50 for `table` and `json`, every row for `jsonl` and `csv`."),
]


def text_of(query: list[str] | None) -> str:
    """The words of the command line as one query."""
    return " ".join(query or ()).strip()


@contextmanager
def opened_store(ctx: typer.Context) -> Iterator[Store]:
    """The store that `--store` names. Raises StoreError."""
    with Store.open(ctx.ensure_object(dict)["store"]) as store:
        yield store
