"""How much a page may hold: Streamlit slows down with every element, so that no page has more than a hundred."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Serve
from tests.browser.every_page import CORPUS, SAMPLES, Visit, visit
from trace_store import Store, import_paths

MOST_ELEMENTS = 100
REAL = "tests/evidence/transcripts/tau-airline.jsonl"


def over(serve: Serve, folder: pytest.TempPathFactory, source: str) -> str:
    """The app over a store with the runs of `source`."""
    url = f"sqlite:///{folder.mktemp('store') / 'traces.db'}"
    with Store.open(url) as store:
        import_paths(store, [source])
    return serve(store=url)


@pytest.fixture(scope="module")
def corpus(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    return over(serve, tmp_path_factory, REAL)


def elements(page: Page) -> int:
    return page.get_by_test_id("stElementContainer").count()


@pytest.mark.parametrize("where", SAMPLES.values(), ids=SAMPLES)
def test_no_page_of_the_samples_is_over_the_budget(page: Page, samples: str, where: Visit) -> None:
    visit(page, samples, where)
    assert 3 < elements(page) <= MOST_ELEMENTS


@pytest.mark.parametrize("where", CORPUS.values(), ids=CORPUS)
def test_no_page_of_real_runs_is_over_the_budget(page: Page, corpus: str, where: Visit) -> None:
    visit(page, corpus, where)
    assert 3 < elements(page) <= MOST_ELEMENTS
