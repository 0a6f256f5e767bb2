"""Reviews of a file into the store: one transaction, every bad line told."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO

import orjson

from trace_store.model import Review
from trace_store.readers.reviews import BadReview, read_reviews
from trace_store.store import Store


@dataclass(slots=True)
class ReviewsReport:
    """What became of a file of reviews. `unchanged`: was in the store as it is."""

    name: str
    saved: int = 0
    unchanged: int = 0
    rejected: list[BadReview] = field(default_factory=list)

    def to_json(self) -> bytes:
        """The report as a JSON object."""
        return orjson.dumps(asdict(self))


def import_reviews(store: Store, name: str, stream: BinaryIO) -> ReviewsReport:
    """Saves the reviews of a JSONL or CSV file in one change, each in the place of the one that its run has. Lines
    that are no reviews, and reviews of runs that are not in the store, are rejected. Raises StoreError."""
    report = ReviewsReport(name)
    places: dict[str, str] = {}
    said = []
    for line in read_reviews(stream):
        if isinstance(line, BadReview):
            report.rejected.append(line)
            continue
        if line.run_id in places:
            first = places[line.run_id]
            report.rejected.append(
                BadReview(line.place, f"{first} reviews the same run", "one review a run: take one of them out")
            )
            continue
        places[line.run_id] = line.place
        texts: dict[str, Any] = dict(line.said)
        said.append((line.run_id, Review(**texts, tags=line.tags), line.reviewed_us))
    if said:
        report.saved, report.unchanged, unknown = store.reviews.import_all(said)
        report.rejected += [
            BadReview(places[run_id], f"there is no run {run_id!r}", "import the run first") for run_id in unknown
        ]
    report.rejected.sort(key=lambda bad: int(bad.place.removeprefix("line ")))
    return report
