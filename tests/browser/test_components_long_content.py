"""JSON as a tree and texts of megabytes, in a real browser: what is folded is counted, and find opens it."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Locator, Page, expect

from app.components.frontend import read_files
from tests.browser.conftest import Serve


@pytest.fixture(scope="module")
def address(serve: Serve) -> str:
    return serve("tests/browser/components_app.py")


def show(page: Page, address: str, case: str) -> None:
    page.goto(f"{address}/?case={case}")
    expect(page.locator("article.item").first).to_be_visible()


def card(page: Page, n: int) -> Locator:
    return page.locator(f'.card[data-path="messages[0].tool_calls[{n}]"]')


def find(page: Page, query: str) -> None:
    page.get_by_role("searchbox", name="Find in run").fill(query)
    expect(page.get_by_role("status")).to_have_text(re.compile("^1 of "))
    expect(page.locator("mark.current")).to_be_in_viewport()


def go_to(page: Page, address: str, n: int) -> Locator:
    page.goto(f"{address}/?case=trees&focus=messages[0].tool_calls[{n}]")
    expect(card(page, n)).to_be_visible()
    return card(page, n)


# Trees

WALK = """
    const walk = (text, at) => {
        if (!'{['.includes(text[at])) return text.slice(at, valueEnd(text, at));
        const children = [];
        eachChild(text, at, ({ key, keyEnd, start }) => {
            children.push((key < 0 ? "" : text.slice(key, keyEnd) + ":") + walk(text, start));
        });
        return text[at] + children.join(",") + (text[at] === "{" ? "}" : "]");
    };
"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
    | st.sampled_from(["\\", '"', '\\"', "]", "{", ", ", ": ", "\\\\"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def test_spans_of_json_are_where_its_values_are(page: Page) -> None:
    script = f"text => {{ {read_files('shared/json_scan.js')} {WALK} return walk(text, skipBlank(text, 0)); }}"

    @given(JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
    @settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def check(value: object, indent: int | str | None, ascii_only: bool) -> None:
        text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
        assert page.evaluate(script, f" {text}") == json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)

    check()


def test_tokens_are_told_apart_and_keep_all_their_digits(page: Page, address: str) -> None:
    arguments = go_to(page, address, 4).locator(".json").first
    expect(arguments).to_have_text('{"flag": true, "none": null, "n": 10000000000000000000}')
    expect(arguments.locator(".json-literal")).to_have_text(["true", "null"])
    expect(arguments.locator(".json-number")).to_have_text("10000000000000000000")
    expect(arguments.locator(".json-key")).to_have_text(['"flag"', '"none"', '"n"'])


def test_a_long_array_is_shown_by_the_hundred_and_folds_with_its_count(page: Page, address: str) -> None:
    show(page, address, "trees")
    rows = card(page, 0).locator(".row").first
    expect(rows.locator(".json-children .json-children .json-line")).to_have_count(21)
    expect(rows).to_contain_text("320 more of 340 items")
    rows.get_by_role("button", name="Show 100 more").click()
    expect(rows.locator(".json-children .json-children .json-line")).to_have_count(121)
    fold = rows.get_by_role("button", name="Fold this value").nth(1)
    fold.focus()
    page.keyboard.press("Enter")
    expect(rows).to_contain_text('"rows": […] 340 items')
    expect(rows.get_by_role("button", name="Unfold this value")).to_be_focused()
    page.keyboard.press("Enter")
    expect(rows.locator(".json-children .json-children .json-line")).to_have_count(121)


def test_copy_gives_the_exact_text_of_a_result_not_its_layout(page: Page, address: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    show(page, address, "trees")
    saw = card(page, 0).locator(".row", has_text="the model saw")
    expect(saw.locator(".json-line").nth(1)).to_have_text('{"id": 0, "name": "row 0", "price": 1.50},')
    saw.get_by_role("button", name="Copy").click()
    expect(saw.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith('[{"id":0,"name":"row 0","price":1.50},{"id":1')


def test_strings_that_hold_json_or_lines_unfold_where_they_stand(page: Page, address: str) -> None:
    nested = go_to(page, address, 3).locator(".row").first
    nested.get_by_role("button", name="Unfold the JSON in this string").click()
    expect(nested.locator(".nested .json-line")).to_have_text('{"inner": {"list": [1, 2.50]}}')
    nested.get_by_role("button", name="Show the lines of this string").click()
    assert nested.locator(".nested").last.evaluate("n => n.textContent") == "first line of some text\nsecond line of it"
    nested.get_by_role("button", name="Show the string that this is").last.click()
    expect(nested).to_contain_text(r'"first line of some text\nsecond line of it"')


@pytest.mark.parametrize(
    ("query", "shown"),
    [("needle in the deep", '"level_0": "needle in the deep"'), ("row 201", '{"id": 201, "name": "row 201"')],
    ids=["deep down", "far down"],
)
def test_find_opens_the_node_of_a_match(page: Page, address: str, query: str, shown: str) -> None:
    show(page, address, "trees")
    assert page.locator(".json", has_text=query).count() == 0
    find(page, query)
    expect(page.locator(".json-line", has=page.locator("mark.current")).last).to_contain_text(shown)
    page.locator(".json", has=page.locator("mark.current")).get_by_role("button", name="Fold this value").first.click()
    expect(page.locator("mark.current")).to_have_count(0)
    page.get_by_role("button", name="Next match").click()
    expect(page.locator("mark.current")).to_be_in_viewport()


def test_json_of_megabytes_opens_folded_and_is_searched_to_its_end(page: Page, address: str) -> None:
    show(page, address, "huge_tree")
    arguments = card(page, 0).locator(".row").first
    expect(arguments).to_contain_text(re.compile(r'"rows": \[…\], 22,000 items.*"last": "needle at the end"'))
    arguments.get_by_role("button", name="Unfold this value").click()
    expect(arguments).to_contain_text(re.compile(r'\{"id": 0,.*21,980 more of 22,000 items'))
    assert page.locator(".transcript").evaluate("n => n.getRootNode().querySelectorAll('*').length") < 1000
    find(page, "needle")
    expect(page.locator("mark.current")).to_have_text("needle")


def test_calls_and_steps_of_one_side_show_their_json_as_trees_too(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=support-claimed-refund&panel=calls&step=calls%5B0%5D")
    detail = page.locator(".st-key-run-call-card .card")
    expect(detail.locator(".head .json-key").first).to_have_text('"order_id"')
    response = detail.locator(".row", has_text="response")
    response.get_by_role("button", name="Fold this value").first.click()
    expect(response.locator(".json-line")).to_have_text(re.compile(r"^\{…\} \d+ keys$"))
    expect(response.get_by_role("button", name="Unfold this value")).to_be_focused()
    page.goto(f"{samples}/compare?left=support-receipt-untold&right=support-refund-clean")
    only = page.get_by_role("article", name=re.compile("only in the right run")).filter(has_text="search_policy")
    expect(only.locator(".json-key").first).to_be_visible()


# Texts


def test_a_text_of_megabytes_opens_with_its_first_lines_and_its_size(page: Page, address: str) -> None:
    show(page, address, "huge_text")
    message = page.get_by_role("article", name="message 1, assistant", exact=True)
    expect(message).to_contain_text(re.compile(r"showing [\d,]+ characters of 6.0 MB"))
    assert message.evaluate("n => n.textContent.length") < 3000
    message.get_by_role("button", name="Show 100,000 more").click()
    expect(message.get_by_role("button", name="Show less")).to_be_visible()
    assert 100_000 < message.evaluate("n => n.textContent.length") < 105_000


def test_all_of_a_text_of_megabytes_is_read_in_pages(page: Page, address: str) -> None:
    show(page, address, "huge_text")
    message = page.get_by_role("article", name="message 1, assistant", exact=True)
    message.get_by_role("button", name="Read all in 61 pages").click()
    message.get_by_role("button", name="Next 100,000").click()
    expect(message).to_contain_text("99,944 characters before this")
    expect(message).to_be_in_viewport()
    message.get_by_role("button", name="Read from the start").click()
    message.get_by_role("button", name="Last page").click()
    expect(message).not_to_contain_text("behind this")
    assert message.evaluate("n => n.textContent.length") < 105_000


def test_find_draws_a_match_deep_in_a_text_with_what_is_around_it_alone(page: Page, address: str) -> None:
    show(page, address, "huge_text")
    find(page, "NEEDLE in the middle")
    message = page.get_by_role("article", name="message 1, assistant", exact=True)
    assert message.evaluate("n => n.textContent.length") < 4000
    expect(message).to_contain_text("3.0 million characters before this")
    message.get_by_role("button", name="Show 100,000 before").click()
    expect(page.locator("mark.current")).to_have_text("needle in the middle")
    message.get_by_role("button", name="Read from the start").click()
    expect(page.locator("mark.current")).to_have_count(0)
    page.get_by_role("button", name="Next match").click()
    expect(page.locator("mark.current")).to_be_in_viewport()
    find(page, "thanks")
    expect(page.locator("mark.current")).to_have_text("thanks")
