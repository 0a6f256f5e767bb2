"""Saved views: a page of the app with everything its address says, under a name that a team shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson
from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert

from trace_store.errors import NotFoundError
from trace_store.store.connection import Queries
from trace_store.store.schema.tables import views
from trace_store.store.timestamps import iso_timestamp, now_us

LONGEST_VIEW_NAME = 80
"""Characters of a view's name."""


@dataclass(frozen=True, slots=True)
class SavedView:
    """A view by its name: the page's path in the app, and the parameters of its address. `saved_at` is set by the
    store. Raises ValueError for a name that is blank or longer than LONGEST_VIEW_NAME."""

    name: str
    page: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    saved_at: str | None = None
    saved_by: str | None = None

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > LONGEST_VIEW_NAME:
            raise ValueError(f"a view is named in 1 to {LONGEST_VIEW_NAME} characters, not by {self.name!r}")


class SavedViews(Queries):
    """The views that were saved in this store."""

    def all(self) -> list[SavedView]:
        """Return every view, in the order of the alphabet; capitals make no difference."""
        with self.database.read() as connection:
            rows = connection.execute(select(views)).all()
        saved_views = [
            SavedView(row.name, row.page, orjson.loads(row.parameters), iso_timestamp(row.saved_us), row.saved_by)
            for row in rows
        ]
        return sorted(saved_views, key=lambda view: (view.name.casefold(), view.name))

    def save(self, view: SavedView) -> None:
        """Save the view. It replaces one of the same name."""
        values = {
            "page": view.page,
            "parameters": orjson.dumps(dict(view.parameters)).decode(),
            "saved_us": now_us(),
            "saved_by": view.saved_by,
        }
        statement = insert(views).values(name=view.name, **values)
        with self.database.write() as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=[views.c.name], set_=values))

    def delete(self, name: str) -> None:
        """Delete the view. Raises NotFoundError."""
        with self.database.write() as connection:
            if not connection.execute(delete(views).where(views.c.name == name)).rowcount:
                raise NotFoundError(f"there is no view {name!r}", hint="names are matched exactly, capitals too")
