"""Columns of tables: words of the glossary in their colours, and which columns are worth their room."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from app.glossary import Term


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


def _says(value: Any) -> bool:
    return len(value) > 0 if isinstance(value, str | list) else bool(pd.notna(value))
