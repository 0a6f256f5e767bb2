"""What messages hold, in a real browser: calls, results and thinking in parts, nothing at all, Markdown."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from app.components.frontend import read_files
from app.markdown_route import PATH
from tests.browser.conftest import Serve


@pytest.fixture(scope="module")
def address(serve: Serve) -> str:
    return serve("tests/browser/components_app.py")


def show(page: Page, address: str, case: str) -> None:
    page.goto(f"{address}/?case={case}")
    expect(page.locator("article.item").first).to_be_visible()


def item(page: Page, name: str) -> Locator:
    return page.get_by_role("article", name=name, exact=True)


def outline(page: Page) -> list[str]:
    return page.locator(".outline .line .words").all_inner_texts()


# Parts


def test_calls_in_parts_are_cards_between_the_texts_and_their_results_lead_to_them(page: Page, address: str) -> None:
    show(page, address, "content_parts")
    message = item(page, "message 1, assistant")
    expect(message.locator(":scope > .part")).to_have_count(5)
    expect(message.locator(":scope > .part > *")).to_have_text(
        [
            re.compile("^thinking · 10 characters$"),
            re.compile("^I look at it.$"),
            re.compile('^get_order{"order_id": "A17"}'),
            re.compile("^And refund it at once.$"),
            re.compile('^issue_refund{"order_id": "A17"}'),
        ]
    )
    expect(message.locator(".card")).to_have_count(2)
    expect(message.locator(".card").first).to_contain_text("the model sawshipped lamp")
    expect(message.locator(".card").last).to_contain_text("refundedmessage 2marked as an error")
    results = item(page, "message 2, user")
    expect(results.locator(".part")).to_have_text(
        ["↳ result of get_order in message 1", "↳ result of issue_refund in message 1 · marked as an error"]
    )
    results.get_by_role("button", name="issue_refund in message 1").click()
    expect(message.locator(".card").last).to_have_class(re.compile("selected"))


def test_what_no_card_shows_is_shown_in_its_place(page: Page, address: str) -> None:
    show(page, address, "content_parts")
    message = item(page, "message 3, user")
    orphan, picture, far, other = (message.locator(".part").nth(n) for n in range(4))
    expect(orphan).to_have_text("result lost · answers no call · marked as an errornobody asked")
    expect(picture.locator("img")).to_have_attribute("src", re.compile("^data:image/png;base64,"))
    expect(far).to_have_text("image, not loaded, athttps://example.com/a.png")
    expect(other).to_have_text('document{"type": "document", "title": "Terms", "pages": 12345678901234567890}')


def test_the_outline_names_what_a_message_holds(page: Page, address: str) -> None:
    show(page, address, "content_parts")
    assert outline(page) == [
        "user: Refund A17",
        "get_order, issue_refund",
        "↳ result of get_order, issue_refund",
        "other · log",
        "↳ result without a call, image, document",
        "redacted thinking",
        "thinking",
        "I refunded order A17.",
        "final answer",
    ]


@pytest.mark.parametrize(
    "query",
    ["look first", "c2ln", "I look at it", '"order_id": "A17"', "shipped lamp", "nobody asked", "lost", "example.com",
     "12345678901234567890", "zzz", "reasonword"],
)  # fmt: skip
def test_find_opens_whatever_a_part_holds(page: Page, address: str, query: str) -> None:
    show(page, address, "content_parts")
    page.get_by_role("searchbox", name="Find in run").fill(query)
    expect(page.get_by_role("status")).to_have_text(re.compile("^1 of "))
    expect(page.locator("mark.current").first).to_be_in_viewport()


def test_raw_shows_all_parts_as_they_were(page: Page, address: str) -> None:
    show(page, address, "content_parts")
    item(page, "message 2, user").get_by_label("View of message 2").select_option("Raw")
    expect(item(page, "message 2, user")).to_contain_text('"text": "shipped lamp"')


# Nothing


def test_what_is_empty_says_so_in_its_place_and_in_the_outline(page: Page, address: str) -> None:
    show(page, address, "empties")
    words = ["no content", "no content", "no content", "empty text", "only white space", "only white space"]
    for at, word in enumerate(words):
        expect(item(page, f"message {at}, user").locator(".absent")).to_have_text(word)
    expect(item(page, "message 6, assistant").locator(".card")).to_contain_text("the model sawno content")
    expect(item(page, "message 6, assistant").locator(".absent")).to_have_count(1)
    assert outline(page) == [*(f"user: {word}" for word in words), "ping", "↳ no content", "final answer"]


# Markdown


def test_markdown_is_laid_out_where_a_text_is_markdown_and_a_plain_text_stays_exact(page: Page, address: str) -> None:
    show(page, address, "markdown")
    expect(item(page, "message 0, system").locator(".markdown h4")).to_have_text("Rules")
    plain = item(page, "message 1, user").locator(".txt")
    assert plain.evaluate("n => n.textContent") == "Plain text: 2 * 3 * 4,\n   indented, snake_case_name."
    expect(item(page, "message 2, assistant").locator(".row .txt")).to_have_text(re.compile("^# not a heading"))
    expect(page.locator(".row .markdown")).to_have_count(0)


def test_one_button_turns_all_messages_exact_and_back(page: Page, address: str) -> None:
    show(page, address, "markdown")
    message = item(page, "message 0, system")
    exact = page.get_by_role("button", name="Exact", exact=True)
    expect(message.locator(".markdown")).to_be_visible()
    exact.click()
    expect(exact).to_have_attribute("aria-pressed", "true")
    assert message.locator(".txt").evaluate("n => n.textContent") == "# Rules\n\n- be brief"
    message.get_by_label("View of message 0").select_option("Markdown")
    expect(message.locator(".markdown")).to_be_visible()
    exact.click()
    expect(exact).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_label("View of all messages")).to_have_value("formatted")


def test_the_message_that_was_gone_to_stays_where_it_is_while_markdown_comes(page: Page, address: str) -> None:
    page.goto(f"{address}/?case=markdown&focus=messages[60]")
    message = item(page, "message 60, assistant")
    expect(message.locator(".markdown")).to_be_visible()
    expect(item(page, "message 59, system").locator(".markdown")).to_be_visible()
    expect(message).to_be_in_viewport(ratio=0.5)
    expect(page.locator('.outline [aria-selected="true"]')).to_have_text(re.compile("^60"))


def test_long_markdown_is_clipped_with_its_size_and_opens(page: Page, address: str) -> None:
    page.goto(f"{address}/?case=markdown&focus=messages[59]")
    message = item(page, "message 59, system")
    expect(message).to_contain_text("the start of 930 characters, 43 lines")
    assert message.evaluate("n => n.clientHeight") < 300
    message.get_by_role("button", name="Show all").click()
    expect(message).to_contain_text("all 930 characters")
    assert message.evaluate("n => n.clientHeight") > 800


def test_facts_are_marked_in_an_answer_that_is_markdown(page: Page, address: str) -> None:
    show(page, address, "markdown")
    page.get_by_role("listbox", name="Outline").press("End")
    page.get_by_role("listbox", name="Outline").press("Enter")
    answer = item(page, "message 60, assistant")
    expect(answer.locator(".markdown h5")).to_have_text("Refund")
    expect(answer.locator(".markdown li")).to_have_count(2)
    expect(answer.locator("strong .fact.linked")).to_have_text("$79.50")
    expect(answer.locator("code .fact.linked").first).to_have_text("4521")
    expect(answer.locator("em .fact.nowhere")).to_have_text("2026-04-02")
    expect(answer.locator("li .fact.linked")).to_have_text("2026-04-01")
    expect(answer.locator("td .fact.linked")).to_have_text("79.50")
    expect(answer.locator("img, a")).to_have_count(0)
    expect(answer).to_contain_text("https://example.com/policy?id=12345")


def test_only_what_is_on_screen_is_asked_for_and_no_page_runs_again(page: Page, address: str) -> None:
    asked: list[int] = []

    def count(request: Request) -> None:
        if request.url.endswith(PATH):
            asked.append(len(request.post_data_json or []))

    page.on("request", count)
    show(page, address, "markdown")
    expect(item(page, "message 4, user").locator(".markdown")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    assert 1 <= sum(asked) < 30
    expect(item(page, "message 4, user").locator(".markdown strong")).to_have_text("message")


@pytest.mark.parametrize(
    ("text", "is_markdown"),
    [
        ("# Heading", True),
        ("Heading\n===", True),
        ("a\n\n- one\n- two", True),
        ("1. one\r\n2. two", True),
        ("> quoted", True),
        ("```\ncode\n```", True),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", True),
        ("so **strong**", True),
        ("so *light*", True),
        ("call `f`", True),
        ("see [this](https://example.com)", True),
        ("2 * 3 * 4 and *.py", False),
        ("#4521 was -5 or 3.5", False),
        ("snake_case and __init__ in a_b_c", False),
        ("a list [1] of (two)", False),
        ("plain\n   indented\n\nwords", False),
        ("[" * 50_000, False),
        ("*a" * 25_000, False),
    ],
)  # fmt: skip
def test_a_text_is_markdown_where_it_would_look_different(page: Page, text: str, is_markdown: bool) -> None:
    script = f"text => {{ {read_files('shared/markdown.js')} return looksLikeMarkdown(text); }}"
    assert page.evaluate(script, text) is is_markdown
