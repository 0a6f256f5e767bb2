"""Rows as CSV: what a spreadsheet opens must stay data, whatever a model wrote into it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO, TextIO

import orjson

from trace_store.readers.formulas import guarded


def write_csv(rows: Iterable[Mapping[str, object]], columns: Sequence[str], out: TextIO) -> int:
    """Writes a header and the rows to `out`, which must not translate line ends, and returns how many.

    Objects and arrays stand as JSON, null as an empty cell, booleans as `true` and `false`. A text that starts a
    formula gets an apostrophe in front; numbers do not.
    """
    writer = csv.writer(out)  # lines end as RFC 4180 has it: only so is a lone carriage return in a cell quoted
    writer.writerow(columns)
    count = 0
    for row in rows:
        writer.writerow([cell(row.get(column)) for column in columns])
        count += 1
    return count


def write_csv_to(out: BinaryIO, rows: Iterable[Mapping[str, object]], columns: Sequence[str]) -> int:
    """Writes a header and the rows to `out`, which stays open, as UTF-8, and returns how many rows."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    try:
        return write_csv(rows, columns, text)
    finally:
        text.detach()


def cell(value: object) -> str | int | float:
    """One value as a CSV cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    return guarded(text)
