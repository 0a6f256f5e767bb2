"""Columns of tables: words of the glossary in their colours, and which columns are worth their room."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from app.glossary import Term

ROOM_PX = 915
"""Of a list beside the sidebar on a screen of 1280 pixels, without its column of check marks."""
LEAST_PX, LEGIBLE_PX = 150, 90
"""Of a flexible column: what dispensable ones give way for, and what it gets in any case."""


def words(label: str, terms: Mapping[Any, Term], *, width: int | None = None, help: str | None = None) -> Any:
    """A column of coloured words; its cells are lists of words. The explanation lists what each word means."""
    unique = list({term.word: term for term in terms.values()}.values())
    return st.column_config.MultiselectColumn(
        label,
        width=width,
        options=[term.word for term in unique],
        color=[term.colour for term in unique],
        help=help or "  \n".join(f"**{term.word}**: {term.meaning}" for term in unique),
    )


def telling(frame: pd.DataFrame, columns: Iterable[str], wanted: Collection[str] = ()) -> list[str]:
    """The columns that say something in at least one row, and those that are wanted anyway: one that is empty all the
    way down only takes room from the others."""
    return [column for column in columns if column in wanted or any(map(_says, frame[column]))]


def roomy(
    shown: Sequence[str], columns: Mapping[str, Any], flexible: Collection[str], dispensable: Sequence[str]
) -> list[str]:
    """The shown columns without as many of the dispensable ones as it takes to leave the flexible ones room. The
    table's own menu brings them back."""
    kept = list(shown)
    for column in dispensable:
        if _taken(columns, kept, flexible) + LEAST_PX * len(flexible) <= ROOM_PX:
            break
        if column in kept:
            kept.remove(column)
    return kept


def _taken(columns: Mapping[str, Any], shown: Sequence[str], flexible: Collection[str]) -> int:
    return sum(columns[column]["width"] for column in shown if column not in flexible)


def fitted(
    columns: Mapping[str, Any], shown: Sequence[str], flexible: Mapping[str, int], room: int = ROOM_PX
) -> dict[str, Any]:
    """The shown columns, the flexible ones as wide as the others leave them room at 1280 pixels, in these shares. On a
    wider screen all of them grow. `room` is that of the table, in pixels."""
    taken = _taken(columns, shown, flexible)
    shares = sum(share for column, share in flexible.items() if column in shown)
    fit = dict(columns)
    for column in flexible:
        if column in shown:
            width = max(LEGIBLE_PX, (room - taken) * flexible[column] // shares)
            fit[column] = {**columns[column], "width": width}
    return fit


def _says(value: Any) -> bool:
    return len(value) > 0 if isinstance(value, str | list) else bool(pd.notna(value))
