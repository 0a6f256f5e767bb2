"""The columns that a review is read from, for statements that read one beside its run."""

from __future__ import annotations

import orjson
from sqlalchemy import RowMapping, case, func, select

from trace_store.model import REVIEW_TEXTS, Review
from trace_store.store.schema.tables import review_tags, reviews, runs
from trace_store.store.timestamps import iso_timestamp

TAGS = (
    select(func.json_group_array(review_tags.c.tag))
    .where(review_tags.c.run_id == runs.c.run_id)
    .correlate(runs)
    .scalar_subquery()
)
"""The tags of a run's review, as JSON, in the order of the alphabet: that of their key."""

IS_STALE = case((reviews.c.digest != runs.c.digest, 1), else_=0)
"""Whether the run has changed since its review (R42)."""

REVIEW_COLUMNS = (
    *(reviews.c[name].label(f"review_{name}") for name in REVIEW_TEXTS),
    reviews.c.reviewed_us.label("review_us"),
    reviews.c.version.label("review_version"),
    IS_STALE.label("review_stale"),
    TAGS.label("review_tags"),
)
"""What a statement selects beside `runs`, outer-joined with `reviews`, for `read_review`."""


def read_review(row: RowMapping) -> Review | None:
    """Return the review in a row of REVIEW_COLUMNS, or null."""
    if row["review_us"] is None:
        return None
    return Review(
        **{name: row[f"review_{name}"] for name in REVIEW_TEXTS},
        tags=tuple(orjson.loads(row["review_tags"])),
        reviewed_at=iso_timestamp(row["review_us"]),
        stale=bool(row["review_stale"]),
        version=row["review_version"],
    )
