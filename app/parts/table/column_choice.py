"""Which columns a list shows, and in what order: a reader's choice, kept in the browser and told in the address.

The address is the truth, so that a link shows what its sender saw. What the browser remembers is only brought there
when the reader comes to the page without a word on columns: at the start, or from another page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from app import render, state
from app.components import browser_storage
from app.components.browser_storage import Name

DEFAULT = "default"
"""In the address: the list as it comes, whatever the browser remembers."""


def chosen(key: str, columns: Iterable[str]) -> list[str] | None:
    """The columns that the address asks for, in its order; null for the list as it comes."""
    known = set(columns)
    asked = dict.fromkeys(name for name in state.param(state.COLUMNS).split(",") if name in known)
    return list(asked) or None


def bring(key: str, columns: Iterable[str]) -> None:
    """Takes the remembered choice into the address, once a visit of the page."""
    visit = st.session_state.get(state.VISIT, 0)
    remembered = browser_storage.recall(_name(key))
    if not remembered or st.session_state.get(f"{key}-columns-brought") == visit:
        return
    st.session_state[f"{key}-columns-brought"] = visit
    if visit and not state.param(state.COLUMNS) and set(remembered.split(",")) <= set(columns):
        state.write(cols=remembered)


def show(key: str, columns: Mapping[str, Any], default: Sequence[str]) -> None:
    """The choice: names in the order of the table."""
    shown = chosen(key, columns)
    with st.popover("Columns", icon=":material/view_column:", type="tertiary", key=f"{key}-columns-popover"):
        render.note("They stand in the order in which they are named here. This browser remembers the choice.")
        st.multiselect(
            "Columns of the table",
            list(columns),
            format_func=lambda name: str(columns[name]["label"]),
            key=state.bound(f"{key}-columns", shown or list(default)),
            on_change=_chosen,
            args=(key, tuple(default)),
            placeholder="The usual ones",
            help="Take a name away and choose it again to put it last. Columns of the usual choice that say nothing "
            "on this page are left out; what you choose yourself always shows.",
        )
        st.button(
            "The usual columns",
            key=f"{key}-columns-default",
            on_click=_choose,
            args=(key, None),
            disabled=shown is None,
            help="Forget the choice",
        )


def _chosen(key: str, default: tuple[str, ...]) -> None:
    names = tuple(st.session_state[f"{key}-columns"])
    _choose(key, None if names in ((), default) else ",".join(names))


def _choose(key: str, names: str | None) -> None:
    browser_storage.keep(_name(key), names or "")
    state.write(cols=names)


def _name(key: str) -> Name:
    return _NAMES[key]


_NAMES: dict[str, Name] = {"runs": "runs-columns", "calls": "calls-columns"}
