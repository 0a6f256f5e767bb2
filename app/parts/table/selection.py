"""Runs that were picked in a list, on however many of its pages: by their ids, or all that the query finds.

A selection belongs to its query: under another one it is gone, so that nothing out of sight is ever deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from trace_store.store.query.editing import quoted

_KEY = "selection"


@dataclass(frozen=True, slots=True)
class Selection:
    """What is picked of the runs that `query` finds; `is_all` is all of them, however many they become."""

    query: str
    ids: tuple[str, ...] = ()
    is_all: bool = False

    def __bool__(self) -> bool:
        return self.is_all or bool(self.ids)

    def count(self, matching: int) -> int:
        """How many runs; `matching` are found by the query."""
        return matching if self.is_all else len(self.ids)

    def rows(self, ids: Sequence[str]) -> list[int]:
        """Which rows of a page with these ids are picked."""
        return [row for row, run_id in enumerate(ids) if self.is_all or run_id in self.ids]

    def with_page(self, ids: Sequence[str], rows: Sequence[int]) -> Selection:
        """The selection after the rows of a page with these ids were ticked so. A tick taken from one of all leaves
        those of the page: which others were meant nobody could see."""
        ticked = [ids[row] for row in sorted(rows) if row < len(ids)]
        if self.is_all:
            return self if len(ticked) == len(ids) else Selection(self.query, tuple(ticked))
        kept = [run_id for run_id in self.ids if run_id not in ids or run_id in ticked]
        return replace(self, ids=(*kept, *(run_id for run_id in ticked if run_id not in kept)))

    def as_query(self) -> str:
        """A query that finds exactly what is picked."""
        if self.is_all:
            return self.query.strip() or "run:*"
        return "run:" + ",".join(map(quoted, self.ids))


def current(query: str) -> Selection:
    """The selection among the runs that `query` finds; an empty one after another query."""
    kept = st.session_state.get(_KEY)
    return kept if isinstance(kept, Selection) and kept.query == query else Selection(query)


def select(selection: Selection) -> None:
    """Makes `selection` the one in force."""
    st.session_state[_KEY] = selection
