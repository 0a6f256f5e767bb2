"""Who acted: an undeclared label over all runs leads to its calls, and the timeline shows who waited for what."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.steps import click_cell, settle


def test_an_undeclared_label_leads_to_its_calls(page: Page, samples: str) -> None:
    page.goto(f"{samples}/actors?q=run:support-refund-typo-actor")
    expect(page.get_by_test_id("stDataFrame").first.locator("[data-testid^=glide-cell]").first).to_be_attached()
    click_cell(page, 0)
    expect(page).to_have_url(re.compile("/calls.*refund_agnt"))
    expect(page.locator(".st-key-query-text input")).to_have_value(re.compile("actor_status:undeclared"))
    expect(page.locator(".st-key-calls-head")).to_contain_text("calls")


def test_the_timeline_opens_a_chain_and_leads_to_its_calls(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=travel-lock-exhausted&panel=timeline")
    timeline = page.get_by_role("region", name="Lanes by actor")
    expect(timeline).to_be_visible()
    settle(page)
    chain = timeline.get_by_role("button", name=re.compile("attempts, the last failed")).first
    expect(chain).to_be_visible()
    page.get_by_role("button", name="Unfold chains").click()
    attempt = timeline.get_by_role("button", name=re.compile("attempt 2 of")).first
    expect(attempt).to_be_visible()
    attempt.click()
    expect(page).to_have_url(re.compile(r"step=calls"))
