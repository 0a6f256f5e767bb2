"""Failures and the judge as a reviewer meets them: signatures reviewed as one, figures that lead to their calls."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import orjson
import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import click_cell, settle, table
from trace_store.importing.files import import_paths
from trace_store.model import Review
from trace_store.store import Store

QUERY = ".st-key-query-text input"


def bodies() -> list[dict[str, Any]]:
    """Twelve runs that fail alike on two days, three that fail otherwise, and five good ones."""
    alike = [
        {
            "run_id": f"refused_{n:02}",
            "final_response": f"Answer {n}",
            "judge_passed": n % 3 == 0,
            "started_at": f"2026-04-{1 + n % 2:02}T09:{n:02}:00Z",
            "messages": [{"role": "user", "content": "refund me"}],
            "proxy_calls": [failed("issue_refund"), answered("get_order")],
        }
        for n in range(12)
    ]
    others = [
        {"run_id": f"other_{n}", "final_response": "x", "judge_passed": False, "proxy_calls": [failed("get_order")]}
        for n in range(3)
    ]
    good = [
        {"run_id": f"good_{n}", "final_response": "x", "judge_passed": n > 1, "proxy_calls": [answered("get_order")]}
        for n in range(5)
    ]
    return [*alike, *others, *good]


def failed(tool: str) -> dict[str, Any]:
    return {"tool_name": tool, "arguments": {}, "source": "error", "status_code": 500}


def answered(tool: str) -> dict[str, Any]:
    return {"tool_name": tool, "arguments": {}, "source": "odyssey", "status_code": 200, "response": {"id": 1}}


@pytest.fixture(scope="module")
def served(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The app over `bodies`: its address, and that of its store. One run has a review already."""
    folder = tmp_path_factory.mktemp("failures")
    file = folder / "nightly.jsonl"
    file.write_bytes(b"".join(orjson.dumps(body) + b"\n" for body in bodies()))
    url = f"sqlite:///{folder / 'traces.db'}"
    with Store.open(url) as store:
        import_paths(store, [Path(file)])
        store.reviews.save("refused_05", Review(verdict="unsure", note="seen before", reviewer="Ada"))
    return serve(store=url), url


def verdicts(url: str) -> dict[str | None, int]:
    """How many runs have each verdict of a reviewer."""
    with Store.open(url) as store:
        found = [cast("str | None", row["review"]) for row in store.runs("run:refused_*").rows]
    return {verdict: found.count(verdict) for verdict in dict.fromkeys(found)}


def test_a_signature_is_reviewed_as_one_and_undone(page: Page, served: tuple[str, str]) -> None:
    address, url = served
    page.goto(f"{address}/failures")
    click_cell(page, 0, key="signatures-")
    panel = page.locator(".st-key-signature")
    expect(panel).to_contain_text("12 runs failed at transport in issue_refund")
    expect(panel).to_contain_text("10 of 12 runs")
    panel.get_by_role("button", name="Review them as one").click()
    form = page.get_by_test_id("stPopoverBody")
    expect(form).to_contain_text("This is written to 12 runs, 1 of which has a review already.")
    settle(page)
    form.get_by_text("fail", exact=True).click()
    form.get_by_role("textbox", name="Note").fill("refund service down")
    form.get_by_role("textbox", name="Reviewer").fill("Ada")
    form.get_by_role("button", name="Review 12 runs").click()
    expect(panel).to_contain_text("Saved on 12 runs.")
    assert verdicts(url) == {"fail": 12}
    settle(page)
    panel.get_by_role("button", name="Undo").click()
    expect(panel).to_contain_text("Undone on 12 runs.")
    assert verdicts(url) == {None: 11, "unsure": 1}


def test_a_sent_signature_opens_and_its_runs_are_walked_alone(page: Page, served: tuple[str, str]) -> None:
    address, _ = served
    terms = "boundary:transport boundary_tool:get_order boundary_class:none"
    page.goto(f"{address}/failures?signature={terms.replace(' ', '+')}")
    panel = page.locator(".st-key-signature")
    expect(panel).to_contain_text("3 runs failed at transport in get_order")
    click_cell(page, 1, key="signature-runs")
    expect(page.locator(".st-key-run-pager")).to_contain_text("2 of 3")
    page.go_back()
    expect(panel).to_contain_text("3 runs failed at transport in get_order")
    settle(page)
    panel.get_by_role("button", name="Show these runs").click()
    expect(page.locator(".st-key-runs-head")).to_contain_text("3 of 20 runs")
    expect(page.locator(QUERY)).to_have_value(re.compile(f"^{terms} "))


def test_a_figure_leads_to_its_calls_and_back_is_one_step(page: Page, served: tuple[str, str]) -> None:
    address, _ = served
    page.goto(f"{address}/failures?section=Tools&q=run:*")
    table(page, "tools-").wait_for()
    settle(page)
    steps = page.evaluate("history.length")
    page.get_by_role("button", name="15 of 32 calls failed").click()
    expect(page.locator(".st-key-calls-head")).to_contain_text("15 of 32 calls")
    assert page.evaluate("history.length") == steps + 1
    page.go_back()
    expect(page.locator(".st-key-failure-figures")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/failures\?section=Tools&q=run:\*$"))
    click_cell(page, 0, key="tools-")
    expect(page.locator(".st-key-calls-head")).to_contain_text("20 of 32 calls")
    expect(page.locator(QUERY)).to_have_value("run:* tool:get_order")
    page.go_back()
    table(page, "tools-").wait_for()
    expect(page.locator(QUERY)).to_have_value("run:*")


def test_a_bar_of_the_days_narrows_to_that_day(page: Page, served: tuple[str, str]) -> None:
    address, _ = served
    page.goto(f"{address}/failures?q=run:refused_*")
    chart = page.locator("[class*=st-key-over-time]")
    expect(chart.locator(".bars .point").first).to_be_visible()
    settle(page)
    chart.scroll_into_view_if_needed()
    bar = chart.locator(".bars .point").first.bounding_box()
    assert bar is not None
    x, y = bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2
    page.mouse.move(x, y, steps=3)  # the chart says which bar is meant while the pointer comes near
    page.mouse.click(x, y)
    expect(page.locator(QUERY)).to_have_value("run:refused_* started>=2026-04-01T09:00 started<2026-04-01T10:00")
    expect(page.get_by_role("button", name="6 of 6 runs failed at a boundary")).to_be_visible()


def test_a_cell_of_the_judge_leads_to_exactly_its_runs(page: Page, served: tuple[str, str]) -> None:
    address, _ = served
    page.goto(f"{address}/judge")
    expect(page.get_by_role("button", name="4 passed with errors")).to_be_visible()
    expect(page.get_by_role("button", name="2 failed without errors")).to_be_visible()
    click_cell(page, 1, x=130, key="judge-evidence")
    expect(page.locator(".st-key-runs-head")).to_contain_text("11 of 20 runs")
    expect(page.locator(QUERY)).to_have_value("verdict:failed severity:error")
    page.go_back()
    expect(page.locator(QUERY)).to_have_value("")
    page.get_by_role("button", name="2 failed without errors").click()
    expect(page.locator(".st-key-runs-head")).to_contain_text("2 of 20 runs")
