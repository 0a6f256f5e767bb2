"""What reviewers say of runs. A review is kept by run id: it outlives the re-import of its run (R42)."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias, get_args

from sqlalchemy import Connection, delete, insert, select

from trace_store.errors import NotFoundError
from trace_store.model import JSON
from trace_store.store.conditions import is_run
from trace_store.store.moments import iso
from trace_store.store.tables import review_tags, reviews, runs

Verdict: TypeAlias = Literal["pass", "fail", "unsure"]


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer's word on a run: who is responsible, at which path it was decided, how it failed. `reviewed_at` and
    `stale` (the run has changed since) are the store's to say. Raises ValueError for another verdict."""

    verdict: Verdict | None = None
    actor_id: str | None = None
    step: str | None = None
    failure_mode: str | None = None
    note: str | None = None
    reviewer: str | None = None
    tags: tuple[str, ...] = field(default=())
    reviewed_at: str | None = None
    stale: bool = False

    def __post_init__(self) -> None:
        if self.verdict not in (None, *get_args(Verdict)):
            raise ValueError(f"{self.verdict!r} is no verdict")

    def as_json(self) -> dict[str, JSON]:
        """The review as the run document holds it."""
        return asdict(self) | {"tags": list(self.tags)}


_COLUMNS = (
    reviews.c.verdict,
    reviews.c.actor_id,
    reviews.c.step,
    reviews.c.failure_mode,
    reviews.c.note,
    reviews.c.reviewer,
)


def review_of(connection: Connection, run_id: str) -> Review | None:
    """The review of the run, or null. One of a run that is gone is null too."""
    statement = (
        select(*_COLUMNS, reviews.c.reviewed_us, (reviews.c.digest != runs.c.digest).label("stale"))
        .join_from(reviews, runs, runs.c.run_id == reviews.c.run_id)
        .where(is_run(run_id))
    )
    row = connection.execute(statement).mappings().one_or_none()
    if row is None:
        return None
    tags = select(review_tags.c.tag).where(review_tags.c.run_id == run_id).order_by(review_tags.c.tag)
    return Review(
        **{column.name: row[column.name] for column in _COLUMNS},
        tags=tuple(connection.execute(tags).scalars()),
        reviewed_at=iso(row["reviewed_us"]),
        stale=bool(row["stale"]),
    )


def save_review(connection: Connection, run_id: str, review: Review | None) -> None:
    """Puts `review` in the place of the run's review; null takes it away. Raises NotFoundError."""
    digest = connection.execute(select(runs.c.digest).where(is_run(run_id))).scalar()
    if digest is None:
        raise NotFoundError(f"there is no run {run_id!r}")
    connection.execute(delete(reviews).where(reviews.c.run_id == run_id))  # and its tags, by cascade
    if review is None:
        return
    connection.execute(
        insert(reviews).values(
            run_id=run_id,
            digest=digest,
            reviewed_us=time.time_ns() // 1000,
            **{column.name: getattr(review, column.name) for column in _COLUMNS},
        )
    )
    tags = sorted({tag.strip() for tag in review.tags} - {""})
    if tags:
        connection.execute(insert(review_tags), [{"run_id": run_id, "tag": tag} for tag in tags])
