"""The suggestions below the search bar, by keyboard and by mouse."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import settle
from trace_store.importing.files import import_paths
from trace_store.store import Store

RUNS = """[
    {"run_id": "one", "final_response": "x", "proxy_calls": [{"tool_name": "get_order", "source": "odyssey"}]},
    {"run_id": "two", "final_response": "y", "proxy_calls": [{"tool_name": "get <b>😀", "source": "odyssey"}]}
]"""


@pytest.fixture(scope="module")
def address(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The app over a store with two runs, each with a tool of its own."""
    folder: Path = tmp_path_factory.mktemp("completion")
    (folder / "runs.json").write_text(RUNS, encoding="utf-8")
    url = f"sqlite:///{folder / 'traces.db'}"
    with Store.open(url) as store:
        import_paths(store, [folder / "runs.json"])
    return serve(store=url)


@pytest.fixture
def query(page: Page, address: str) -> Locator:
    """The field of the search bar, focused by its key."""
    page.goto(address)
    field = page.get_by_role("combobox", name="Query", exact=True)
    expect(field).to_have_attribute("aria-expanded", "false")
    settle(page)
    page.keyboard.press("/")
    expect(field).to_be_focused()
    return field


def options(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def test_a_query_is_written_with_the_keyboard_from_suggestions(page: Page, query: Locator) -> None:
    page.keyboard.type("act")
    expect(options(page)).to_have_count(2)  # the answers to "a" and "ac" are longer
    expect(options(page)).to_contain_text(["actor:", "actor_status:"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen = options(page).nth(1)
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(query).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "")
    page.keyboard.press("Enter")
    expect(query).to_have_value("actor_status:")
    expect(options(page)).to_contain_text(["declared", "undeclared"])
    page.keyboard.type("una")
    expect(options(page)).to_have_count(1)
    page.keyboard.press("Tab")
    expect(query).to_have_value("actor_status:unattributed")
    expect(query).to_be_focused()
    # Values that the store has; a text out of a run is text, whatever its characters.
    page.keyboard.type(" tool:get")
    expect(options(page)).to_have_text(['"get <b>😀"', "get_order"])
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(query).to_have_value("actor_status:unattributed tool:get_order")
    expect(query).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 2 runs")).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=actor_status%3Aunattributed\+tool%3Aget_order"))


def test_escape_closes_the_list_and_enter_applies_what_is_typed(page: Page, query: Locator) -> None:
    page.keyboard.type("tool:get_order re")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(query).to_have_attribute("aria-expanded", "false")
    expect(query).to_have_value("tool:get_order re")
    for _ in range(3):
        page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 2 runs")).to_be_visible()
    expect(query).to_have_attribute("aria-expanded", "false")


def test_a_click_takes_a_suggestion_and_replaces_what_is_typed_around_the_cursor(page: Page, query: Locator) -> None:
    query.click()  # nothing lies over the field
    page.keyboard.type("😀 outc tool:x")
    for _ in " tool:x":
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    options(page).filter(has_text="outcome:").click()
    expect(query).to_have_value("😀 outcome: tool:x")
    expect(query).to_be_focused()
    expect(options(page).first).to_have_text("ok")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_open_list_has_no_accessibility_violations(page: Page, query: Locator, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.keyboard.type("outcome:")
    page.keyboard.press("ArrowDown")
    expect(options(page).first).to_have_attribute("aria-selected", "true")
    results = Axe().run(page, context=".query-completion")
    assert results.violations_count == 0, results.generate_report()
