"""What a browser stores for its reader: a name, a choice of columns, a way of reading, drafts of reviews.

The frame mounts it once. The browser's values arrive with the second run of a session, and each value that is stored
later goes out with the next run of the page. Where the browser's storage is blocked, values last for the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import time_ns
from typing import Literal, TypeAlias, get_args

import streamlit as st

from app.components.frontend import read_files

Name: TypeAlias = Literal["reviewer", "runs-columns", "calls-columns", "reading", "review-drafts"]
"""Everything that is stored; a browser has no say in this."""

LONGEST = 20_000
"""Characters of a value; longer ones are neither stored nor read."""

_KEY, _COMPONENT, _SESSION = "browser-storage", "browser-storage-component", "browser-storage-values"

_component = st.components.v2.component("trace_browser_storage", js=read_files("browser_storage/browser_storage.js"))


@dataclass(slots=True)
class _Values:
    """The values of a session, those to store in the browser, since when, and whether the browser has sent its own."""

    current: dict[str, str] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)
    turn: str = ""
    is_loaded: bool = False


def mount() -> None:
    """Load the browser's values into the session and send it new ones. Invisible; called once a run of the page."""
    values = _values()
    with st.container(key=_KEY):
        _component(
            data={
                "names": list(get_args(Name)),
                "changed": values.changed,
                "turn": values.turn,
                "is_loaded": values.is_loaded,
            },
            key=_COMPONENT,
            height=1,
            on_values_change=_load,
        )


def get(name: Name, default: str = "") -> str:
    """Return the value of `name`. It came from a browser: any text of at most LONGEST characters."""
    return _values().current.get(name, default)


def put(name: Name, value: str) -> None:
    """Store `value`; "" deletes. Call it in a callback, so that the run that follows sends it to the browser."""
    values = _values()
    if values.current.get(name, "") == value or len(value) > LONGEST:
        return
    values.current[name] = values.changed[name] = value
    values.turn = str(time_ns())


def validate(values: object) -> dict[str, str]:
    """Return what is valid in the values that a browser sent: known names with texts of a bounded length."""
    if not isinstance(values, Mapping):
        return {}
    return {
        name: value
        for name in get_args(Name)
        if isinstance(value := values.get(name), str) and 0 < len(value) <= LONGEST
    }


def _load() -> None:
    values = _values()
    values.is_loaded = True
    # What the session has stored since is newer than the browser's.
    values.current = validate(st.session_state[_COMPONENT].get("values")) | values.current


def _values() -> _Values:
    values: _Values = st.session_state.setdefault(_SESSION, _Values())
    return values
