"""Reviews out of JSONL or CSV, told apart by content. A bad line is one rejection, and the others go on."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, get_args

import orjson

from trace_store.contract.times import instant_us
from trace_store.model import JSON, REVIEW_FIELDS, REVIEW_TEXTS, Verdict
from trace_store.readers.formulas import unguarded

KEYS = frozenset({"run_id", *REVIEW_FIELDS, "reviewed_at", "stale", "version"})
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class SaidReview:
    """One review as a file has it. `said`: REVIEW_TEXTS, null for what is not said; `reviewed_us`: microseconds, null
    where the file does not say when."""

    place: str
    run_id: str
    said: dict[str, str | None]
    tags: tuple[str, ...]
    reviewed_us: int | None


@dataclass(frozen=True, slots=True)
class BadReview:
    """A line that is no review: where it stands, why, and what to do about it."""

    place: str
    reason: str
    hint: str


def read_reviews(stream: BinaryIO) -> Iterator[SaidReview | BadReview]:
    """The reviews of a file, line by line. `stream` is in UTF-8 and stays open."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline="")
    try:
        first, number = text.readline().removeprefix(_MARK), 1
        while first and not first.strip():
            first, number = text.readline(), number + 1
        if first.lstrip().startswith("{"):
            yield from _of_lines(first, number, text)
        elif first:
            yield from _of_table(first, number, text)
        else:
            yield BadReview("line 1", "the file is empty", "one review a line, as the export writes them")
    finally:
        text.detach()


def _of_lines(first: str, number: int, text: io.TextIOWrapper) -> Iterator[SaidReview | BadReview]:
    line = first
    while line:
        place = f"line {number}"
        if line.strip():
            try:
                value: JSON = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                yield BadReview(place, f"this is no JSON: {error.msg}", "one object a line, as the export writes it")
            else:
                yield _read(place, value)
        line, number = text.readline(), number + 1


def _of_table(first: str, number: int, text: io.TextIOWrapper) -> Iterator[SaidReview | BadReview]:
    def lines() -> Iterator[str]:
        yield first
        yield from text

    rows = csv.reader(lines(), strict=True)
    try:
        header = [name.strip() for name in next(rows)]
        if "run_id" not in header:
            yield BadReview(f"line {number}", "there is no column run_id", f"columns are {', '.join(sorted(KEYS))}")
            return
        before, begins = number - 1, number + rows.line_num
        for row in rows:
            place, begins = f"line {begins}", before + rows.line_num + 1
            if not any(row):
                continue
            if len(row) > len(header):
                yield BadReview(place, f"{len(row)} cells under {len(header)} columns", "quote cells that hold commas")
                continue
            yield _read(place, _row(dict(zip(header, row, strict=False))))
    except csv.Error as error:
        yield BadReview(
            f"line {number - 1 + rows.line_num}", f"this is no CSV: {error}", "quote cells, and double quotes in them"
        )


def _row(cells: dict[str, str]) -> dict[str, JSON]:
    row: dict[str, JSON] = {}
    for name, text in cells.items():
        row[name] = unguarded(text) or None
    tags = row.get("tags")
    if isinstance(tags, str):
        row["tags"] = _tags(tags)
    return row


def _tags(cell: str) -> JSON:
    """The tags of one cell: a JSON array, or words between commas as people write them."""
    if cell.lstrip().startswith("["):
        try:
            value: JSON = orjson.loads(cell)
        except orjson.JSONDecodeError:
            return cell
        return value
    return [tag.strip() for tag in cell.split(",") if tag.strip()]


def _read(place: str, value: JSON) -> SaidReview | BadReview:
    if not isinstance(value, dict):
        return BadReview(place, "this is no object", "one object a line, as the export writes it")
    run_id = value.get("run_id")
    if not isinstance(run_id, str) or not run_id:
        return BadReview(place, "it does not say which run", "give it a run_id")
    if unknown := sorted(set(value) - KEYS):
        return BadReview(place, f"there is no “{unknown[0]}” in a review", f"it may hold {', '.join(sorted(KEYS))}")
    said: dict[str, str | None] = {}
    for name in REVIEW_TEXTS:
        text = value.get(name)
        if text is not None and not isinstance(text, str):
            return BadReview(place, f"{name} is no text", "write it as a text, or leave it out")
        said[name] = text or None
    if said["verdict"] not in (None, *get_args(Verdict)):
        return BadReview(place, f"“{said['verdict']}” is no verdict", f"verdicts are {', '.join(get_args(Verdict))}")
    tags = value.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        return BadReview(place, "tags are no list of texts", 'write them as ["one", "two"]')
    at = value.get("reviewed_at")
    reviewed_us = instant_us(at)
    if at is not None and reviewed_us is None:
        return BadReview(place, "reviewed_at is no time", "write it as 2026-04-01T09:00:00Z")
    return SaidReview(place, run_id, said, tuple(str(tag) for tag in tags), reviewed_us)
