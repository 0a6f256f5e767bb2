"""The list of runs as a person uses it: finding among a thousand, picking, comparing, deleting, columns, sent links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Serve
from tests.browser.steps import click_cell, settle, table, until
from trace_store.importing.files import import_paths
from trace_store.store import Store

CHECK_PX = 16
"""From the left of a table: its check marks."""
EXPIRED = {"detail": {"error_class": "run_token_expired"}}


def body(number: int) -> dict[str, object]:
    """A run; every hundredth has a mistyped actor, and every two hundredth of those met an expired token."""
    mistyped, expired = number % 100 == 7, number % 200 == 7
    answer = {"source": "error", "status_code": 401, "error": EXPIRED} if expired else {"source": "odyssey"}
    return {
        "run_id": f"run_{number:04}",
        "final_response": f"Answer {number}",
        "messages": [{"role": "user", "content": f"question {number}"}],
        "sub_agents": ["refund_agent"],
        "proxy_calls": [
            {"tool_name": "get_order", "actor_id": "refund_agnt" if mistyped else "refund_agent", **answer}
        ],
    }


@pytest.fixture(scope="module")
def address(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The app over a thousand runs."""
    folder = tmp_path_factory.mktemp("store")
    file = folder / "nightly.jsonl"
    file.write_bytes(b"".join(orjson.dumps(body(number)) + b"\n" for number in range(1000)))
    url = f"sqlite:///{folder / 'traces.db'}"
    with Store.open(url) as store:
        import_paths(store, [file])
    return serve(store=url)


@pytest.fixture
def other_page(browser: Browser) -> Iterator[Page]:
    """A page in another browser, with a storage of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def open_runs(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/?q={query}&sort=run")
    table(page, "runs-table").locator("canvas").first.wait_for()
    settle(page)


def column(page: Page, label: str) -> Locator:
    """The head of a column; a canvas draws it, and keeps this copy for readers of the screen."""
    return table(page, "runs-table").locator("[role=columnheader]", has_text=label)


def tick(page: Page, *rows: int) -> None:
    for count, row in enumerate(rows, start=1):
        click_cell(page, row, x=CHECK_PX, key="runs-table")
        expect(page.locator(".st-key-runs-head")).to_contain_text(f"{count} selected")


def test_the_undeclared_who_met_an_expired_token_are_found_in_three_actions(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".st-key-runs-head")).to_contain_text("1,000 runs")
    page.get_by_role("button", name="undeclared actors").click()
    expect(page.locator(".st-key-runs-head")).to_contain_text("10 of 1,000 runs")
    settle(page)
    page.locator(".st-key-facet-runs-error_class").get_by_role("button", name="run_token_expired").click()
    expect(page.locator(".st-key-runs-head")).to_contain_text("5 of 1,000 runs")
    click_cell(page, 0, x=90, key="runs-table")
    expect(page.locator(".st-key-run-title")).to_have_text(re.compile(r"run_0[02468]07"))


def test_two_ticked_runs_are_compared(page: Page, address: str) -> None:
    open_runs(page, address, "run:run_010*")
    tick(page, 1, 3)
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url(re.compile(r"/compare\?left=run_0101&right=run_0103$"))


def test_ticks_outlast_a_turn_of_the_page_and_all_can_be_picked(page: Page, address: str) -> None:
    open_runs(page, address)
    tick(page, 0)
    page.get_by_role("button", name="Page 2", exact=True).click()
    page.wait_for_url(re.compile("page=2"))
    expect(page.locator(".st-key-runs-head")).to_contain_text("1 selected of 1,000 runs")
    settle(page)
    page.get_by_role("button", name="Select all 1,000").click()
    expect(page.locator(".st-key-runs-head")).to_contain_text("1,000 selected of 1,000 runs")
    settle(page)
    page.get_by_role("button", name="Clear selection").click()
    expect(page.locator(".st-key-runs-head")).to_contain_text("1,000 runs")


def test_what_is_picked_is_downloaded(page: Page, address: str, tmp_path: Path) -> None:
    open_runs(page, address, "run:run_020*")
    tick(page, 0, 1)
    page.get_by_role("button", name="Export").click()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Documents, JSON lines").click()
    download.value.save_as(tmp_path / "runs.jsonl")
    lines = (tmp_path / "runs.jsonl").read_bytes().splitlines()
    assert [orjson.loads(line)["run_id"] for line in lines] == ["run_0200", "run_0201"]


def test_a_ticked_run_is_deleted_after_a_question(page: Page, address: str) -> None:
    open_runs(page, address, "run:run_099*")
    tick(page, 2)
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 run will be deleted")
    settle(page)
    dialog.get_by_role("button", name="Delete 1 run").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".st-key-runs-head")).to_contain_text("9 of 999 runs")


def test_chosen_columns_are_remembered_and_a_link_shows_its_sender_s(
    page: Page, other_page: Page, address: str
) -> None:
    page.goto(f"{address}/?cols=run_id,file,tokens")
    settle(page)
    expect(column(page, "Tokens")).to_be_attached()
    page.get_by_role("button", name="Columns").click()
    settle(page)
    page.locator(".st-key-runs-columns").get_by_role("combobox").press("Backspace")
    page.wait_for_url(re.compile("cols=run_id%2Cfile$"))
    until(page, "localStorage.getItem('trace-inspector.runs-columns') === 'run_id,file'")
    page.goto(address)
    page.wait_for_url(re.compile("cols=run_id%2Cfile$"))
    other_page.goto(f"{address}/?q=run:run_010*")
    expect(column(other_page, "Final answer")).to_be_attached()


def test_a_sent_link_opens_the_panel_and_the_step_in_another_browser(
    page: Page, other_page: Page, address: str
) -> None:
    page.goto(f"{address}/run?run=run_0207&panel=calls&step=calls%5B0%5D&q=actor_status%3Aundeclared")
    expect(page.locator(".st-key-run-title")).to_have_text("run_0207")
    settle(page)
    page.get_by_role("button", name="Views").click()
    settle(page)
    page.get_by_role("textbox", name="Save it as").fill("Expired")
    page.get_by_role("textbox", name="Save it as").press("Enter")
    settle(page)
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Open the view")).to_be_visible()
    settle(page)
    link = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").first
    expect(link).to_contain_text("/run?run=run_0207")
    other_page.goto(link.inner_text().strip())
    expect(other_page.locator(".st-key-run-title")).to_have_text("run_0207")
    expect(other_page).to_have_url(page.url)
    expect(other_page.get_by_role("heading", name="Call 0")).to_be_visible()
    # And by its name.
    other_page.goto(address)
    settle(other_page)
    other_page.get_by_role("button", name="Views").click()
    expect(other_page.get_by_role("button", name="Open the view")).to_be_visible()
    settle(other_page)
    other_page.get_by_role("button", name="Open the view").click()
    expect(other_page.locator(".st-key-run-title")).to_have_text("run_0207")
    expect(other_page.get_by_role("heading", name="Call 0")).to_be_visible()


def test_a_folder_is_imported_whole(page: Page, address: str, tmp_path: Path) -> None:
    (tmp_path / "exports/deep").mkdir(parents=True)
    (tmp_path / "exports/a.json").write_bytes(orjson.dumps({"run_id": "of_folder_a", "final_response": "x"}))
    (tmp_path / "exports/deep/b.jsonl").write_bytes(orjson.dumps({"run_id": "of_folder_b", "final_response": "y"}))
    page.goto(address)
    page.get_by_role("button", name="Import", exact=True).click()
    panel = page.locator(".st-key-import-panel")
    panel.get_by_text("Folder", exact=True).click()
    expect(panel).to_contain_text("Drop a folder here")
    settle(page)
    panel.locator("input[type=file]").set_input_files(tmp_path / "exports")
    expect(panel).to_contain_text("2 imported, none rejected")
    open_runs(page, address, "run:of_folder_*")
    expect(page.locator(".st-key-runs-head")).to_contain_text("2 of")
