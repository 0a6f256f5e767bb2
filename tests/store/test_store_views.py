"""Saved views: kept, replaced and let go by their names."""

from __future__ import annotations

import pytest

from trace_store.errors import NotFoundError
from trace_store.store import LONGEST_VIEW_NAME, SavedView, Store

PARAMETERS = {"q": 'tool:"a b" "é\u202e"', "panel": "calls", "step": "calls[3]"}


def test_a_view_comes_back_as_it_was_saved(store: Store) -> None:
    store.views.save(SavedView("Night shift", "run", PARAMETERS, saved_by="Ada"))
    (view,) = store.views.all()
    assert (view.name, view.page, view.parameters, view.saved_by) == ("Night shift", "run", PARAMETERS, "Ada")
    assert view.saved_at is not None and view.saved_at.endswith("Z")


def test_a_view_of_the_same_name_takes_its_place(store: Store) -> None:
    store.views.save(SavedView("mine", "runs", {"q": "view:thin"}, saved_by="Ada"))
    store.views.save(SavedView("mine", "calls", {}, saved_by=None))
    (view,) = store.views.all()
    assert (view.page, view.parameters, view.saved_by) == ("calls", {}, None)


def test_views_are_listed_by_name_whatever_their_capitals(store: Store) -> None:
    for name in ("beta", "Alpha", "alpha", "Gamma"):
        store.views.save(SavedView(name, "runs"))
    assert [view.name for view in store.views.all()] == ["Alpha", "alpha", "beta", "Gamma"]


def test_a_view_is_let_go_by_its_exact_name(store: Store) -> None:
    store.views.save(SavedView("mine", "runs"))
    with pytest.raises(NotFoundError, match="Mine"):
        store.views.delete("Mine")
    store.views.delete("mine")
    assert store.views.all() == []


def test_saving_a_view_changes_the_revision(store: Store) -> None:
    before = store.revision()
    store.views.save(SavedView("mine", "runs"))
    assert store.revision() != before


@pytest.mark.parametrize("name", ["", "  ", "x" * (LONGEST_VIEW_NAME + 1)])
def test_a_name_says_something_and_is_no_essay(name: str) -> None:
    with pytest.raises(ValueError, match="1 to 80 characters"):
        SavedView(name, "runs")
