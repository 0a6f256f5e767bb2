"""Changes of reviews: one run or many in one step, safe against another reviewer's, kept in a history, undone.

Every state that a review was in is a row of `review_history`, under the number of the change that made it. A run's
versions count on, also over a review that was taken away, so that a version names one state.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import orjson
from sqlalchemy import Connection, Select, and_, func, select

from trace_store.errors import ConflictError, NotFoundError
from trace_store.model import Review, Verdict
from trace_store.store.connection import driver_connection
from trace_store.store.query.conditions import Condition, belongs_to_run, condition_of, is_run, source_of, where
from trace_store.store.reviews.review import COLUMNS, SAID, read_review
from trace_store.store.schema.tables import review_history, reviews, runs
from trace_store.store.timestamps import iso


@dataclass(frozen=True, slots=True)
class ReviewEdit:
    """What a change over many runs says. What is null stays as it is in each; `tags` are added, `tags_removed` go."""

    verdict: Verdict | None = None
    actor_id: str | None = None
    failure_mode: str | None = None
    note: str | None = None
    reviewer: str | None = None
    tags: tuple[str, ...] = ()
    tags_removed: tuple[str, ...] = ()

    def of(self, review: Review | None) -> Review:
        """The review after the edit; null stands for a run that nobody has reviewed."""
        review = review or Review()
        said = {name: value for name in SAID if (value := getattr(self, name, None)) is not None}
        kept = [tag for tag in review.tags if tag not in self.tags_removed]
        return replace(review, **said, tags=tuple(dict.fromkeys([*kept, *self.tags])))


@dataclass(frozen=True, slots=True)
class BulkChange:
    """A change over many runs: its number, which undoes it, and how many runs it changed; 0 and 0 for none."""

    change: int
    saved: int


@dataclass(frozen=True, slots=True)
class Undone:
    """An undone change. `change`: of the undoing itself; `restored`: runs that are as they were before; `kept`: runs
    that were reviewed again since, which keep that review."""

    change: int
    restored: int
    kept: int


@dataclass(frozen=True, slots=True)
class ReviewState:
    """One state of a run's review: null where it was taken away. `changed_at`: when this state began."""

    version: int
    change: int
    changed_at: str
    review: Review | None


@dataclass(frozen=True, slots=True)
class RecentChange:
    """A change as a list of the latest shows it: its number, its time, how many runs, and one of them with its word."""

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


def save_review(connection: Connection, run_id: str, review: Review | None, expected: int | None) -> int:
    """Puts `review` in the place of the run's review; null takes it away. `expected`: the version that its editor
    saw, 0 for none; null does not ask. Returns the number of the change. Raises NotFoundError and ConflictError."""
    row = connection.execute(_present(is_run(run_id))).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"there is no run {run_id!r}")
    present = read_review(row)
    version = present.version if present else 0
    if expected is not None and expected != version:
        who = present.reviewer if present and present.reviewer else "somebody"
        did = "saved another review" if present else "took the review away"
        raise ConflictError(f"{who} {did} of this run in the meantime", hint="look at both, and save again")
    now_us = time.time_ns() // 1000
    state = _State(run_id, row["last_version"] + 1, row["digest"], now_us, review)
    return _write(connection, [state], now_us)


def review_many(connection: Connection, edit: ReviewEdit, query: str, run_ids: Sequence[str] | None) -> BulkChange:
    """Makes the edit on every run that the query finds, or on those of `run_ids`, in one change. A run that it would
    leave as it is does not change. Raises QueryError."""
    condition = condition_of(query, "runs") if run_ids is None else _among(run_ids)
    now_us = time.time_ns() // 1000
    states = []
    for row in connection.execute(_present(condition)).mappings():
        before = read_review(row)
        after = edit.of(before)
        if after != before:
            states.append(_State(row["run_id"], row["last_version"] + 1, row["digest"], now_us, after))
    return BulkChange(_write(connection, states, now_us) if states else 0, len(states))


def undo_review(connection: Connection, change: int) -> Undone:
    """Brings the runs of a change back to how they were before it, in a change of its own. Raises NotFoundError."""
    history, later, before = review_history.c, review_history.alias("later").c, review_history.alias("before")
    last = select(func.max(later.version)).where(later.run_id == history.run_id).scalar_subquery()
    earlier = review_history.alias("earlier").c
    previous = select(func.max(earlier.version)).where(
        earlier.run_id == history.run_id, earlier.version < history.version
    ).scalar_subquery()  # fmt: skip
    same = and_(before.c.run_id == history.run_id, before.c.version == previous)
    rows = connection.execute(
        select(
            history.run_id,
            history.version,
            last.label("last"),
            func.coalesce(before.c.digest, history.digest).label("digest"),
            before.c.review,
        )
        .select_from(review_history.outerjoin(before, same))
        .where(history.change == change)
    ).all()
    if not rows:
        raise NotFoundError(f"there is no change {change} of reviews")
    fresh = [row for row in rows if row.last == row.version]
    if not fresh:
        return Undone(change, 0, len(rows))
    states = [
        _State(row.run_id, row.version + 1, row.digest, _moment_of(row.review), _from_json(row.review, 0))
        for row in fresh
    ]
    return Undone(_write(connection, states, time.time_ns() // 1000), len(states), len(rows) - len(states))


def review_states(connection: Connection, run_id: str) -> list[ReviewState]:
    """Every state of the run's review, the latest first."""
    history = review_history.c
    rows = connection.execute(
        select(review_history).where(history.run_id == run_id).order_by(history.version.desc())
    ).all()
    return [
        ReviewState(row.version, row.change, iso(row.reviewed_us) or "", _from_json(row.review, row.version))
        for row in rows
    ]


def recent_changes(connection: Connection, limit: int) -> list[RecentChange]:
    """The latest changes of reviews, each as one, whatever number of runs it changed."""
    history = review_history.c
    first, number = func.min(history.id), func.count()
    grouped = select(first.label("id"), number.label("runs")).group_by(history.change)
    latest = grouped.order_by(history.change.desc()).limit(limit).subquery()
    rows = connection.execute(
        select(review_history, latest.c.runs).join(latest, latest.c.id == history.id).order_by(history.change.desc())
    )
    return [
        RecentChange(row.change, iso(row.reviewed_us) or "", row.runs, row.run_id, _from_json(row.review, row.version))
        for row in rows
    ]


def each_review(connection: Connection, query: str) -> Iterator[tuple[str, Review]]:
    """The reviews of the runs that the query finds, with their run ids, in the order of those."""
    condition = condition_of(query, "runs")
    statement = select(runs.c.run_id, *COLUMNS).select_from(
        source_of("runs", condition).join(reviews, belongs_to_run(reviews))
    )
    for row in connection.execute(where(statement, condition).order_by(runs.c.run_id)).mappings():
        review = read_review(row)
        if review is not None:
            yield row["run_id"], review


def put_reviews(connection: Connection, said: Iterable[tuple[str, Review, int | None]]) -> tuple[int, int, list[str]]:
    """Saves reviews that came from elsewhere, with their time in microseconds, null for now, in one change. Returns
    how many were saved, how many were there already, and the ids that no run goes by. Of several for one run the
    last one counts."""
    wanted = {run_id: (review, reviewed_us) for run_id, review, reviewed_us in said}
    now_us = time.time_ns() // 1000
    states, unchanged, found = [], 0, set()
    for row in connection.execute(_present(_among(list(wanted)))).mappings():
        run_id, present = row["run_id"], read_review(row)
        review, reviewed_us = wanted[run_id]
        found.add(run_id)
        moment_us = row["review_us"] if reviewed_us is None and present else reviewed_us
        if present and moment_us == row["review_us"] and _words(present) == _words(review):
            unchanged += 1
            continue
        states.append(_State(run_id, row["last_version"] + 1, row["digest"], reviewed_us or now_us, review))
    if states:
        _write(connection, states, now_us)
    return len(states), unchanged, [run_id for run_id in wanted if run_id not in found]


def _present(condition: Condition | None) -> Select[tuple[object, ...]]:
    source = source_of("runs", condition).outerjoin(reviews, belongs_to_run(reviews))
    return where(select(runs.c.run_id, runs.c.digest, _LAST_VERSION, *COLUMNS).select_from(source), condition)


def _among(run_ids: Sequence[str]) -> Condition:
    """That a run goes by one of these ids, of which there may be more than a statement takes parameters."""
    sound = [run_id for run_id in run_ids if _is_text(run_id)]
    listed = func.json_each(orjson.dumps(sound).decode()).table_valued("value")
    return runs.c.run_id.in_(select(listed.c.value))


def _is_text(run_id: str) -> bool:
    try:
        run_id.encode()
    except UnicodeEncodeError:
        return False
    return True


def _write(connection: Connection, states: Sequence[_State], now_us: int) -> int:
    """Puts the states in the place of what is there, records them under a new change, and returns its number."""
    driver = driver_connection(connection)
    change = 1 + int(driver.execute("SELECT coalesce(max(change), 0) FROM review_history").fetchone()[0])
    driver.executemany("DELETE FROM reviews WHERE run_id = ?", ((state.run_id,) for state in states))  # tags: cascade
    saved = [(state, state.review) for state in states if state.review is not None]
    driver.executemany(
        f"INSERT INTO reviews (run_id, digest, reviewed_us, version, {', '.join(SAID)})"
        f" VALUES (?, ?, ?, ?, {', '.join('?' * len(SAID))})",
        (
            (state.run_id, state.digest, state.reviewed_us, state.version, *(getattr(review, name) for name in SAID))
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
            (state.run_id, state.version, change, state.digest, now_us, _to_json(state.review, state.reviewed_us))
            for state in states
        ),
    )
    return change


def _tags(review: Review) -> list[str]:
    return sorted({tag.strip() for tag in review.tags} - {""})


def _words(review: Review) -> tuple[object, ...]:
    return (*(getattr(review, name) for name in SAID), _tags(review))


def _to_json(review: Review | None, reviewed_us: int) -> str | None:
    if review is None:
        return None
    said = {name: value for name, value in asdict(review).items() if name in SAID and value is not None}
    return orjson.dumps(said | {"tags": _tags(review), "reviewed_us": reviewed_us}).decode()


def _from_json(text: str | None, version: int) -> Review | None:
    if text is None:
        return None
    said = orjson.loads(text)
    reviewed_at = iso(said.pop("reviewed_us"))
    return Review(**{**said, "tags": tuple(said["tags"])}, version=version, reviewed_at=reviewed_at)


def _moment_of(text: str | None) -> int:
    """When the review in a row of the history was given, in microseconds; 0 where there was none."""
    return int(orjson.loads(text)["reviewed_us"]) if text else 0
