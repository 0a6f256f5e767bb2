"""Read reviews from JSONL or CSV, whichever the content shows. A bad line is one rejection, and the others are read.

The guard of spreadsheet cells is here too, with its inverse: an export writes it, and an import takes it off."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, get_args

import orjson

from trace_store.contract.times import instant_us
from trace_store.model import JSON, REVIEW_FIELDS, REVIEW_TEXTS, Verdict

_STARTS = tuple("=+-@\t\r\n＝＋－＠")
"""What makes a spreadsheet read a text as a formula, the full-width forms of East Asian editions included."""


def guard_formula(text: str) -> str:
    """Return the text as a cell. One that begins with apostrophes before such a sign gets one more, so that it comes
    back."""
    return f"'{text}" if _is_formula(text) else text


def unguard_formula(cell: str) -> str:
    """Return the text that `guard_formula` made the cell from."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell) else cell


def _is_formula(text: str) -> bool:
    return text.lstrip("'").startswith(_STARTS)


KEYS = frozenset({"run_id", *REVIEW_FIELDS, "reviewed_at", "stale", "version"})
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """One review as a file has it. `fields`: those in REVIEW_TEXTS, null where the file has none; `reviewed_us`:
    microseconds, null where the file does not say when."""

    place: str
    run_id: str
    fields: dict[str, str | None]
    tags: tuple[str, ...]
    reviewed_us: int | None


@dataclass(frozen=True, slots=True)
class ReviewRejection:
    """A line that is not a valid review: where it stands, why, and what to do about it."""

    place: str
    reason: str
    hint: str


def read_reviews(stream: BinaryIO) -> Iterator[ReviewLine | ReviewRejection]:
    """Yield the reviews of a file, line by line. `stream` is in UTF-8 and stays open."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline="")
    try:
        first, number = text.readline().removeprefix(_MARK), 1
        while first and not first.strip():
            first, number = text.readline(), number + 1
        if first.lstrip().startswith("{"):
            yield from _read_lines(first, number, text)
        elif first:
            yield from _read_table(first, number, text)
        else:
            yield ReviewRejection("line 1", "the file is empty", "write one review per line, as the export does")
    finally:
        text.detach()


def _read_lines(first: str, number: int, text: io.TextIOWrapper) -> Iterator[ReviewLine | ReviewRejection]:
    line = first
    while line:
        place = f"line {number}"
        if line.strip():
            try:
                value: JSON = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                yield ReviewRejection(
                    place, f"not valid JSON: {error.msg}", "write one JSON object per line, as the export does"
                )
            else:
                yield _read(place, value)
        line, number = text.readline(), number + 1


def _read_table(first: str, number: int, text: io.TextIOWrapper) -> Iterator[ReviewLine | ReviewRejection]:
    def lines() -> Iterator[str]:
        yield first
        yield from text

    rows = csv.reader(lines(), strict=True)
    try:
        header = [name.strip() for name in next(rows)]
        if "run_id" not in header:
            yield ReviewRejection(
                f"line {number}", "the column run_id is missing", f"columns are {', '.join(sorted(KEYS))}"
            )
            return
        before, begins = number - 1, number + rows.line_num
        for row in rows:
            place, begins = f"line {begins}", before + rows.line_num + 1
            if not any(row):
                continue
            if len(row) > len(header):
                yield ReviewRejection(
                    place, f"{len(row)} cells under {len(header)} columns", "quote cells that hold commas"
                )
                continue
            yield _read(place, _row(dict(zip(header, row, strict=False))))
    except csv.Error as error:
        yield ReviewRejection(
            f"line {number - 1 + rows.line_num}", f"not valid CSV: {error}", "quote cells, and double quotes in them"
        )


def _row(cells: dict[str, str]) -> dict[str, JSON]:
    row: dict[str, JSON] = {}
    for name, text in cells.items():
        row[name] = unguard_formula(text) or None
    tags = row.get("tags")
    if isinstance(tags, str):
        row["tags"] = _tags(tags)
    return row


def _tags(cell: str) -> JSON:
    """Return the tags of one cell: a JSON array, or words between commas as people write them."""
    if cell.lstrip().startswith("["):
        try:
            value: JSON = orjson.loads(cell)
        except orjson.JSONDecodeError:
            return cell
        return value
    return [tag.strip() for tag in cell.split(",") if tag.strip()]


def _read(place: str, value: JSON) -> ReviewLine | ReviewRejection:
    if not isinstance(value, dict):
        return ReviewRejection(place, "not a JSON object", "write one JSON object per line, as the export does")
    run_id = value.get("run_id")
    if not isinstance(run_id, str) or not run_id:
        return ReviewRejection(place, "the run is not named", "add a run_id")
    if unknown := sorted(set(value) - KEYS):
        return ReviewRejection(
            place, f"unknown field “{unknown[0]}”", f"the fields of a review are {', '.join(sorted(KEYS))}"
        )
    fields: dict[str, str | None] = {}
    for name in REVIEW_TEXTS:
        text = value.get(name)
        if text is not None and not isinstance(text, str):
            return ReviewRejection(place, f"{name} must be a text", "write it as a string, or leave it out")
        fields[name] = text or None
    if fields["verdict"] not in (None, *get_args(Verdict)):
        return ReviewRejection(
            place, f"“{fields['verdict']}” is not a verdict", f"verdicts are {', '.join(get_args(Verdict))}"
        )
    tags = value.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        return ReviewRejection(place, "tags must be a list of texts", 'write them as ["one", "two"]')
    at = value.get("reviewed_at")
    reviewed_us = instant_us(at)
    if at is not None and reviewed_us is None:
        return ReviewRejection(place, "reviewed_at is not a valid time", "write it as 2026-04-01T09:00:00Z")
    return ReviewLine(place, run_id, fields, tuple(str(tag) for tag in tags), reviewed_us)
