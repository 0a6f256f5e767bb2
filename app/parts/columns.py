"""Columns of tables: words of the glossary in their colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
