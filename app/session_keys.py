"""The names of what the app keeps in the session beside its widgets, and typed access to it.

What a link should bring back does not belong here but into the address (`app/state.py`); what a browser should remember
belongs into `browser_storage`.
"""

from __future__ import annotations

from typing import TypeVar

import streamlit as st

CARRIED_QUERY = "carried_query"
"""The query of the page that one came from."""
CURRENT_PAGE = "current_page"
"""The page that was drawn last."""
DESTINATION = "going"
"""Where a callback wants to go, until the page is reached: turn, path and parameters."""
VISIT = "visit"
"""How often a page was come to without a link that says all of it. 0: the link that began it."""
SELECTION = "selection"
"""The runs that are picked in the list."""

OPEN_RUN = "run-opened-last"
"""The id of the run that the Run page showed last."""
OPENED_RUNS = "runs-opened"
"""The ids of the runs that were opened before, the latest first."""

REVIEW_DRAFTS = "review-drafts"
"""The reviews that are not saved yet, by run id."""
DRAFTS_RECALLED = "review-drafts-recalled"
"""Whether the drafts that the browser kept have been read."""
SHOWN_DRAFT = "review-shown"
"""The draft that the page shows, with the id of its run."""
REVIEW_CONFLICT = "review-conflict"
"""Two reviews of one run, of which the reviewer has to choose one."""
MARKED_STEP = "review-decisive:"
"""With a run's id: the step that was marked as the decisive one in the transcript."""
REVIEW_REPORTS = "reviews-imported"
"""The reports of the files with reviews that were imported last."""

IMPORT_IS_OPEN = "import-open"
"""Whether the import panel is open."""
IMPORT_REPORT = "import-report"
"""The report of the last import."""
IMPORT_FAILURE = "import-failure"
"""Why the last import did not end."""

COLUMNS_BROUGHT = "-columns-brought"
"""After the key of a list: the visit in which the browser's columns were last brought into the address."""

VIEW_FAILURE = "view-failure"
"""Why a view could not be saved or deleted."""

OUTCOME = "outcome-"
"""With the place of an action: what became of it."""
TURN = "-turn"
"""After the key of a widget: a number that its key ends with, so that a new turn begins with a fresh widget."""

T = TypeVar("T")


def get(key: str, kind: type[T]) -> T | None:
    """Return what is kept under `key`, where it is of this type, else None."""
    value = st.session_state.get(key)
    return value if isinstance(value, kind) else None


def take(key: str, kind: type[T]) -> T | None:
    """Return what is kept under `key` as `get` does, and forget it."""
    value = get(key, kind)
    st.session_state.pop(key, None)
    return value


def turn(widget: str) -> int:
    """Return the turn of a widget that is emptied or closed by giving it another key."""
    return get(f"{widget}{TURN}", int) or 0


def next_turn(widget: str) -> None:
    """Begin a new turn: the widget that comes next is a fresh one."""
    st.session_state[f"{widget}{TURN}"] = turn(widget) + 1
