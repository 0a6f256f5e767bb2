"""What the pages say of themselves: each in its first line, in the navigation and in the browser's tab."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import keys, render
from tests.app.conftest import OpenPage
from trace_store.store import Store

PAGES = [Path(path).stem for path in keys.PAGES.values()]


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("page", [page for page in PAGES if page != "run"])
def test_a_page_says_first_what_it_answers(page: str, open_page: OpenPage) -> None:
    at = open_page(page)
    assert [header.value for header in at.header] == [page.capitalize()]
    purpose = at.caption[0].value
    assert 20 < len(purpose) < 100
    assert purpose.endswith((".", "?"))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_so_too_where_there_is_nothing_yet(page: str, open_page: OpenPage) -> None:
    at = open_page(page)
    assert [header.value for header in at.header][:1] == [page.capitalize()]
    assert at.caption[0].value.endswith((".", "?"))


def test_the_run_page_says_which_run_it_is_and_what_it_is_read_for(filled: Store, open_page: OpenPage) -> None:
    at = open_page("run", run="run_good")
    assert "run_good" in [text.value for text in at.text]


@pytest.mark.parametrize(
    ("page", "run_id", "title"),
    [
        ("Runs", "", "Runs · Trace Inspector"),
        ("Run", "run_81", "run_81 · Run · Trace Inspector"),
        ("Run", "a\nb\u202e", "a␊b\ufffd · Run · Trace Inspector"),
        ("Run", "x" * 100, f"{'x' * 30}…{'x' * 29} · Run · Trace Inspector"),
    ],
)
def test_the_tab_names_the_page_and_the_run(page: str, run_id: str, title: str) -> None:
    assert render.tab_title(page, run_id) == title
