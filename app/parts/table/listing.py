"""A list of the store as a table: how many of how many, sorted and paged in SQL, and a click that opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, LiteralString
from zlib import crc32

import pandas as pd
import streamlit as st

from app import render, session_keys, state
from app.parts.table.columns import (
    apply_remembered_columns,
    chosen_columns,
    columns_that_fit,
    columns_with_values,
    fit_widths,
    show_column_choice,
)
from app.parts.table.names import characters_in, shorten_names
from app.parts.table.selection import Selection, current_selection, set_selection

PAGE_ROWS = 50

_FIELD = re.compile(r"(\w+)(?::|[<>]=?)")


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
    """What differs from list to list. `columns` are all that can be shown, `usual` those that are, unless a reader
    chooses; `fields` is what each tells of, as queries say it. `orders` is keyed by the column whose header sorts so;
    `flexible` columns share the room that the others leave, and `dispensable` ones give way, the first one first, where
    that is too little. What stands in the columns of `names` is shortened so that it stays distinguishable. `actions`
    draws what can be done with picked rows, given the column `id`; a list without it has nothing to pick.
    `export` draws the button that exports all that the query finds."""

    key: str
    noun: LiteralString
    orders: Mapping[str, Order]
    default_sort: str
    columns: Mapping[str, Any]
    usual: Sequence[str]
    fields: Mapping[str, str]
    flexible: Mapping[str, int]
    dispensable: tuple[str, ...]
    names: tuple[str, ...]
    read: Callable[[str, str, int, int], Rows]
    open: Callable[[pd.Series], None]
    actions: Callable[[Selection, int], None] | None = None
    export: Callable[[Selection, int], None] | None = None

    def sorts(self) -> dict[str, str]:
        """Return every sort as the address has it, and in words."""
        down = {f"-{order.field}": f"{order.label}, {order.down}" for order in self.orders.values()}
        up = {order.field: f"{order.label}, {order.up}" for order in self.orders.values()}
        return down | up

    def sort(self) -> str:
        """Return the sort that the address asks for; an unknown one means the default."""
        requested = state.param(state.SORT, self.default_sort)
        return requested if requested in self.sorts() else self.default_sort


def show_list(listing: Listing, query: str, *, nothing: Callable[[], None]) -> None:
    """Draw the table of what `query` finds, or `nothing()` where it finds nothing. Raises QueryError."""
    apply_remembered_columns(listing.key, listing.columns)
    sort = listing.sort()
    page = max(1, int(requested) if (requested := state.param(state.PAGE, "1")).isdecimal() else 1)
    rows = listing.read(query, sort, PAGE_ROWS, (page - 1) * PAGE_ROWS)
    pages = max(1, -(-rows.matching // PAGE_ROWS))
    if rows.matching == 0:
        nothing()
        return
    if page > pages:
        page = pages
        rows = listing.read(query, sort, PAGE_ROWS, (page - 1) * PAGE_ROWS)
    picked = current_selection(query) if listing.actions is not None else Selection(query)
    _show_head(listing, rows, sort, page, picked)
    _show_table(listing, rows.frame, sort, picked, view=f"{query} {sort} {page} {state.param(state.COLUMNS)}")
    if pages > 1:
        with st.container(horizontal=True, horizontal_alignment="center"):
            st.pagination(
                pages, key=state.bound(f"{listing.key}-page", page), on_change=_on_page_chosen, args=(listing.key,)
            )


def count_line(noun: LiteralString, rows: Rows, page: int) -> LiteralString:
    """Return N of M, and which of them are on this page."""
    first, last = (page - 1) * PAGE_ROWS + 1, (page - 1) * PAGE_ROWS + len(rows.frame)
    visible = "" if rows.matching <= PAGE_ROWS else f", {first:,} to {last:,} on this page"
    if rows.matching == rows.total:
        return f"**{rows.total:,}** {noun}{visible}"
    return f"**{rows.matching:,}** of {rows.total:,} {noun}{visible}"


def selection_line(noun: LiteralString, count: int, matching: int) -> LiteralString:
    """Return how many are picked of how many that the query finds."""
    return f"**{count:,} selected** of {matching:,} {noun}"


def _show_head(listing: Listing, rows: Rows, sort: str, page: int, picked: Selection) -> None:
    """Draw the count and the order; in their place, so that nothing moves, what can be done with what is picked."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"{listing.key}-head", gap="small"):
        if listing.actions is not None and picked:
            _show_selection(listing, rows, picked)
            listing.actions(picked, rows.matching)
            return
        with st.container(width="stretch"):
            render.sentence(count_line(listing.noun, rows, page))
        if listing.actions is not None:
            _show_select_all(listing, rows, Selection(picked.query))
        if listing.export is not None:
            listing.export(Selection(picked.query, is_all=True), rows.matching)
        show_column_choice(listing.key, listing.columns, listing.usual)
        sorts = listing.sorts()
        st.selectbox(
            "Sort",
            list(sorts),
            format_func=sorts.__getitem__,
            key=state.bound(f"{listing.key}-sort", sort),
            on_change=_on_sort_chosen,
            args=(listing.key,),
            label_visibility="collapsed",
            width=280,
            help="Clicking a column header sorts too; a second click reverses the order.",
        )


def _show_selection(listing: Listing, rows: Rows, picked: Selection) -> None:
    with st.container(width="stretch", horizontal=True, vertical_alignment="center", gap="small"):
        render.sentence(selection_line(listing.noun, picked.count(rows.matching), rows.matching))
        if not picked.is_all and len(picked.ids) < rows.matching:
            _show_select_all(listing, rows, picked)
        st.button(
            "Clear selection",
            key=f"{listing.key}-select-none",
            type="tertiary",
            icon=":material/close:",
            on_click=set_selection,
            args=(Selection(picked.query),),
            help="Select nothing",
        )


def _show_select_all(listing: Listing, rows: Rows, picked: Selection) -> None:
    st.button(
        f"Select all {rows.matching:,}",
        key=f"{listing.key}-select-all",
        type="tertiary",
        icon=":material/done_all:",
        on_click=set_selection,
        args=(Selection(picked.query, is_all=True),),
        help="Select everything that matches, on all pages, to export, queue, review or delete it",
    )


def _show_table(listing: Listing, frame: pd.DataFrame, sort: str, picked: Selection, *, view: str) -> None:
    # A new key for each view, so that a table never keeps the widths of another; and after each click, which is an
    # event and no state: the same row opens again after Back.
    turn = session_keys.turn(listing.key)
    key = f"{listing.key}-table-{turn}-{crc32(view.encode()):08x}"
    visible = columns_to_show(listing, frame)
    ids = list(frame["id"]) if listing.actions is not None else []
    if listing.actions is not None:
        state.bound(key, {"selection": {"rows": picked.rows(ids), "columns": [], "cells": []}})
    columns = fit_widths(_with_arrow(listing, sort), visible, listing.flexible)
    st.dataframe(
        with_short_names(frame, [name for name in listing.names if name in visible], columns),
        hide_index=True,
        key=key,
        on_select=partial(_on_table_clicked, listing, frame, key, sort, picked),
        selection_mode=[
            "single-row" if listing.actions is None else "multi-row",
            "single-cell",
            "single-column",
        ],
        column_config=columns,
        column_order=visible,
        height="content",
        placeholder="–",
        alt=f"The {listing.noun} that the query finds",
    )


def with_short_names(frame: pd.DataFrame, names: Sequence[str], columns: Mapping[str, Any]) -> pd.DataFrame:
    """Return the rows with the texts of these columns shortened to the widths of `columns`, still distinguishable."""
    short = {name: shorten_names(list(frame[name]), characters_in(columns[name]["width"])) for name in names}
    return frame.assign(**short)


def columns_to_show(listing: Listing, frame: pd.DataFrame) -> list[str]:
    """Return the columns that a reader chose; else the usual ones that have something to say on this page, and fit: one
    that is empty all the way down only takes room. What the list is sorted by is shown in any case, and what the query
    speaks of, beside the first column: so that a narrow window shows it too."""
    selected = chosen_columns(listing.key, listing.columns)
    if selected is not None:
        return selected
    sort = listing.sort()
    sorted_by = {
        column
        for column, order in listing.orders.items()
        if order.field == sort.removeprefix("-") and (column in listing.usual or sort != listing.default_sort)
    }
    fields = fields_in(state.param(state.QUERY))
    spoken_of = [column for column in listing.columns if listing.fields.get(column) in fields]
    first, *others = listing.columns
    ordered = [first, *(c for c in spoken_of if c != first), *(c for c in others if c not in spoken_of)]
    requested = sorted_by.union(spoken_of)
    visible = columns_with_values(frame, [c for c in ordered if c in listing.usual or c in requested], requested)
    return columns_that_fit(
        visible, listing.columns, listing.flexible, [c for c in listing.dispensable if c not in requested]
    )


def fields_in(query: str) -> set[str]:
    """Return the names before an operator in a query. Words in quotes may look like one; a column more does no harm."""
    return set(_FIELD.findall(query))


def _with_arrow(listing: Listing, sort: str) -> dict[str, Any]:
    visible = dict(listing.columns)
    for column, order in listing.orders.items():
        if column in visible and sort.removeprefix("-") == order.field:
            arrow = "↓" if sort.startswith("-") else "↑"
            visible[column] = {**visible[column], "label": f"{visible[column]['label']} {arrow}"}
    return visible


def _on_table_clicked(listing: Listing, frame: pd.DataFrame, key: str, sort: str, picked: Selection) -> None:
    clicked = st.session_state[key]["selection"]
    if listing.actions is not None and not clicked["columns"] and not clicked["cells"]:
        set_selection(picked.with_page(list(frame["id"]), clicked["rows"]))
        return
    session_keys.next_turn(listing.key)
    if clicked["columns"]:
        order = listing.orders.get(clicked["columns"][0])
        if order is not None:
            state.write(sort=toggled_sort(sort, order.field), page=None)
        return
    rows = [row for row, _ in clicked["cells"]] or clicked["rows"]
    if rows:
        listing.open(frame.iloc[rows[0]])


def _on_page_chosen(key: str) -> None:
    state.write(page=str(st.session_state[f"{key}-page"]))


def _on_sort_chosen(key: str) -> None:
    state.write(sort=st.session_state[f"{key}-sort"], page=None)


def toggled_sort(sort: str, field: str) -> str:
    """Return the sort after a click on the header of `field`: the most first, then the other way round."""
    return field if sort == f"-{field}" else f"-{field}"
