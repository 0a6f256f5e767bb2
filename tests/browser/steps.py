"""What a person does on a page, in steps that wait until the page is ready for them."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

HEADER_PX, ROW_PX = 34, 31
"""Of a table, which is a canvas: its cells can only be clicked by where they lie."""

_AT_REST = """element => new Promise(resolve => {
    let before = "", same = 0;
    const look = () => {
        const box = element.getBoundingClientRect();
        const now = [box.x, box.y, box.width, box.height].join();
        same = now === before ? same + 1 : 0;
        before = now;
        same < 6 ? requestAnimationFrame(look) : resolve(true);
    };
    look();
})"""

_IN_SIGHT = """(element, inside) => {
    const main = document.querySelector("[data-testid=stMain]");
    const y = element.getBoundingClientRect().top + inside;
    if (y < 80 || y > window.innerHeight - 20) main.scrollBy(0, y - window.innerHeight / 2);
    return element.getBoundingClientRect().top;
}"""
"""Scrolls only where the place is out of sight or under the bar at the top; the top of the table after that."""


def settle(page: Page) -> None:
    """Waits until the script of the page has run to its end."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def table(page: Page, key: str = "") -> Locator:
    """The first table of the page, or of the element that the app gave a key beginning with `key`."""
    within = page.locator(f"[class*=st-key-{key}]") if key else page
    return within.get_by_test_id("stDataFrame").first


def click_cell(page: Page, row: int, x: float = 60, key: str = "") -> None:
    """Clicks into a table, `x` pixels from its left; row -1 is the header. It waits until the table lies still."""
    settle(page)
    found = table(page, key)
    found.locator("canvas").first.wait_for()
    found.evaluate(_AT_REST)
    inside = HEADER_PX / 2 if row < 0 else HEADER_PX + ROW_PX * row + ROW_PX / 2
    top = found.evaluate(_IN_SIGHT, inside)
    box = found.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + x, top + inside)
