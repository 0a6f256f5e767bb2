"""Columns of tables: coloured words, the columns that fit, and those that a reader chose.

The address says which columns are shown, so that a link shows what its sender saw. The choice that the browser
remembers goes into the address only when the reader comes to the page without one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from app import render, session_keys, state
from app.components import browser_storage
from app.components.browser_storage import Name
from app.glossary import Term

LIST_PX = 915
"""Of a list beside the sidebar on a screen of 1280 pixels, without its column of check marks."""
LEAST_PX, LEGIBLE_PX = 150, 90
"""Of a flexible column: what dispensable ones give way for, and what it gets in any case."""


def word_column(label: str, terms: Mapping[Any, Term], *, width: int | None = None, help: str | None = None) -> Any:
    """Return a column of coloured words; its cells are lists of words. The explanation lists what each word means."""
    unique = list({term.word: term for term in terms.values()}.values())
    return st.column_config.MultiselectColumn(
        label,
        width=width,
        options=[term.word for term in unique],
        color=[term.colour for term in unique],
        help=help or "  \n".join(f"**{term.word}**: {term.meaning}" for term in unique),
    )


def columns_with_values(frame: pd.DataFrame, columns: Iterable[str], wanted: Collection[str] = ()) -> list[str]:
    """Return the columns that say something in at least one row, and those that are wanted anyway: one that is empty
    all the way down only takes space from the others."""
    return [column for column in columns if column in wanted or any(map(_has_value, frame[column]))]


def columns_that_fit(
    visible: Sequence[str], columns: Mapping[str, Any], flexible: Collection[str], dispensable: Sequence[str]
) -> list[str]:
    """Return the shown columns without as many of the dispensable ones as it takes to leave the flexible ones room. The
    table's own menu brings them back."""
    remaining = list(visible)
    for column in dispensable:
        if _width(columns, remaining, flexible) + LEAST_PX * len(flexible) <= LIST_PX:
            break
        if column in remaining:
            remaining.remove(column)
    return remaining


def _width(columns: Mapping[str, Any], visible: Sequence[str], flexible: Collection[str]) -> int:
    return sum(columns[column]["width"] for column in visible if column not in flexible)


def fit_widths(
    columns: Mapping[str, Any], visible: Sequence[str], flexible: Mapping[str, int], table_px: int = LIST_PX
) -> dict[str, Any]:
    """Return the shown columns, the flexible ones as wide as the others leave them room at 1280 pixels, in these
    shares. On a wider screen all of them grow. `room` is that of the table, in pixels."""
    taken = _width(columns, visible, flexible)
    shares = sum(share for column, share in flexible.items() if column in visible)
    fit = dict(columns)
    for column in flexible:
        if column in visible:
            width = max(LEGIBLE_PX, (table_px - taken) * flexible[column] // shares)
            fit[column] = {**columns[column], "width": width}
    return fit


def _has_value(value: Any) -> bool:
    return len(value) > 0 if isinstance(value, str | list) else bool(pd.notna(value))


DEFAULT = "default"
"""In the address: the list as it comes, whatever the browser remembers."""


def chosen_columns(key: str, columns: Iterable[str]) -> list[str] | None:
    """Return the columns that the address asks for, in its order; null for the list as it comes."""
    allowed = set(columns)
    requested = dict.fromkeys(name for name in state.param(state.COLUMNS).split(",") if name in allowed)
    return list(requested) or None


def apply_remembered_columns(key: str, columns: Iterable[str]) -> None:
    """Take the remembered choice into the address, once a visit of the page."""
    visit = session_keys.get(session_keys.VISIT, int) or 0
    remembered = browser_storage.get(_storage_name(key))
    if not remembered or session_keys.get(f"{key}{session_keys.COLUMNS_BROUGHT}", int) == visit:
        return
    st.session_state[f"{key}{session_keys.COLUMNS_BROUGHT}"] = visit
    if visit and not state.param(state.COLUMNS) and set(remembered.split(",")) <= set(columns):
        state.write(cols=remembered)


def show_column_choice(key: str, columns: Mapping[str, Any], default: Sequence[str]) -> None:
    """Draw the choice: names in the order of the table."""
    visible = chosen_columns(key, columns)
    with st.popover("Columns", icon=":material/view_column:", type="tertiary", key=f"{key}-columns-popover"):
        render.note("The table shows them in this order. This browser remembers your choice.")
        st.multiselect(
            "Columns of the table",
            list(columns),
            format_func=lambda name: str(columns[name]["label"]),
            key=state.bound(f"{key}-columns", visible or list(default)),
            on_change=_on_columns_chosen,
            args=(key, tuple(default)),
            placeholder="The default columns",
            help="To move a column to the end, remove it and choose it again. Default columns that are empty on "
            "this page are left out; columns that you choose are always shown.",
        )
        st.button(
            "Default columns",
            key=f"{key}-columns-default",
            on_click=_set_columns,
            args=(key, None),
            disabled=visible is None,
            help="Forget your choice",
        )


def _on_columns_chosen(key: str, default: tuple[str, ...]) -> None:
    names = tuple(st.session_state[f"{key}-columns"])
    _set_columns(key, None if names in ((), default) else ",".join(names))


def _set_columns(key: str, names: str | None) -> None:
    browser_storage.put(_storage_name(key), names or "")
    state.write(cols=names)


def _storage_name(key: str) -> Name:
    return _STORAGE_NAMES[key]


_STORAGE_NAMES: dict[str, Name] = {"runs": "runs-columns", "calls": "calls-columns"}
