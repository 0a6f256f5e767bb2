"""How the components look: contrast in both themes, and room on narrow pages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve

CONTRASTS = """root => {
    const paint = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const rgb = color => {
        paint.fillStyle = color;
        paint.fillRect(0, 0, 1, 1);
        return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const light = color => {
        const [r, g, b] = rgb(color).map(v => linear(v / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const probe = root.appendChild(document.createElement("i"));
    const shown = name => {
        probe.style.color = `var(--${name})`;
        return getComputedStyle(probe).color;
    };
    const ratios = {};
    for (const tone of ["ink", "soft", "ok", "warn", "bad", "injected", "undeclared", "accent",
                        "json-key", "json-string", "json-number", "json-literal"])
        for (const ground of ["page", "panel"]) {
            const [low, high] = [light(shown(tone)), light(shown(ground))].sort((a, b) => a - b);
            ratios[`${tone} on ${ground}`] = high / low;
        }
    const dark = light(shown("page")) < 0.5;
    probe.remove();
    return {dark, ratios};
}"""
"""The contrast ratio (WCAG) of each colour on both grounds, and whether the page is dark."""


@pytest.fixture(scope="module")
def address(serve: Serve) -> str:
    return serve("tests/browser/components_app.py")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_of_meaning_have_enough_contrast(browser: Browser, address: str, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{address}/?case=card")
    expect(page.locator(".card").first).to_be_visible()
    found = page.locator(".transcript").evaluate(CONTRASTS)
    context.close()
    assert found["dark"] == (scheme == "dark")
    assert len(found["ratios"]) == 24
    assert {name: ratio for name, ratio in found["ratios"].items() if ratio < 4.5} == {}


@pytest.mark.parametrize(("width", "outline"), [(1280, True), (700, False)])
def test_the_outline_gives_way_on_a_narrow_page_and_nothing_scrolls_sideways(
    page: Page, address: str, width: int, outline: bool
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}/?case=card")
    expect(page.locator(".card").first).to_be_visible()
    expect(page.locator(".outline")).to_be_visible(visible=outline)
    assert (
        page.locator(".transcript, .scroll").evaluate_all("all => all.filter(n => n.scrollWidth > n.clientWidth)") == []
    )


@pytest.mark.parametrize(("width", "tools"), [(1280, True), (700, False)])
def test_the_tree_keeps_its_figures_on_a_narrow_page(page: Page, address: str, width: int, tools: bool) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}/?case=small_tree")
    row = page.get_by_role("treeitem").first
    expect(row.locator(".figure").first).to_be_visible()
    expect(row.locator(".list").last).to_be_visible(visible=tools)
    row.click()
    expect(row.locator(".list").last).to_be_visible()
