"""Saved views: a page of the app with everything its address says, under a name that a team shares."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson
from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from trace_store.errors import NotFoundError
from trace_store.store.schema.tables import views
from trace_store.store.timestamps import iso

LONGEST_NAME = 80
"""Characters of a view's name."""


@dataclass(frozen=True, slots=True)
class View:
    """A view by its name: the page's path in the app, and the parameters of its address. `saved_at` is the store's to
    say. Raises ValueError for a name that is blank or longer than LONGEST_NAME."""

    name: str
    page: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    saved_at: str | None = None
    saved_by: str | None = None

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > LONGEST_NAME:
            raise ValueError(f"a view is named in 1 to {LONGEST_NAME} characters, not by {self.name!r}")


def saved_views(connection: Connection) -> list[View]:
    """Every view, in the order of the alphabet; capitals make no difference."""
    rows = connection.execute(select(views)).mappings()
    found = [
        View(row["name"], row["page"], orjson.loads(row["parameters"]), iso(row["saved_us"]), row["saved_by"])
        for row in rows
    ]
    return sorted(found, key=lambda view: (view.name.casefold(), view.name))


def save_view(connection: Connection, view: View) -> None:
    """Keeps the view, in the place of one of the same name."""
    said = {
        "page": view.page,
        "parameters": orjson.dumps(dict(view.parameters)).decode(),
        "saved_us": time.time_ns() // 1000,
        "saved_by": view.saved_by,
    }
    statement = insert(views).values(name=view.name, **said)
    connection.execute(statement.on_conflict_do_update(index_elements=[views.c.name], set_=said))


def delete_view(connection: Connection, name: str) -> None:
    """Lets go of the view. Raises NotFoundError."""
    if not connection.execute(delete(views).where(views.c.name == name)).rowcount:
        raise NotFoundError(f"there is no view {name!r}", hint="names are matched exactly, capitals too")
