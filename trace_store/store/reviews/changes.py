"""Reviews and their changes: one run or many in one step, safe against another reviewer's, with a history and undo.

A review is kept by run id: it outlives the re-import of its run (R42).

Every state that a review was in is a row of `review_history`, under the number of the change that made it. A run's
versions count on, also over a review that was taken away, so that a version names one state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import orjson
from sqlalchemy import Connection, Select, and_, func, select

from trace_store.errors import ConflictError, NotFoundError
from trace_store.model import REVIEW_TEXTS, Review, Verdict
from trace_store.store.connection import Queries, driver_connection
from trace_store.store.query.compiling import Condition, belongs_to_run, condition_of, is_run, source_of, where
from trace_store.store.reviews.review_columns import REVIEW_COLUMNS, read_review
from trace_store.store.schema.tables import review_history, reviews, runs
from trace_store.store.timestamps import iso_timestamp, now_us


@dataclass(frozen=True, slots=True)
class ReviewEdit:
    """A change over many runs. What is null stays as it is in each; `tags` are added, `tags_removed` go."""

    verdict: Verdict | None = None
    actor_id: str | None = None
    failure_mode: str | None = None
    note: str | None = None
    reviewer: str | None = None
    tags: tuple[str, ...] = ()
    tags_removed: tuple[str, ...] = ()

    def apply(self, review: Review | None) -> Review:
        """Return the review after the edit; null stands for a run that nobody has reviewed."""
        review = review or Review()
        values = {name: value for name in REVIEW_TEXTS if (value := getattr(self, name, None)) is not None}
        tags = [tag for tag in review.tags if tag not in self.tags_removed]
        return replace(review, **values, tags=tuple(dict.fromkeys([*tags, *self.tags])))


@dataclass(frozen=True, slots=True)
class BulkChange:
    """A change over many runs: its number, which undoes it, and how many runs it changed; 0 and 0 for none."""

    change: int
    saved: int


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What undoing a change did. `change`: the number of the undoing itself; `restored`: runs that are as they were
    before; `skipped`: runs that were reviewed again since, which keep that review."""

    change: int
    restored: int
    skipped: int


@dataclass(frozen=True, slots=True)
class ReviewState:
    """One state of a run's review: null where it was taken away. `changed_at`: when this state began."""

    version: int
    change: int
    changed_at: str
    review: Review | None


@dataclass(frozen=True, slots=True)
class RecentChange:
    """One change in the list of the latest: its number, its time, how many runs, and one of them with its review."""

    change: int
    changed_at: str
    runs: int
    run_id: str
    review: Review | None


@dataclass(frozen=True, slots=True)
class _State:
    """A review on its way into the store. `digest`: of the run as it was reviewed; null: the review goes."""

    run_id: str
    version: int
    digest: bytes
    reviewed_us: int
    review: Review | None


_LAST_VERSION = (
    select(func.coalesce(func.max(review_history.c.version), 0))
    .where(review_history.c.run_id == runs.c.run_id)
    .correlate(runs)
    .scalar_subquery()
    .label("last_version")
)


class Reviews(Queries):
    """The reviews of a store's runs."""

    def get(self, run_id: str) -> Review | None:
        """Return the run's review, or null. One of a run that is gone is null too."""
        statement = select(*REVIEW_COLUMNS).join_from(runs, reviews, belongs_to_run(reviews)).where(is_run(run_id))
        with self.database.read() as connection:
            row = connection.execute(statement).mappings().one_or_none()
        return None if row is None else read_review(row)

    def save(self, run_id: str, review: Review | None, *, expected: int | None = None) -> int:
        """Replace the run's review by `review`; null takes it away. Returns the number of the change, which undoes it.

        `expected`: the version that its editor saw, 0 for none, so that two reviewers do not overwrite each other
        unseen; null does not check. Raises NotFoundError, and ConflictError when there is another version by now.
        """
        with self.database.write() as connection:
            row = connection.execute(_select_present(is_run(run_id))).mappings().one_or_none()
            if row is None:
                raise NotFoundError(f"there is no run {run_id!r}")
            present = read_review(row)
            version = present.version if present else 0
            if expected is not None and expected != version:
                who = present.reviewer if present and present.reviewer else "somebody"
                did = "saved another review" if present else "took the review away"
                raise ConflictError(f"{who} {did} of this run in the meantime", hint="look at both, and save again")
            state = _State(run_id, row["last_version"] + 1, row["digest"], now_us(), review)
            return _write(connection, [state])

    def save_many(self, query: str, edit: ReviewEdit, *, run_ids: Sequence[str] | None = None) -> BulkChange:
        """Make the edit on every run that the query finds, or on those of `run_ids`, in one change. A run that it
        would leave as it is does not change. Raises QueryError."""
        condition = condition_of(query, "runs") if run_ids is None else _is_among(run_ids)
        with self.database.write() as connection:
            states = []
            for row in connection.execute(_select_present(condition)).mappings():
                before = read_review(row)
                after = edit.apply(before)
                if after != before:
                    states.append(_State(row["run_id"], row["last_version"] + 1, row["digest"], now_us(), after))
            return BulkChange(_write(connection, states) if states else 0, len(states))

    def undo(self, change: int) -> UndoResult:
        """Restore the runs of a change to how they were before it; a run that was reviewed again since keeps that
        review. Undoing is a change, too. Raises NotFoundError."""
        history, later, before = review_history.c, review_history.alias("later").c, review_history.alias("before")
        last = select(func.max(later.version)).where(later.run_id == history.run_id).scalar_subquery()
        earlier = review_history.alias("earlier").c
        previous = select(func.max(earlier.version)).where(
            earlier.run_id == history.run_id, earlier.version < history.version
        ).scalar_subquery()  # fmt: skip
        same = and_(before.c.run_id == history.run_id, before.c.version == previous)
        digest = func.coalesce(before.c.digest, history.digest).label("digest")
        statement = select(history.run_id, history.version, last.label("last"), digest, before.c.review)
        statement = statement.select_from(review_history.outerjoin(before, same)).where(history.change == change)
        with self.database.write() as connection:
            rows = connection.execute(statement).all()
            if not rows:
                raise NotFoundError(f"there is no change {change} of reviews")
            states = [
                _State(row.run_id, row.version + 1, row.digest, _reviewed_us(row.review), _from_json(row.review, 0))
                for row in rows
                if row.last == row.version
            ]
            return UndoResult(_write(connection, states) if states else change, len(states), len(rows) - len(states))

    def history(self, run_id: str) -> list[ReviewState]:
        """Return every state of the run's review, the latest first."""
        statement = select(review_history).where(review_history.c.run_id == run_id)
        with self.database.read() as connection:
            rows = connection.execute(statement.order_by(review_history.c.version.desc())).all()
        return [
            ReviewState(row.version, row.change, _changed_at(row), _from_json(row.review, row.version)) for row in rows
        ]

    def changes(self, limit: int = 10) -> list[RecentChange]:
        """Return the latest changes, each as one, whatever number of runs it changed."""
        history = review_history.c
        first, number = func.min(history.id), func.count()
        by_change = select(first.label("id"), number.label("runs")).group_by(history.change)
        latest = by_change.order_by(history.change.desc()).limit(limit).subquery()
        statement = select(review_history, latest.c.runs).join(latest, latest.c.id == history.id)
        with self.database.read() as connection:
            rows = connection.execute(statement.order_by(history.change.desc())).all()
        return [
            RecentChange(row.change, _changed_at(row), row.runs, row.run_id, _from_json(row.review, row.version))
            for row in rows
        ]

    def each(self, query: str = "") -> Iterator[tuple[str, Review]]:
        """Yield the reviews of the runs that the query finds, with their run ids, in the order of those. Raises
        QueryError."""
        condition = condition_of(query, "runs")
        source = source_of("runs", condition).join(reviews, belongs_to_run(reviews))
        statement = where(select(runs.c.run_id, *REVIEW_COLUMNS).select_from(source), condition).order_by(runs.c.run_id)
        with self.database.read() as connection:
            for row in connection.execute(statement).mappings():
                if (review := read_review(row)) is not None:
                    yield row["run_id"], review

    def import_all(self, imported: Iterable[tuple[str, Review, int | None]]) -> tuple[int, int, list[str]]:
        """Save reviews that came from elsewhere, each with its time in microseconds, null for now, in one change.

        Returns how many were saved, how many were there already, and the ids that no run goes by. Of several for one
        run the last one counts.
        """
        by_run = {run_id: (review, reviewed_us) for run_id, review, reviewed_us in imported}
        with self.database.write() as connection:
            rows = connection.execute(_select_present(_is_among(list(by_run)))).mappings().all()
            present_ids = {row["run_id"] for row in rows}
            states = []
            for row in rows:
                run_id, present = row["run_id"], read_review(row)
                review, reviewed_us = by_run[run_id]
                time_us = row["review_us"] if reviewed_us is None and present else reviewed_us
                if present and time_us == row["review_us"] and _content(present) == _content(review):
                    continue
                states.append(_State(run_id, row["last_version"] + 1, row["digest"], reviewed_us or now_us(), review))
            if states:
                _write(connection, states)
        return len(states), len(rows) - len(states), [run_id for run_id in by_run if run_id not in present_ids]


def _select_present(condition: Condition | None) -> Select[tuple[object, ...]]:
    source = source_of("runs", condition).outerjoin(reviews, belongs_to_run(reviews))
    return where(select(runs.c.run_id, runs.c.digest, _LAST_VERSION, *REVIEW_COLUMNS).select_from(source), condition)


def _is_among(run_ids: Sequence[str]) -> Condition:
    """Return the condition that a run goes by one of these ids, which may be more than a statement takes parameters."""
    texts = [run_id for run_id in run_ids if _is_storable(run_id)]
    values = func.json_each(orjson.dumps(texts).decode()).table_valued("value")
    return runs.c.run_id.in_(select(values.c.value))


def _is_storable(run_id: str) -> bool:
    try:
        run_id.encode()
    except UnicodeEncodeError:
        return False
    return True


def _write(connection: Connection, states: Sequence[_State]) -> int:
    """Replace the reviews of these runs, record the states under a new change, and return its number."""
    changed_us = now_us()
    driver = driver_connection(connection)
    change = 1 + int(driver.execute("SELECT coalesce(max(change), 0) FROM review_history").fetchone()[0])
    driver.executemany("DELETE FROM reviews WHERE run_id = ?", ((state.run_id,) for state in states))  # tags: cascade
    saved = [(state, state.review) for state in states if state.review is not None]
    driver.executemany(
        f"INSERT INTO reviews (run_id, digest, reviewed_us, version, {', '.join(REVIEW_TEXTS)})"
        f" VALUES (?, ?, ?, ?, {', '.join('?' * len(REVIEW_TEXTS))})",
        (
            (
                state.run_id,
                state.digest,
                state.reviewed_us,
                state.version,
                *(getattr(review, name) for name in REVIEW_TEXTS),
            )
            for state, review in saved
        ),
    )
    driver.executemany(
        "INSERT INTO review_tags (run_id, tag) VALUES (?, ?)",
        ((state.run_id, tag) for state, review in saved for tag in _tags(review)),
    )
    driver.executemany(
        "INSERT INTO review_history (run_id, version, change, digest, reviewed_us, review) VALUES (?, ?, ?, ?, ?, ?)",
        (
            (state.run_id, state.version, change, state.digest, changed_us, _to_json(state.review, state.reviewed_us))
            for state in states
        ),
    )
    return change


def _tags(review: Review) -> list[str]:
    return sorted({tag.strip() for tag in review.tags} - {""})


def _texts(review: Review) -> list[str | None]:
    return [getattr(review, name) for name in REVIEW_TEXTS]


def _content(review: Review) -> tuple[object, ...]:
    return (_texts(review), _tags(review))


def _to_json(review: Review | None, reviewed_us: int) -> str | None:
    if review is None:
        return None
    values = {name: value for name, value in asdict(review).items() if name in REVIEW_TEXTS and value is not None}
    return orjson.dumps(values | {"tags": _tags(review), "reviewed_us": reviewed_us}).decode()


def _from_json(text: str | None, version: int) -> Review | None:
    if text is None:
        return None
    values = orjson.loads(text)
    reviewed_at = iso_timestamp(values.pop("reviewed_us"))
    return Review(**{**values, "tags": tuple(values["tags"])}, version=version, reviewed_at=reviewed_at)


def _changed_at(row: Any) -> str:
    return iso_timestamp(row.reviewed_us) or ""


def _reviewed_us(text: str | None) -> int:
    """Return when the review in a row of the history was given, in microseconds; 0 where there was none."""
    return int(orjson.loads(text)["reviewed_us"]) if text else 0
