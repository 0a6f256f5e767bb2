"""A list of the store as a table: how many of how many, sorted and paged in SQL, and a click that opens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, LiteralString
from zlib import crc32

import pandas as pd
import streamlit as st

from app import render, state
from app.parts import columns

PAGE_ROWS = 50


@dataclass(frozen=True, slots=True)
class Order:
    """A field to sort by, and how a person says both directions."""

    field: str
    label: str
    down: str = "most first"
    up: str = "least first"


@dataclass(frozen=True, slots=True)
class Rows:
    """One page of a list: the rows as they are shown, how many match, and how many there are without the query."""

    frame: pd.DataFrame
    matching: int
    total: int


@dataclass(frozen=True, slots=True)
class Listing:
    """What differs from list to list. `orders` is keyed by the column whose header sorts so; `flexible` columns share
    the room that the others leave, and `dispensable` ones give way, the first one first, where that is too little."""

    key: str
    noun: LiteralString
    orders: Mapping[str, Order]
    default_sort: str
    columns: Mapping[str, Any]
    flexible: Mapping[str, int]
    dispensable: tuple[str, ...]
    read: Callable[[str, str, int, int], Rows]
    open: Callable[[pd.Series], None]

    def sorts(self) -> dict[str, str]:
        """Every sort as the address has it, and in words."""
        down = {f"-{order.field}": f"{order.label}, {order.down}" for order in self.orders.values()}
        up = {order.field: f"{order.label}, {order.up}" for order in self.orders.values()}
        return down | up

    def sort(self) -> str:
        """The sort that the address asks for; an unknown one means the default."""
        asked = state.param(state.SORT, self.default_sort)
        return asked if asked in self.sorts() else self.default_sort


def show(listing: Listing, query: str, *, nothing: Callable[[], None]) -> None:
    """The table of what `query` finds, or `nothing()` where it finds nothing. Raises QueryError."""
    sort = listing.sort()
    page = max(1, int(asked) if (asked := state.param(state.PAGE, "1")).isdecimal() else 1)
    rows = listing.read(query, sort, PAGE_ROWS, (page - 1) * PAGE_ROWS)
    pages = max(1, -(-rows.matching // PAGE_ROWS))
    if rows.matching == 0:
        nothing()
        return
    if page > pages:
        page = pages
        rows = listing.read(query, sort, PAGE_ROWS, (page - 1) * PAGE_ROWS)
    _head(listing, rows, sort, page)
    _table(listing, rows.frame, sort, view=f"{query} {sort} {page}")
    if pages > 1:
        with st.container(horizontal=True, horizontal_alignment="center"):
            st.pagination(pages, key=state.bound(f"{listing.key}-page", page), on_change=_turn, args=(listing.key,))


def count_line(noun: LiteralString, rows: Rows, page: int) -> LiteralString:
    """N of M, and which of them are on this page."""
    first, last = (page - 1) * PAGE_ROWS + 1, (page - 1) * PAGE_ROWS + len(rows.frame)
    shown = "" if rows.matching <= PAGE_ROWS else f", {first:,} to {last:,} on this page"
    if rows.matching == rows.total:
        return f"**{rows.total:,}** {noun}{shown}"
    return f"**{rows.matching:,}** of {rows.total:,} {noun}{shown}"


def _head(listing: Listing, rows: Rows, sort: str, page: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"{listing.key}-head"):
        with st.container(width="stretch"):
            render.sentence(count_line(listing.noun, rows, page))
        sorts = listing.sorts()
        st.selectbox(
            "Sort",
            list(sorts),
            format_func=sorts.__getitem__,
            key=state.bound(f"{listing.key}-sort", sort),
            on_change=_sort,
            args=(listing.key,),
            label_visibility="collapsed",
            width=280,
            help="A click on a column's header sorts by it too; a second click turns the order round.",
        )


def _table(listing: Listing, frame: pd.DataFrame, sort: str, *, view: str) -> None:
    # A new key for each view, so that a table never keeps the widths of another; and after each click, which is an
    # event and no state: the same row opens again after Back.
    turn = st.session_state.setdefault(f"{listing.key}-turn", 0)
    key = f"{listing.key}-table-{turn}-{crc32(view.encode()):08x}"
    shown = told(listing, frame)
    st.dataframe(
        frame,
        hide_index=True,
        key=key,
        on_select=partial(_selected, listing, frame, key, sort),
        selection_mode=["single-row", "single-cell", "single-column"],
        column_config=columns.fitted(_with_arrow(listing, sort), shown, listing.flexible),
        column_order=shown,
        height="content",
        placeholder="–",
        alt=f"The {listing.noun} that the query finds",
    )


def told(listing: Listing, frame: pd.DataFrame) -> list[str]:
    """The columns that have something to say on this page: one that is empty all the way down only takes room."""
    asked = {column for column, order in listing.orders.items() if order.field == listing.sort().removeprefix("-")}
    shown = columns.telling(frame, listing.columns, asked)
    return columns.roomy(shown, listing.columns, listing.flexible, [c for c in listing.dispensable if c not in asked])


def _with_arrow(listing: Listing, sort: str) -> dict[str, Any]:
    shown = dict(listing.columns)
    for column, order in listing.orders.items():
        if column in shown and sort.removeprefix("-") == order.field:
            arrow = "↓" if sort.startswith("-") else "↑"
            shown[column] = {**shown[column], "label": f"{shown[column]['label']} {arrow}"}
    return shown


def _selected(listing: Listing, frame: pd.DataFrame, key: str, sort: str) -> None:
    selection = st.session_state[key]["selection"]
    st.session_state[f"{listing.key}-turn"] += 1
    if selection["columns"]:
        order = listing.orders.get(selection["columns"][0])
        if order is not None:
            state.write(sort=turned(sort, order.field), page=None)
        return
    places = [*selection["rows"], *(row for row, _ in selection["cells"])]
    if places:
        listing.open(frame.iloc[places[0]])


def _turn(key: str) -> None:
    state.write(page=str(st.session_state[f"{key}-page"]))


def _sort(key: str) -> None:
    state.write(sort=st.session_state[f"{key}-sort"], page=None)


def turned(sort: str, field: str) -> str:
    """The sort after a click on the header of `field`: the most first, then the other way round."""
    return field if sort == f"-{field}" else f"-{field}"
