"""Review queues: runs in a stored order. What is reviewed stays in the queue, and everybody sees the same one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from trace_store.errors import NotFoundError, StoreError
from trace_store.store.connection import Queries, driver_connection
from trace_store.store.lists.pages import runs_in_order
from trace_store.store.schema.tables import queue_runs, queues, reviews, runs
from trace_store.store.timestamps import iso_timestamp, now_us


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue: what it was made of (`seed`: of a random sample), and how far it has come. `gone`: runs that are no
    longer in the store; they are passed over and not in `runs`."""

    id: int
    name: str
    query: str
    sort: str | None
    seed: int | None
    made_at: str
    made_by: str | None
    runs: int
    reviewed: int
    gone: int


@dataclass(frozen=True, slots=True)
class QueuePosition:
    """Where a run stands in a queue, from 1; null when it is not in it. `next_unreviewed` begins again at the front
    when the end is reached, and is null when all are reviewed."""

    position: int | None
    total: int
    reviewed: int
    previous: str | None
    next: str | None
    next_unreviewed: str | None


_WITH_REVIEWS = queue_runs.join(runs, runs.c.run_id == queue_runs.c.run_id).outerjoin(
    reviews, reviews.c.run_id == queue_runs.c.run_id
)
"""The runs of queues that are still in the store, with their reviews."""


class Queues(Queries):
    """The review queues of a store."""

    def make(
        self,
        name: str,
        query: str = "",
        sort: str | None = None,
        *,
        run_ids: Sequence[str] | None = None,
        sample: int | None = None,
        seed: int | None = None,
        made_by: str | None = None,
    ) -> Queue:
        """Make a queue of what the query finds in the order of the list, or of `run_ids`; with `sample`, of so many of
        them, chosen by `seed`. Raises QueryError, and StoreError for a name that is taken or blank and for no runs."""
        name = name.strip()
        if not name:
            raise StoreError("a queue needs a name")
        with self.database.write() as connection:
            ids = runs_in_order(connection, query, sort) if run_ids is None else list(dict.fromkeys(run_ids))
            if sample is None:
                seed = None
            else:
                seed = seed or 0
                ids = choose_sample(ids, sample, seed)
            if not ids:
                raise StoreError(f"the queue “{name}” would be empty", hint="the query finds no run")
            values = {"name": name, "query": query, "sort": sort, "seed": seed, "made_us": now_us(), "made_by": made_by}
            try:
                row = connection.execute(insert(queues).values(values))
            except IntegrityError as error:
                raise StoreError(f"there is a queue “{name}” already", hint="give this one another name") from error
            assert row.inserted_primary_key is not None
            queue_id = int(row.inserted_primary_key[0])
            driver_connection(connection).executemany(
                "INSERT INTO queue_runs (queue_id, position, run_id) VALUES (?, ?, ?)",
                ((queue_id, position, run_id) for position, run_id in enumerate(ids, 1)),
            )
            return _queue(connection, queue_id)

    def get(self, queue_id: int) -> Queue:
        """Return a queue with its progress. Raises NotFoundError."""
        with self.database.read() as connection:
            return _queue(connection, queue_id)

    def all(self) -> list[Queue]:
        """Return every queue with its progress, the latest first."""
        with self.database.read() as connection:
            return [_read(row) for row in connection.execute(_select_queues().order_by(queues.c.id.desc()))]

    def delete(self, queue_id: int) -> None:
        """Delete the queue; its runs and their reviews stay. Raises NotFoundError."""
        with self.database.write() as connection:
            if not connection.execute(delete(queues).where(queues.c.id == queue_id)).rowcount:
                raise _not_found(queue_id)

    def position(self, queue_id: int, run_id: str | None) -> QueuePosition:
        """Return where the run stands in the queue, and what comes next; null stands before the first run. Raises
        NotFoundError."""
        with self.database.read() as connection:
            queue = _queue(connection, queue_id)
            position: int | None = None
            if run_id is not None:
                mine = (queue_runs.c.queue_id == queue_id, queue_runs.c.run_id == run_id)
                position = connection.execute(select(func.min(queue_runs.c.position)).where(*mine)).scalar()
            here = position or 0
            at, unreviewed = queue_runs.c.position, reviews.c.run_id.is_(None)
            ahead = _first(connection, queue_id, at.asc(), at > here, unreviewed)
            return QueuePosition(
                position=None if position is None else _rank(connection, queue_id, position),
                total=queue.runs,
                reviewed=queue.reviewed,
                previous=_first(connection, queue_id, at.desc(), at < here),
                next=_first(connection, queue_id, at.asc(), at > here),
                next_unreviewed=ahead or _first(connection, queue_id, at.asc(), at < here, unreviewed),
            )


def choose_sample(run_ids: Sequence[str], size: int, seed: int) -> list[str]:
    """Return a sample of `size` run ids. Which, and in which order, depends on the ids and the seed alone, not on the
    order they come in."""

    def draw(run_id: str) -> bytes:
        return blake2b(f"{seed}\0{run_id}".encode(), digest_size=16).digest()

    return sorted(run_ids, key=draw)[: max(0, size)]


def _queue(connection: Connection, queue_id: int) -> Queue:
    row = connection.execute(_select_queues().where(queues.c.id == queue_id)).one_or_none()
    if row is None:
        raise _not_found(queue_id)
    return _read(row)


def _not_found(queue_id: int) -> NotFoundError:
    return NotFoundError(f"there is no queue {queue_id}")


def _select_queues() -> Select[Any]:
    mine = queue_runs.c.queue_id == queues.c.id
    every = select(func.count()).select_from(queue_runs).where(mine)
    here = select(func.count()).select_from(_WITH_REVIEWS).where(mine)
    done = select(func.count(reviews.c.run_id)).select_from(_WITH_REVIEWS).where(mine)
    return select(
        queues,
        here.correlate(queues).scalar_subquery().label("here"),
        done.correlate(queues).scalar_subquery().label("done"),
        every.correlate(queues).scalar_subquery().label("every"),
    )


def _read(row: Any) -> Queue:
    return Queue(
        id=row.id,
        name=row.name,
        query=row.query,
        sort=row.sort,
        seed=row.seed,
        made_at=iso_timestamp(row.made_us) or "",
        made_by=row.made_by,
        runs=row.here,
        reviewed=row.done,
        gone=row.every - row.here,
    )


def _rank(connection: Connection, queue_id: int, position: int) -> int:
    """Return the position among the runs that are still there."""
    present = queue_runs.join(runs, runs.c.run_id == queue_runs.c.run_id)
    mine = (queue_runs.c.queue_id == queue_id, queue_runs.c.position <= position)
    return int(connection.execute(select(func.count()).select_from(present).where(*mine)).scalar_one())


def _first(
    connection: Connection, queue_id: int, order: ColumnElement[Any], *conditions: ColumnElement[bool]
) -> str | None:
    statement = (
        select(queue_runs.c.run_id).select_from(_WITH_REVIEWS).where(queue_runs.c.queue_id == queue_id, *conditions)
    )
    return connection.execute(statement.order_by(order).limit(1)).scalar()
