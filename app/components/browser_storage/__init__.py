"""What a browser remembers of its reader: a name, a choice of columns, a way of reading, drafts of reviews.

The frame mounts it once. What the browser kept arrives with the second run of a session, and whatever is kept later
goes out with the next run of the page. Where the browser's storage is blocked, the session remembers alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import time_ns
from typing import Literal, TypeAlias, get_args

import streamlit as st

from app.components.frontend import read_files

Name: TypeAlias = Literal["reviewer", "runs-columns", "calls-columns", "reading", "review-drafts"]
"""Everything that is kept; a browser has no say in this."""

LONGEST = 20_000
"""Characters of a value; a longer one is no value of ours."""

_KEY, _SESSION = "memory", "memory-of-session"

_component = st.components.v2.component("trace_browser_storage", js=read_files("browser_storage/browser_storage.js"))


@dataclass(slots=True)
class _Memory:
    """Of a session: what is known, what the browser is to keep and since when, and whether it has been heard."""

    known: dict[str, str] = field(default_factory=dict)
    keep: dict[str, str] = field(default_factory=dict)
    turn: str = ""
    is_heard: bool = False


def mount() -> None:
    """Brings the browser's values into the session and takes new ones there. Invisible; once a run of the page."""
    memory = _memory()
    with st.container(key=_KEY):
        _component(
            data={"names": list(get_args(Name)), "keep": memory.keep, "turn": memory.turn, "is_heard": memory.is_heard},
            key=f"{_KEY}-browser",
            height=1,
            on_recalled_change=_heard,
        )


def recall(name: Name, default: str = "") -> str:
    """What is remembered under `name`. It came from a browser: any text of at most LONGEST characters."""
    return _memory().known.get(name, default)


def keep(name: Name, value: str) -> None:
    """Remembers `value`; "" forgets. In a callback, so that the run that follows takes it to the browser."""
    memory = _memory()
    if memory.known.get(name, "") == value or len(value) > LONGEST:
        return
    memory.known[name] = memory.keep[name] = value
    memory.turn = str(time_ns())


def accepted(recalled: object) -> dict[str, str]:
    """What may be believed of a browser's answer: known names with texts of a bounded length."""
    if not isinstance(recalled, Mapping):
        return {}
    return {
        name: value
        for name in get_args(Name)
        if isinstance(value := recalled.get(name), str) and 0 < len(value) <= LONGEST
    }


def _heard() -> None:
    memory = _memory()
    memory.is_heard = True
    # What this session has said since is newer than what the browser had.
    memory.known = accepted(st.session_state[f"{_KEY}-browser"].get("recalled")) | memory.known


def _memory() -> _Memory:
    memory: _Memory = st.session_state.setdefault(_SESSION, _Memory())
    return memory
