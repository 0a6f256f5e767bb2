"""The main journey in a real browser: drop a file of runs on the page, find the calls that matter, read a run."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Serve
from tests.browser.steps import click_cell

QUESTION = "Line one\n\ttabbed  twice  spaced\r\nשלום $x$ :red[y] **bold** <b>tag</b> \x1b[31mred\x1b[0m"
ANSWER = "Refunded <img src=x onerror=alert(1)> :blue[ok] $a$ and $b$."
EXPIRED = {"detail": {"error_class": "run_token_expired", "message": "The run token has expired."}}


def call(tool: str, actor: str | None = None, **fields: object) -> dict[str, object]:
    return {"tool_name": tool, "arguments": {"order_id": "4521"}, "actor_id": actor} | fields


RUNS: list[object] = [
    {
        "run_id": "typo-and-expired",
        "final_response": ANSWER,
        "sub_agents": ["refund_agent"],
        "messages": [{"role": "user", "content": QUESTION}, {"role": "developer", "content": "dropped"}],
        "proxy_calls": [
            call("get_order", "refund_agnt", source="odyssey", status_code=200, response={"status": "shipped"}),
            call("issue_refund", "refund_agnt", source="error", status_code=401, error=EXPIRED),
        ],
    },
    {"run_id": "fine", "final_response": "Done.", "proxy_calls": [call("get_order", source="odyssey", response={})]},
]
BROKEN_LINE = '{"run_id": "cut", "final_response": "Th'


@pytest.fixture(scope="module")
def address(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    return serve(store=f"sqlite:///{tmp_path_factory.mktemp('store') / 'traces.db'}")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exports") / "nightly.jsonl"
    lines = [json.dumps(RUNS[0]), BROKEN_LINE, json.dumps(RUNS[1])]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def query_of(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("q", [""])[0]


def pick(page: Page, facet: str, value: str) -> None:
    """Chooses a value of a facet in the main part of the page, or takes the choice back."""
    page.get_by_test_id("stMain").get_by_role("toolbar", name=facet).get_by_role("button", name=value).click()


def cell(page: Page, text: str) -> Locator:
    """The cells of a table with a text; a canvas draws them, and keeps this copy for readers of the screen."""
    return page.locator("[data-testid^=glide-cell]", has_text=text)


def open_first_row(page: Page) -> None:
    """Clicks the first row of the page's table, once the table has settled."""
    page.reload()
    expect(cell(page, "typo-").first).to_be_attached()
    click_cell(page, 0, x=90)


def test_upload_read_the_report_filter_and_read_the_run(page: Page, address: str, exported: Path) -> None:
    page.goto(address)
    expect(page.get_by_text("No runs yet.")).to_be_visible()

    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(exported)
    report = page.get_by_test_id("stMain")
    expect(report.get_by_text("2 imported, 1 rejected")).to_be_visible()
    rejected = page.locator(".st-key-import-rejected")
    expect(rejected).to_contain_text(": line 2")
    expect(rejected).to_contain_text("JSON is cut short at line 2, column 37: unterminated string")

    page.get_by_role("link", name="Calls").click()
    expect(page.get_by_text("3 calls")).to_be_visible()
    pick(page, "Error class", "run_token_expired")
    expect(page.get_by_text("1 of 3 calls")).to_be_visible()
    assert query_of(page) == "error_class:run_token_expired"
    pick(page, "Error class", "run_token_expired")
    expect(page.get_by_text("3 calls", exact=True)).to_be_visible()

    pick(page, "Actor status", "undeclared")
    expect(page.get_by_text("2 of 3 calls")).to_be_visible()
    assert query_of(page) == "actor_status:undeclared"

    expect(cell(page, "typo-")).to_have_count(2)
    open_first_row(page)
    expect(page.locator(".st-key-run-title")).to_have_text("typo-and-expired")
    assert parse_qs(urlsplit(page.url).query)["run"] == ["typo-and-expired"]


def test_the_run_shows_its_text_exactly(page: Page, address: str) -> None:
    page.goto(f"{address}/run?run=typo-and-expired&panel=transcript")
    question = page.get_by_role("article", name="message 0, user", exact=True).locator(".txt")
    expect(page.locator(".transcript .markdown strong")).to_have_text("bold")
    page.keyboard.press("v")
    expect(page.locator(".transcript .markdown")).to_have_count(0)
    assert question.evaluate("n => n.textContent") == QUESTION.replace("\x1b", "␛")
    expect(page.get_by_text(ANSWER, exact=True).first).to_be_visible()
    expect(page.get_by_text("developer", exact=False).first).to_be_visible()
    assert page.locator("img[onerror]").count() == 0


def test_a_link_is_a_view(page: Page, address: str) -> None:
    page.goto(f"{address}/calls?q=outcome%3Afailed")
    expect(page.get_by_text("1 of 3 calls")).to_be_visible()
    page.goto(f"{address}/?q=actor_status%3Aundeclared")
    expect(page.get_by_text("1 of 2 runs")).to_be_visible()
