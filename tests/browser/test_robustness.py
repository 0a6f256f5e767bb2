"""What goes wrong stays small: no error on random walks, and a sentence where a part breaks. That no page reports an
error is checked where each is visited (`test_accessibility.py`)."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import FAULTS, Serve
from tests.browser.steps import settle

WALKS, STEPS = 50, 5


# Each at once: what is looked for first and used then may be gone.
_FIND = """([box], text) => {
    if (!box) return;
    box.value = text;
    box.dispatchEvent(new Event("input"));
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
}"""
_SCROLL = "(boxes, share) => boxes.forEach((box) => { box.scrollTop = share * box.scrollHeight; })"
_CLICK = "(all, share) => all[Math.floor(share * all.length)]?.click()"


def step(page: Page, random_: random.Random) -> str:
    """Does one thing that a reader may do on the Run page; returns what."""
    act = random_.randrange(8)
    if act <= 2:
        # Keys that save or leave the page are for other tests.
        key: str = random_.choice([*"jk123456tdi.,v", "Escape", "Shift+D", "j", "k"])
        page.keyboard.press(key)
        return key
    if act <= 4:
        page.locator("[data-part=scroll]").evaluate_all(_SCROLL, random_.random())
        return "scroll"
    if act == 5:
        text = random_.choice(["a", "order", "{", "zzz", ""])
        page.locator(".transcript [data-part=find]").evaluate_all(_FIND, text)
        return f"find {text}"
    buttons = page.locator(".transcript .item button, .findings button.title, .tree .actor")
    buttons.evaluate_all(_CLICK, random_.random())
    return "click"


def test_random_walks_over_runs_panels_and_keys_report_nothing(page: Page, reports: list[str], samples: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    for seed in range(WALKS):
        random_ = random.Random(seed)
        if seed % 10 == 0:  # the walks of a page go on from one another
            page.goto(f"{samples}/run?run={random_.choice(['support-claimed-refund', 'research-long-session'])}")
        settle(page)
        walked = []
        for _ in range(STEPS):
            walked.append(step(page, random_))
            assert reports == [], (seed, walked)
        settle(page)
        assert page.locator(FAULTS).count() == 0, (seed, walked)


def test_a_part_that_cannot_be_drawn_says_so_and_goes_on_with_the_next_run(page: Page, serve: Serve) -> None:
    address = serve("tests/browser/components_app.py")
    page.goto(f"{address}/?case=broken&next=card")
    broken = page.locator(".broken")
    expect(broken).to_contain_text("This part of the page could not be drawn.")
    assert not re.search(r"\bat\b.*\.js|TypeError|undefined", broken.inner_text())
    expect(page.get_by_text("BidiComponent Error")).to_have_count(0)
    broken.get_by_role("button", name="Try again").click()
    expect(broken).to_be_visible()
    page.get_by_role("button", name="Next run").click()
    expect(page.locator("article.item").first).to_be_visible()
    expect(page.locator(".broken")).to_have_count(0)


def test_a_part_that_breaks_while_it_is_used_says_so_and_can_be_drawn_anew(page: Page, serve: Serve) -> None:
    page.goto(f"{serve('tests/browser/components_app.py')}/?case=card")
    expect(page.locator("article.item").first).to_be_visible()
    settle(page)
    page.evaluate("() => { HTMLInputElement.prototype.select = () => { throw new Error('broken on purpose'); }; }")
    page.keyboard.press("/")
    broken = page.locator(".broken")
    expect(broken).to_contain_text("This part of the page could not be drawn.")
    broken.get_by_role("button", name="Try again").click()
    expect(page.locator("article.item").first).to_be_visible()
    expect(broken).to_have_count(0)


def test_a_page_that_fails_says_so_in_a_sentence(page: Page, serve: Serve) -> None:
    page.goto(f"{serve('tests/browser/failing_app.py')}/")
    expect(page.locator(".st-key-script-error")).to_contain_text("This page could not be drawn.")
    expect(page.get_by_text("secret detail")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)
