"""What a browser remembers comes back in a new session of it, and in no other browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.browser.steps import settle, until

BLOCKED = (
    "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('blocked', 'SecurityError'); }})"
)


@pytest.fixture(scope="module")
def address(serve: Serve) -> str:
    return serve("tests/browser/browser_storage_page.py")


@pytest.fixture
def other_page(browser: Browser) -> Iterator[Page]:
    """A page in another browser, whose storage is its own."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def write_name(page: Page, name: str) -> None:
    settle(page)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Name").press("Enter")
    settle(page)


def test_a_value_comes_back_after_a_reload_and_only_in_this_browser(page: Page, other_page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_label("Name")).to_have_value("nobody")
    write_name(page, "Ada")
    until(page, "localStorage.getItem('trace-inspector.reviewer') === 'Ada'")
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("Ada")
    other_page.goto(address)
    settle(other_page)
    expect(other_page.get_by_label("Name")).to_have_value("nobody")


def test_a_browser_that_keeps_nothing_still_works(page: Page, address: str) -> None:
    page.add_init_script(BLOCKED)
    page.goto(address)
    expect(page.get_by_label("Name")).to_have_value("nobody")
    write_name(page, "Grace")
    expect(page.get_by_label("Name")).to_have_value("Grace")
    expect(page.get_by_test_id("stException")).to_have_count(0)
