"""Import reviews from a file: one transaction, and a rejection for every bad line."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO

import orjson

from trace_store.model import Review
from trace_store.readers.reviews import ReviewRejection, read_reviews
from trace_store.store import Store


@dataclass(slots=True)
class ReviewsReport:
    """What became of a file of reviews. `unchanged`: was in the store as it is."""

    name: str
    saved: int = 0
    unchanged: int = 0
    rejected: list[ReviewRejection] = field(default_factory=list)

    def to_json(self) -> bytes:
        """Return the report as a JSON object."""
        return orjson.dumps(asdict(self))


def import_reviews(store: Store, name: str, stream: BinaryIO) -> ReviewsReport:
    """Save the reviews of a JSONL or CSV file in one change, each replacing the review that its run has.

    Invalid lines, and reviews of runs that are not in the store, are rejected. Raises StoreError.
    """
    report = ReviewsReport(name)
    places: dict[str, str] = {}
    reviews = []
    for line in read_reviews(stream):
        if isinstance(line, ReviewRejection):
            report.rejected.append(line)
            continue
        if line.run_id in places:
            first = places[line.run_id]
            report.rejected.append(
                ReviewRejection(line.place, f"{first} reviews the same run", "keep only one review for each run")
            )
            continue
        places[line.run_id] = line.place
        texts: dict[str, Any] = dict(line.fields)
        reviews.append((line.run_id, Review(**texts, tags=line.tags), line.reviewed_us))
    if reviews:
        report.saved, report.unchanged, unknown = store.reviews.import_all(reviews)
        report.rejected += [
            ReviewRejection(places[run_id], f"there is no run {run_id!r}", "import the run first") for run_id in unknown
        ]
    report.rejected.sort(key=lambda bad: int(bad.place.removeprefix("line ")))
    return report
