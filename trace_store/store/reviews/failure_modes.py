"""The list of failure modes that reviewers choose from: edited by them, kept in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select

from trace_store.store.connection import Queries
from trace_store.store.schema.tables import failure_modes, reviews


@dataclass(frozen=True, slots=True)
class FailureMode:
    """A way in which runs fail, as reviewers name it. `reviews`: how many use it; `listed`: it is on the list, and not
    only in use."""

    name: str
    description: str | None = None
    reviews: int = 0
    listed: bool = True


class FailureModes(Queries):
    """The list of failure modes."""

    def all(self) -> list[FailureMode]:
        """Return the list in its order; after it the names in use that are not on it, the most frequent first."""
        modes, name = failure_modes.c, reviews.c.failure_mode
        number = func.count().label("number")
        uses = select(name, number).where(name.is_not(None)).group_by(name).order_by(number.desc(), name)
        with self.database.read() as connection:
            counts = {str(name): int(count) for name, count in connection.execute(uses)}
            rows = connection.execute(select(modes.name, modes.description).order_by(modes.position))
            on_the_list = [FailureMode(row.name, row.description, counts.pop(row.name, 0)) for row in rows]
        return [*on_the_list, *(FailureMode(name, None, count, listed=False) for name, count in counts.items())]

    def save(self, modes: Sequence[FailureMode]) -> None:
        """Replace the list by `modes`, in this order. Blank names are left out, and a name stands once. Reviews keep
        the names they have."""
        names = {name: mode for mode in modes if (name := mode.name.strip())}
        rows = [
            {"name": name, "position": position, "description": (mode.description or "").strip() or None}
            for position, (name, mode) in enumerate(names.items())
        ]
        with self.database.write() as connection:
            connection.execute(delete(failure_modes))
            if rows:
                connection.execute(insert(failure_modes), rows)
