"""Every page, light and dark, by the rules of axe: nothing on it is seriously out of reach for anyone."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import FAULTS, Serve
from tests.browser.every_page import SAMPLES, Visit, rest, visit

SCHEMES: dict[Literal["light", "dark"], str] = {"light": "", "dark": "color-contrast"}
"""The colour schemes, each with the one rule to check in it; all rules where none is named."""
OUT_OF_REACH = {
    # Text blocks of a fixed height scroll. Chromium and Firefox let the keyboard into every scroller by themselves,
    # which the rule does not know, and the block is Streamlit's own.
    ("scrollable-region-focusable", "[data-testid=stCode]"),
}
"""What Streamlit draws and lets nobody change: a rule, and where it does not hold."""


def serious(page: Page, rule: str = "") -> list[str]:
    """The serious and critical violations on the page as it is; of one rule alone where it is named."""
    options = {"runOnly": {"type": "rule", "values": [rule]}} if rule else None
    violations = Axe().run(page, options=options).response["violations"]
    return [
        f"{violation['id']}: {node['target']}: {node['html'][:200]}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
        if not is_out_of_reach(page, violation["id"], node)
    ]


def is_out_of_reach(page: Page, rule: str, node: dict[str, Any]) -> bool:
    """Whether the rule is not ours to keep there. A target in a component is a list of its own: never excused."""
    target = node["target"][0]
    return isinstance(target, str) and any(
        rule == excused and page.locator(target).evaluate("(node, place) => node.closest(place) !== null", place)
        for excused, place in OUT_OF_REACH
    )


def assert_within_reach(page: Page) -> None:
    # What a colour scheme can change is contrast: the other rules need to hold once.
    for scheme, rule in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
        rest(page)
        if serious(page, rule):
            rest(page)  # a page that runs once more, as after it has heard from the browser, is pale for a moment
            assert serious(page, rule) == []


@pytest.mark.parametrize("where", SAMPLES.values(), ids=SAMPLES)
def test_every_page_is_within_reach_and_reports_no_error(
    page: Page, reports: list[str], samples: str, where: Visit
) -> None:
    visit(page, samples, where)
    assert_within_reach(page)
    assert reports == []
    expect(page.locator(FAULTS)).to_have_count(0)
    toolbars = page.get_by_test_id("stDataFrame").get_by_test_id("stElementToolbar")
    assert not any(toolbar.is_visible() for toolbar in toolbars.all())


def test_the_list_of_keys_is_within_reach(page: Page, samples: str) -> None:
    visit(page, samples, SAMPLES["run"])
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert_within_reach(page)


def test_the_empty_store_is_within_reach(page: Page, serve: Serve) -> None:
    visit(page, serve(), Visit("", "No runs yet"))
    assert_within_reach(page)
