"""What a person does on a page, in steps that wait until the page is ready for them."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

TIMEOUT_MS = 20_000
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

_IDLE = """app => new Promise(resolve => {
    let idle = 0;
    const look = () => {
        idle = app.dataset.testScriptState === "notRunning" ? idle + 1 : 0;
        idle < 15 ? requestAnimationFrame(look) : resolve(true);
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
    """Waits until the script of the page has run to its end and no other run follows at once. What is clicked before
    that may be drawn anew under the pointer, and the click is nobody's."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    app.evaluate(_IDLE)


def until(page: Page, condition: str) -> None:
    """Waits until an expression of JavaScript holds on the page. Playwright's own way asks again by `eval`, which the
    policy of the app forbids."""
    page.evaluate(
        f"""() => new Promise((resolve, reject) => {{
            const deadline = performance.now() + {TIMEOUT_MS};
            const look = () => {{
                if ({condition}) resolve(true);
                else if (performance.now() > deadline) reject(new Error("it never held"));
                else requestAnimationFrame(look);
            }};
            look();
        }})"""
    )


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
