"""The list of failure modes that reviewers choose from: edited by them, kept in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select

from trace_store.store.schema import tables
from trace_store.store.schema.tables import reviews


@dataclass(frozen=True, slots=True)
class FailureMode:
    """A way in which runs fail, as reviewers name it. `reviews`: how many use it; `listed`: it is on the list, and not
    only in use."""

    name: str
    description: str | None = None
    reviews: int = 0
    listed: bool = True


def failure_modes(connection: Connection) -> list[FailureMode]:
    """The list in its order; after it the names in use that are not on it, the most frequent first."""
    modes, used = tables.failure_modes.c, reviews.c.failure_mode
    number = func.count().label("number")
    counted = select(used, number).where(used.is_not(None)).group_by(used).order_by(number.desc(), used)
    counts = {str(name): int(count) for name, count in connection.execute(counted)}
    listed = [
        FailureMode(row.name, row.description, counts.pop(row.name, 0))
        for row in connection.execute(select(modes.name, modes.description).order_by(modes.position))
    ]
    return [*listed, *(FailureMode(name, None, count, listed=False) for name, count in counts.items())]


def save_failure_modes(connection: Connection, modes: Sequence[FailureMode]) -> None:
    """Puts `modes` in the place of the list, in this order. Blank names are left out, and a name stands once. Reviews
    keep what they say."""
    kept = {name: mode for mode in modes if (name := mode.name.strip())}
    connection.execute(delete(tables.failure_modes))
    if kept:
        connection.execute(
            insert(tables.failure_modes),
            [
                {"name": name, "position": position, "description": (mode.description or "").strip() or None}
                for position, (name, mode) in enumerate(kept.items())
            ],
        )
