"""The app as a person uses it: clicks in tables, keys, Back, hostile names, and the headers of every answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import orjson
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import click_cell, settle, table
from trace_store.importing.files import import_paths
from trace_store.store import Store

HOSTILE = "<img src=https://evil.example/a> ![x](https://evil.example/b) [y](javascript:alert(1)) `$z$` :red[r]"
SHORT = "![](//evil.example)"
"""Short enough for a label."""


def bodies() -> list[dict[str, object]]:
    """Forty plain runs, one failed call each, and one whose every name and text is hostile."""
    plain: list[dict[str, object]] = [
        {
            "run_id": f"run_{n:02}",
            "final_response": f"Answer {n}",
            "messages": [{"role": "user", "content": f"question {n}"}],
            "proxy_calls": [{"tool_name": "get_order", "arguments": {"n": n}, "source": "error", "status_code": 500}],
        }
        for n in range(40)
    ]
    hostile: dict[str, object] = {
        "run_id": HOSTILE,
        "scenario": HOSTILE,
        "status": HOSTILE,
        "final_response": HOSTILE,
        "task_id": HOSTILE,
        "sub_agents": ["known"],
        "metadata": {"model": HOSTILE},
        "soft_warnings": [HOSTILE],
        "messages": [{"role": "user", "content": HOSTILE}, {"role": HOSTILE}],
        "proxy_calls": [
            {
                "tool_name": HOSTILE,
                "actor_id": HOSTILE,
                "arguments": {HOSTILE: HOSTILE},
                "source": SHORT,
                "status_code": 500,
                "error": {"detail": {"error_class": HOSTILE}},
            }
        ],
    }
    return [*plain, hostile]


@pytest.fixture(scope="module")
def address(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The app over a store with `bodies`."""
    folder = tmp_path_factory.mktemp("store")
    file = folder / "nightly.jsonl"
    file.write_bytes(b"".join(orjson.dumps(body) + b"\n" for body in bodies()))
    url = f"sqlite:///{folder / 'traces.db'}"
    with Store.open(url) as store:
        import_paths(store, [file])
    return serve(store=url)


def position(page: Page) -> Locator:
    return page.locator(".st-key-run-pager")


def open_runs(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/?q={query}&sort=run")
    table(page).wait_for()
    expect(page.locator(".st-key-runs-head")).to_contain_text("runs")


def test_a_click_opens_a_run_and_keys_walk_the_list(page: Page, address: str) -> None:
    open_runs(page, address, "run:run_*")
    click_cell(page, 1)
    expect(page.locator(".st-key-run-title")).to_have_text("run_01")
    expect(position(page)).to_contain_text("2 of 40")
    page.keyboard.press("j")
    expect(page.locator(".st-key-run-title")).to_have_text("run_02")
    page.keyboard.press("k")
    expect(page.locator(".st-key-run-title")).to_have_text("run_01")
    page.keyboard.press("k")
    expect(page.locator(".st-key-run-title")).to_have_text("run_00")
    expect(page.get_by_role("button", name="Previous", exact=True)).to_be_disabled()


def test_typing_into_a_field_is_no_key(page: Page, address: str) -> None:
    page.goto(f"{address}/run?run=run_05&sort=run&q=run:run_*")
    find = page.get_by_placeholder("Find in run")
    find.click()
    page.keyboard.type("jkj")
    expect(find).to_have_value("jkj")
    expect(position(page)).to_contain_text("6 of 40")


def test_back_returns_to_the_list_where_the_same_run_opens_again(page: Page, address: str) -> None:
    open_runs(page, address, "run:run_0*")
    click_cell(page, 3)
    expect(page.locator(".st-key-run-title")).to_have_text("run_03")
    page.go_back()
    expect(page.locator(".st-key-query-text input")).to_have_value("run:run_0*")
    expect(page.locator(".st-key-runs-head")).to_contain_text("10 of 41")
    expect(page).to_have_url(re.compile(r"/\?q=run:run_0\*&sort=run$"))
    table(page).wait_for()
    click_cell(page, 3)
    expect(page.locator(".st-key-run-title")).to_have_text("run_03")


def test_the_runs_have_a_path_of_their_name(page: Page, address: str) -> None:
    page.goto(f"{address}/runs?q=run:run_0*")
    expect(page.locator(".st-key-runs-head")).to_contain_text("10 of 41")


def test_a_header_sorts_the_whole_list(page: Page, address: str) -> None:
    open_runs(page, address, "run:run_*")
    click_cell(page, -1, x=60)
    page.wait_for_url(re.compile("sort=-run"))
    page.locator("[class*=st-key-runs-table-1-] canvas").first.wait_for()  # each event makes the table anew
    click_cell(page, 0)
    expect(page.locator(".st-key-run-title")).to_have_text("run_39")


def test_the_query_goes_along_from_page_to_page(page: Page, address: str) -> None:
    open_runs(page, address, "run:run_1*")
    for name in ("Calls", "Failures", "Runs"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator(".st-key-query-text input")).to_have_value("run:run_1*")
    expect(page.locator(".st-key-runs-head")).to_contain_text("10 of 41")


def test_a_bar_of_a_breakdown_opens_its_calls(page: Page, address: str) -> None:
    page.goto(f"{address}/failures?q=run:run_1*")
    expect(page.get_by_text("10 of 10 calls failed").first).to_be_visible()
    click_cell(page, 0, key="layer-call")
    expect(page.locator(".st-key-query-text input")).to_have_value(
        "run:run_1* outcome:failed,injected_failure error_class:none"
    )
    expect(page.locator(".st-key-calls-head")).to_contain_text("10 of 41 calls")


def test_a_dropped_file_is_imported_and_what_is_wrong_in_it_is_said(page: Page, address: str, tmp_path: Path) -> None:
    file = tmp_path / "dropped.jsonl"
    file.write_text('{"run_id": "run_dropped", "final_response": "x"}\n{broken\n', encoding="utf-8")
    page.goto(address)
    page.get_by_role("button", name="Import", exact=True).click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".st-key-import-panel")).to_contain_text("1 imported, 1 rejected")
    page.goto(f"{address}/run?run=run_dropped")
    expect(page.locator(".st-key-run-title")).to_have_text("run_dropped")


def test_a_new_failure_mode_is_written_and_saved(page: Page, address: str) -> None:
    page.goto(f"{address}/run?run=run_07")
    review = page.locator(".st-key-review")
    review.get_by_role("textbox", name="Reviewer").fill("Ada")
    review.get_by_role("textbox", name="Reviewer").press("Enter")
    settle(page)
    review.get_by_role("button", name="unsure").click()
    review.get_by_role("combobox").first.click()
    page.keyboard.type("wrong order")
    page.keyboard.press("Enter")
    review.get_by_role("button", name="Save", exact=True).click()
    expect(review).to_contain_text("Saved")
    page.reload()
    expect(review).to_contain_text("Saved")
    expect(review.get_by_role("combobox").first).to_have_value("wrong order")


# The fixture `page` fails a test whose page asks another host for anything.
@pytest.mark.parametrize("panel", ["transcript", "calls", "actors", "findings", "raw"])
def test_hostile_names_reach_nothing_on_the_run_page(page: Page, address: str, panel: str) -> None:
    page.goto(f"{address}/?q=tool:*evil*")
    table(page).wait_for()
    click_cell(page, 0)
    expect(page.locator(".st-key-run-title")).to_have_text(HOSTILE[:200])
    if panel != "transcript":
        page.locator(".st-key-run-panel").get_by_text(panel.capitalize()).click()
        page.wait_for_url(re.compile(f"panel={panel}"))
    nothing_came_alive(page)


@pytest.mark.parametrize("path", ["", "calls", "failures", "imports"])
def test_hostile_names_reach_nothing_on_the_other_pages(page: Page, address: str, path: str) -> None:
    page.goto(f"{address}/{path}?q=tool:*evil*" if path != "imports" else f"{address}/imports")
    table(page).wait_for()
    if path == "":
        page.get_by_text("More filters").click()
        expect(page.locator(".st-key-facet-runs-source")).to_contain_text(SHORT)
        expect(page.locator(".st-key-facet-runs-file")).to_be_visible()
        settle(page)  # a rerun closes a list that is open
        page.locator(".st-key-facet-runs-scenario").get_by_role("combobox").press_sequentially("img")
        expect(page.get_by_role("option").first).to_contain_text("<img src=https://evil.example/")
    nothing_came_alive(page)


def nothing_came_alive(page: Page) -> None:
    """No element of the page came out of a run."""
    expect(page.locator("[data-testid=stStatusWidget]")).to_have_count(0)
    assert page.locator("img[src*=evil], a[href*=evil], a[href^=javascript]").count() == 0
    assert page.get_by_test_id("stException").count() == 0


def test_every_answer_carries_the_policy(address: str) -> None:
    for path in ("/", "/calls", "/_stcore/health"):
        with urlopen(f"{address}{path}") as answer:
            assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
