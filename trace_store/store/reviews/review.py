"""What reviewers say of runs. A review is kept by run id: it outlives the re-import of its run (R42)."""

from __future__ import annotations

import orjson
from sqlalchemy import Connection, RowMapping, case, func, select

from trace_store.model import Review
from trace_store.store.query.conditions import belongs_to_run, is_run
from trace_store.store.schema.tables import review_tags, reviews, runs
from trace_store.store.timestamps import iso

SAID = ("verdict", "actor_id", "step", "failure_mode", "note", "reviewer")
"""What a reviewer says beside the tags: the columns of `reviews`, too."""

TAGS = (
    select(func.json_group_array(review_tags.c.tag))
    .where(review_tags.c.run_id == runs.c.run_id)
    .correlate(runs)
    .scalar_subquery()
)
"""The tags of a run's review, as JSON, in the order of the alphabet: that of their key."""

IS_STALE = case((reviews.c.digest != runs.c.digest, 1), else_=0)
"""Whether the run has changed since its review (R42)."""

COLUMNS = (
    *(reviews.c[name].label(f"review_{name}") for name in SAID),
    reviews.c.reviewed_us.label("review_us"),
    reviews.c.version.label("review_version"),
    IS_STALE.label("review_stale"),
    TAGS.label("review_tags"),
)
"""What a statement selects beside `runs`, outer-joined with `reviews`, for `read_review`."""


def read_review(row: RowMapping) -> Review | None:
    """The review in a row of COLUMNS, or null."""
    if row["review_us"] is None:
        return None
    return Review(
        **{name: row[f"review_{name}"] for name in SAID},
        tags=tuple(orjson.loads(row["review_tags"])),
        reviewed_at=iso(row["review_us"]),
        stale=bool(row["review_stale"]),
        version=row["review_version"],
    )


def review_of(connection: Connection, run_id: str) -> Review | None:
    """The review of the run, or null. One of a run that is gone is null too."""
    statement = select(*COLUMNS).join_from(runs, reviews, belongs_to_run(reviews)).where(is_run(run_id))
    row = connection.execute(statement).mappings().one_or_none()
    return None if row is None else read_review(row)
