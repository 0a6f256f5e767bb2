"""The actor tree component in a real browser: words, figures, keys, size."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Serve

Open = Callable[..., None]


@pytest.fixture(scope="module")
def address(serve: Serve) -> str:
    return serve("tests/browser/components_app.py")


@pytest.fixture
def opened(page: Page, address: str) -> Open:
    def go(case: str, focus: str | None = None) -> None:
        page.goto(f"{address}/?case={case}" + (f"&focus={focus}" if focus else ""))
        expect(page.get_by_role("treeitem").first).to_be_visible()

    return go


def actor(page: Page, name: str) -> Locator:
    # A slash would end the pattern in the language of the browser.
    return page.get_by_role("treeitem", name=re.compile(f"^{re.escape(name)};".replace("/", r"\/")))


def test_each_status_has_its_word(opened: Open, page: Page) -> None:
    opened("small_tree")
    for name, words in {
        "supervisor": "declared",
        "refund_agnt": "undeclared, did you mean refund_agent?",
        "billing_agent": "declared, silent",
        "team": "structural",
        "worker": "unchecked",
        "bad//<b>label</b>": "malformed",
        "unattributed": "",
    }.items():
        expect(actor(page, name).locator(".status")).to_have_text(words)
    expect(page.locator('[data-part="summary"]')).to_have_text("6 actors · 1 undeclared · 1 malformed · 1 silent")


def test_figures_are_own_and_with_below(opened: Open, page: Page) -> None:
    opened("small_tree")
    expect(actor(page, "supervisor").locator(".figure")).to_have_text(["1", "7", "0", "3", "2.4 s"])
    expect(actor(page, "supervisor")).to_contain_text("lock_contention ×2, run_token_expired ×1")
    expect(actor(page, "refund_agent").locator(".list").last).to_have_text("get_order, issue_refund")
    expect(actor(page, "refund_agent")).to_have_attribute("title", "supervisor/refund_agent")


def test_hand_offs_say_whether_they_were_declared_and_seen(opened: Open, page: Page) -> None:
    opened("small_tree")
    expect(page.locator(".hand-off")).to_have_text(
        [
            "supervisor → refund_agentdeclared, observed ×2refund asked; again",
            "supervisor → billing_agentdeclared, never observed",
            "refund_agent → strangerobserved, not declared",
        ]
    )
    expect(page.locator('[data-part="edges-title"]')).to_have_text("starts at supervisor · 2 declared · 2 observed")


def test_a_click_reports_the_path_and_a_caret_only_folds(opened: Open, page: Page) -> None:
    opened("small_tree")
    actor(page, "supervisor").locator(".caret").click()
    expect(actor(page, "refund_agnt")).to_have_count(0)
    expect(actor(page, "supervisor")).to_contain_text("1 undeclared below")
    expect(page.get_by_text("chosen: None")).to_be_visible()
    actor(page, "supervisor").locator(".caret").click()
    actor(page, "refund_agnt").click()
    expect(page.get_by_text("chosen: 'supervisor/refund_agnt'")).to_be_visible()
    actor(page, "unattributed").click()
    expect(page.get_by_text("chosen: ''")).to_be_visible()


def test_the_tree_goes_by_arrow_keys(opened: Open, page: Page) -> None:
    opened("small_tree")
    tree = page.get_by_role("tree")
    tree.press("ArrowDown")
    tree.press("ArrowLeft")
    expect(tree).to_have_attribute("aria-activedescendant", "actor-0")
    tree.press("ArrowLeft")
    expect(actor(page, "supervisor")).to_have_attribute("aria-expanded", "false")
    tree.press("ArrowDown")
    expect(tree).to_have_attribute("aria-activedescendant", "actor-3")
    tree.press("Home")
    tree.press("ArrowRight")
    expect(actor(page, "supervisor")).to_have_attribute("aria-expanded", "true")
    tree.press("ArrowRight")
    tree.press("Enter")
    expect(page.get_by_text("chosen: 'supervisor/refund_agent'")).to_be_visible()
    expect(actor(page, "refund_agent")).to_have_attribute("aria-selected", "true")


def test_thousands_of_nodes_start_closed_and_stay_out_of_the_document(opened: Open, page: Page) -> None:
    opened("large_tree")
    expect(page.get_by_role("treeitem")).to_have_count(1)
    expect(actor(page, "root")).to_contain_text("1 undeclared below")
    page.get_by_role("button", name="Expand all").click()
    expect(actor(page, "worker_00_00")).to_be_visible()
    tree = page.get_by_role("tree")
    assert tree.evaluate("n => n.getRootNode().querySelectorAll('*').length") < 500
    tree.press("End")
    expect(actor(page, "worker_49_99")).to_be_in_viewport()
    expect(actor(page, "worker_49_99")).to_have_attribute("aria-setsize", "100")


def test_focus_opens_the_way_to_a_path(opened: Open, page: Page) -> None:
    opened("large_tree", focus="root/team_31/worker_31_07")
    expect(actor(page, "worker_31_07")).to_be_in_viewport()
    expect(actor(page, "worker_31_07")).to_have_attribute("aria-selected", "true")
    expect(actor(page, "team_30")).to_have_attribute("aria-expanded", "false")
