"""The keys: each presses what the table says, none while one types, and `?` shows them all."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from app import keys
from tests.browser.every_page import SAMPLES, Visit, visit
from tests.browser.steps import settle

A_RUN = Visit("run?run=support-claimed-refund&q=tool%3A*&step=messages%5B1%5D", "support-claimed-refund")


def targets(page: str) -> list[str]:
    """What the keys of a page stand for, as Playwright's selectors, which look into components by themselves."""
    return [
        key.target.split(" || ")[0].replace(" >> ", " ") for key in keys.of_page(page) if key.act in ("press", "focus")
    ]


@pytest.mark.parametrize(
    ("title", "where"),
    [
        ("Run", A_RUN),
        ("Runs", SAMPLES["runs"]),
        ("Calls", SAMPLES["calls"]),
        ("Failures", SAMPLES["failures"]),
        ("Actors", SAMPLES["actors"]),
        ("Compare", SAMPLES["compare-runs"]),
        ("Review", SAMPLES["review"]),
        ("Judge", SAMPLES["judge"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_key_stands_for_something_in_sight(page: Page, samples: str, title: str, where: Visit) -> None:
    visit(page, samples, where)
    for target in targets(title):
        expect(page.locator(target).first, target).to_be_attached()


def test_keys_turn_the_panels_and_find_in_the_run(page: Page, samples: str) -> None:
    visit(page, samples, A_RUN)
    for place, panel in ((2, "calls"), (3, "actors")):
        page.keyboard.press(str(place))
        expect(page).to_have_url(re.compile(f"panel={panel}"))
        settle(page)
    page.keyboard.press("1")
    expect(page).not_to_have_url(re.compile("panel="))
    find = page.get_by_placeholder("Find in run")
    expect(find).to_be_visible()
    page.keyboard.press("t")
    expect(find).to_be_focused()
    page.keyboard.type("t2?")
    expect(find).to_have_value("t2?")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_keys_go_to_pages_and_the_query_goes_along(page: Page, samples: str) -> None:
    visit(page, samples, SAMPLES["runs"])
    query = page.locator(".st-key-query-text input")
    page.keyboard.press("/")
    expect(query).to_be_focused()
    page.keyboard.type("tool:get_order")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("q=tool%3Aget_order"))
    settle(page)
    query.blur()
    for letter, path in (("c", "/calls"), ("f", "/failures"), ("r", "/")):
        page.keyboard.press("g")
        page.keyboard.press(letter)
        expect(page).to_have_url(re.compile(rf"{path}\?q=tool%3Aget_order$"))
        expect(query).to_have_value("tool:get_order")
        settle(page)


def test_the_sidebar_folds(page: Page, samples: str) -> None:
    visit(page, samples, SAMPLES["calls"])
    facet = page.get_by_test_id("stSidebar").get_by_text("Outcome", exact=True)
    expect(facet).to_be_in_viewport()
    page.keyboard.press("[")
    expect(facet).not_to_be_in_viewport()
    page.keyboard.press("[")
    expect(facet).to_be_in_viewport()


def test_the_list_of_keys_keeps_the_focus_and_gives_it_back(page: Page, samples: str) -> None:
    visit(page, samples, SAMPLES["calls"])
    opener = page.get_by_role("button", name="Keys")
    opener.focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    for key in keys.of_page("Calls"):
        expect(dialog).to_contain_text(key.does)
    expect(dialog).not_to_contain_text("Verdict")
    for _ in range(5):
        page.keyboard.press("Tab")
        assert not opener.evaluate("element => element.matches(':focus')")
    page.keyboard.press("/")
    expect(page.locator(".st-key-query-text input")).not_to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()


def test_keys_can_be_switched_off_in_a_browser(page: Page, samples: str) -> None:
    visit(page, samples, SAMPLES["calls"])
    page.keyboard.press("?")
    page.get_by_label("Keys work in this browser").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    expect(page.get_by_role("button", name="Keys")).to_be_visible()
    settle(page)
    page.keyboard.press("/")
    expect(page.locator(".st-key-query-text input")).not_to_be_focused()
    page.keyboard.press("?")
    page.get_by_label("Keys work in this browser").check()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator(".st-key-query-text input")).to_be_focused()
