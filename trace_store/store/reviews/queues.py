"""Review queues: runs in an order that is kept, so that what is reviewed stays, and everybody sees the same one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from trace_store.errors import NotFoundError, StoreError
from trace_store.store.connection import driver_connection
from trace_store.store.lists.pages import run_ids
from trace_store.store.schema.tables import queue_runs, queues, reviews, runs
from trace_store.store.timestamps import iso


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
class QueuePlace:
    """Where a run stands in a queue, from 1; null when it is not in it. `next_unreviewed` begins again at the front
    when the end is reached, and is null when all are reviewed."""

    position: int | None
    total: int
    reviewed: int
    previous: str | None
    next: str | None
    next_unreviewed: str | None


def make_queue(
    connection: Connection,
    name: str,
    query: str,
    sort: str | None,
    *,
    chosen: Sequence[str] | None,
    sample: int | None,
    seed: int | None,
    made_by: str | None,
) -> Queue:
    """A queue of what the query finds in this order, or of the runs `chosen`; with `sample`, of so many of them, drawn
    by `seed`. Raises QueryError, and StoreError for a name that is taken or blank, and for no runs."""
    name = name.strip()
    if not name:
        raise StoreError("a queue needs a name")
    found = run_ids(connection, query, sort) if chosen is None else list(dict.fromkeys(chosen))
    if sample is not None:
        seed = seed or 0
        found = drawn(found, sample, seed)
    if not found:
        raise StoreError(f"the queue “{name}” would be empty", hint="the query finds no run")
    head = {"name": name, "query": query, "sort": sort, "seed": seed if sample is not None else None}
    try:
        made = connection.execute(insert(queues).values(**head, made_us=time.time_ns() // 1000, made_by=made_by))
    except IntegrityError as error:
        raise StoreError(f"there is a queue “{name}” already", hint="give this one another name") from error
    assert made.inserted_primary_key is not None
    number = int(made.inserted_primary_key[0])
    driver_connection(connection).executemany(
        "INSERT INTO queue_runs (queue_id, position, run_id) VALUES (?, ?, ?)",
        ((number, position, run_id) for position, run_id in enumerate(found, 1)),
    )
    return queue(connection, number)


def drawn(run_ids: Sequence[str], size: int, seed: int) -> list[str]:
    """A sample of `size` run ids. Which, and in which order, depends on the ids and the seed alone, not on the order
    they come in."""

    def lot(run_id: str) -> bytes:
        return blake2b(f"{seed}\0{run_id}".encode(), digest_size=16).digest()

    return sorted(run_ids, key=lot)[: max(0, size)]


def queue(connection: Connection, queue_id: int) -> Queue:
    """One queue. Raises NotFoundError."""
    row = connection.execute(_queues().where(queues.c.id == queue_id)).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no queue {queue_id}")
    return _read(row)


def all_queues(connection: Connection) -> list[Queue]:
    """Every queue, the latest first."""
    return [_read(row) for row in connection.execute(_queues().order_by(queues.c.id.desc()))]


def delete_queue(connection: Connection, queue_id: int) -> None:
    """Takes the queue away; its runs and their reviews stay. Raises NotFoundError."""
    queue(connection, queue_id)
    connection.execute(delete(queues).where(queues.c.id == queue_id))


def queue_place(connection: Connection, queue_id: int, run_id: str | None) -> QueuePlace:
    """Where the run stands in the queue; null stands for the place before the first. Raises NotFoundError."""
    counted = queue(connection, queue_id)
    position: int | None = None
    if run_id is not None:
        mine = (queue_runs.c.queue_id == queue_id, queue_runs.c.run_id == run_id)
        position = connection.execute(select(func.min(queue_runs.c.position)).where(*mine)).scalar()
    here = position or 0
    at, unreviewed = queue_runs.c.position, reviews.c.run_id.is_(None)
    ahead = _first(connection, queue_id, at.asc(), at > here, unreviewed)
    return QueuePlace(
        position=None if position is None else _rank(connection, queue_id, position),
        total=counted.runs,
        reviewed=counted.reviewed,
        previous=_first(connection, queue_id, at.desc(), at < here),
        next=_first(connection, queue_id, at.asc(), at > here),
        next_unreviewed=ahead or _first(connection, queue_id, at.asc(), at < here, unreviewed),
    )


def _queues() -> Select[Any]:
    present = queue_runs.join(runs, runs.c.run_id == queue_runs.c.run_id).outerjoin(
        reviews, reviews.c.run_id == queue_runs.c.run_id
    )
    mine = queue_runs.c.queue_id == queues.c.id
    every = select(func.count()).select_from(queue_runs).where(mine)
    here = select(func.count()).select_from(present).where(mine)
    done = select(func.count(reviews.c.run_id)).select_from(present).where(mine)
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
        made_at=iso(row.made_us) or "",
        made_by=row.made_by,
        runs=row.here,
        reviewed=row.done,
        gone=row.every - row.here,
    )


def _rank(connection: Connection, queue_id: int, position: int) -> int:
    """The place among the runs that are still there."""
    present = queue_runs.join(runs, runs.c.run_id == queue_runs.c.run_id)
    mine = (queue_runs.c.queue_id == queue_id, queue_runs.c.position <= position)
    return int(connection.execute(select(func.count()).select_from(present).where(*mine)).scalar_one())


def _first(
    connection: Connection, queue_id: int, order: ColumnElement[Any], *conditions: ColumnElement[bool]
) -> str | None:
    present = queue_runs.join(runs, runs.c.run_id == queue_runs.c.run_id).outerjoin(
        reviews, reviews.c.run_id == queue_runs.c.run_id
    )
    statement = select(queue_runs.c.run_id).select_from(present).where(queue_runs.c.queue_id == queue_id, *conditions)
    return connection.execute(statement.order_by(order).limit(1)).scalar()
