"""Comparing as a reviewer does it: two runs step by step, two sets of runs by their rates, a task by its repeats."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import click_cell, settle

SAMPLES = Path(__file__).resolve().parents[2] / "sample_runs" / "runs"


def steps(page: Page) -> Locator:
    return page.get_by_role("feed", name="Steps, the left run beside the right")


def figure(page: Page, name: str) -> Locator:
    """The row of a figure in which two runs differ."""
    return page.get_by_role("table").get_by_role("row", name=re.compile(rf"^{name}\b"))


def test_a_failing_run_is_compared_with_a_passing_one_of_its_task(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=support-receipt-untold")
    page.get_by_role("button", name="Details").click()
    page.get_by_role("button", name="Compare with a passing run of this task").click()
    page.wait_for_url(re.compile(r"/compare\?left=support-receipt-untold&right=support-behind-the-scenes"))
    expect(figure(page, "judge")).to_contain_text("failed by the judge")
    expect(figure(page, "judge")).to_contain_text("passed by the judge")
    expect(figure(page, "calls").get_by_role("cell")).to_have_text(["2", "4 +2"])
    expect(page.get_by_text("The same in both:")).to_contain_text("model heron-2-large")


def test_same_steps_are_folded_and_a_click_unfolds_them(page: Page, samples: str) -> None:
    page.goto(f"{samples}/compare?left=support-hidden-failure&right=support-claimed-refund")
    fold = steps(page).get_by_role("button", name="3 same steps")
    expect(fold).to_have_attribute("aria-expanded", "false")
    same = steps(page).get_by_role("article", name=re.compile("the same$"))
    expect(same).to_have_count(0)
    fold.click()
    expect(same).to_have_count(3)
    expect(same.last).to_contain_text('get_order {"order_id":"NK-20418"}')
    page.get_by_role("button", name="Fold all").click()
    expect(same).to_have_count(0)


def test_differences_are_walked_by_key_and_words_that_differ_are_marked(page: Page, samples: str) -> None:
    page.goto(f"{samples}/compare?left=support-receipt-untold&right=support-refund-clean")
    expect(page.get_by_text("They part at step 3: only the right run has a thought of the assistant.")).to_be_visible()
    status = page.get_by_label("Two runs side by side").get_by_role("status")
    expect(status).to_have_text("3 differences")
    current = steps(page).locator("article.current")
    page.keyboard.press("n")
    expect(status).to_have_text("1 of 3 differences")
    expect(current).to_contain_text("First see what was ordered and when.")
    page.keyboard.press("n")
    expect(current).to_contain_text("search_policy")
    page.keyboard.press("p")
    page.keyboard.press("p")
    expect(status).to_have_text("3 of 3 differences")
    expect(current).to_contain_text("changed: text")
    expect(current.locator("del").first).to_contain_text("was delivered")
    expect(current.locator("ins").first).to_contain_text("refunded")


def test_a_step_leads_to_its_run_at_that_step_and_back_again(page: Page, samples: str) -> None:
    page.goto(f"{samples}/compare?left=support-receipt-untold&right=support-refund-clean")
    steps(page).get_by_role("button", name="Open the right run at this step, 5").click()
    page.wait_for_url(re.compile(r"/run\?run=support-refund-clean&step=messages"))
    expect(page.locator(".card.selected .tool")).to_have_text("search_policy")
    page.go_back()
    expect(steps(page)).to_be_visible()
    page.get_by_role("button", name="Swap sides").click()
    page.wait_for_url(re.compile(r"left=support-refund-clean&right=support-receipt-untold"))
    expect(figure(page, "calls").get_by_role("cell")).to_have_text(["3", "2 -1"])


def rate(page: Page, name: str) -> Locator:
    return page.get_by_role("table").get_by_role("row", name=re.compile(rf"^{name}\b"))


def test_two_queries_are_compared_with_counts_and_an_honest_word(page: Page, samples: str) -> None:
    page.goto(f"{samples}/compare")
    page.get_by_role("button", name="Model heron-2-large against heron-2-mini").click()
    page.wait_for_url(re.compile(r"q=model.*heron-2-large&against=model.*heron-2-mini"))
    passed = rate(page, "passed by the judge")
    expect(passed.get_by_role("cell")).to_contain_text(["24 of 34", "15 of 19"])
    expect(passed).to_contain_text("cannot be told from chance with these counts")
    expect(page.get_by_text("only large differences can be told from chance")).to_be_visible()
    passed.get_by_role("button", name="24: passed by the judge, left; open the runs").click()
    page.wait_for_url(re.compile(r"q=model"))
    expect(page.get_by_role("combobox", name="Query", exact=True)).to_have_value("model:heron-2-large verdict:passed")
    expect(page.get_by_text("24 of 71 runs")).to_be_visible()


def test_written_queries_are_compared_and_runs_on_both_sides_are_told(page: Page, samples: str) -> None:
    page.goto(f"{samples}/compare")
    settle(page)
    page.get_by_role("textbox", name="Left query").fill("outcome:failed")
    page.get_by_role("textbox", name="Right query").fill("verdict:passed")
    page.get_by_role("button", name="Compare the rates").click()
    page.wait_for_url(re.compile(r"against=verdict"))
    expect(page.get_by_text(re.compile(r"runs on both sides"))).to_be_visible()
    rate(page, "lock_contention").get_by_role("button", name=re.compile(r", left; open the runs$")).first.click()
    expect(page.get_by_role("combobox", name="Query", exact=True)).to_have_value(
        "(outcome:failed) (error_class:lock_contention)"
    )


def test_a_task_s_repeats_lead_from_a_failing_run_to_a_passing_one(page: Page, samples: str) -> None:
    page.goto(f"{samples}/compare")
    click_cell(page, 0, key="compare-tasks")
    page.wait_for_url(re.compile(r"task=refund-damaged-item"))
    expect(page.get_by_text("5 of 7 judged runs passed, 71 %")).to_be_visible()
    click_cell(page, 1, x=520, key="compare-runs")
    page.wait_for_url(re.compile(r"left=support-receipt-untold&right=support-behind-the-scenes"))
    expect(steps(page)).to_be_visible()
    page.get_by_role("button", name="All runs of the task").click()
    page.wait_for_url(re.compile(r"task=refund-damaged-item"))


def test_a_run_that_is_not_there_is_said_and_another_can_be_chosen(page: Page, samples: str) -> None:
    page.goto(f"{samples}/compare?left=nobody&right=support-refund-clean")
    expect(page.get_by_text("This run is not in the store")).to_be_visible()
    field = page.get_by_role("combobox", name="Left run")
    field.fill("support-claimed-refund")
    field.press("Enter")
    page.get_by_role("button", name="Compare the runs").click()
    page.wait_for_url(re.compile(r"left=support-claimed-refund&right=support-refund-clean"))
    expect(steps(page)).to_be_visible()
