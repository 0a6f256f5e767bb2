"""Every page of the app, and with it each panel of the Run page: what the tests of all pages visit."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.browser.steps import settle, until


@dataclass(frozen=True, slots=True)
class Visit:
    """A page's address, and a pattern of words that stand on it when it is there."""

    path: str
    words: str


SAMPLES = {
    "runs": Visit("", "71 runs"),
    "run": Visit("run?run=support-claimed-refund", "support-claimed-refund"),
    "run-thin": Visit("run?run=support-thin-answer", "support-thin-answer"),
    "run-calls": Visit("run?run=travel-rate-limited&panel=calls", "2 chains"),
    "run-actors": Visit("run?run=support-refund-typo-actor&panel=actors", "Choose an actor"),
    "run-timeline": Visit("run?run=travel-rate-limited&panel=timeline", "travel-rate-limited"),
    "run-findings": Visit("run?run=support-claimed-refund&panel=findings", "What was seen"),
    "run-raw": Visit("run?run=support-claimed-refund&panel=raw", "bytes as imported"),
    "calls": Visit("calls?q=error_class%3A*", "of 172 calls"),
    "failures": Visit("failures", "calls failed"),
    "compare": Visit("compare", "Compare the runs"),
    "compare-runs": Visit("compare?left=support-refund-typo-actor&right=support-refund-clean", "support-refund-clean"),
    "compare-rates": Visit("compare?q=verdict%3Apassed&against=verdict%3Afailed", "Swap sides"),
    "review": Visit("review", "71 of 71 runs not reviewed"),
    "actors": Visit("actors", "Undeclared actors"),
    "judge": Visit("judge", "passed with errors"),
    "imports": Visit("imports", "9 imports"),
}
"""Over the sample runs."""

CORPUS = {
    "runs": Visit("", "27 runs"),
    "run": Visit("run?run=tau-airline-46-3", "tau-airline-46-3"),
    "run-calls": Visit("run?run=tau-airline-46-3&panel=calls", "18 calls"),
    "calls": Visit("calls", "calls"),
    "failures": Visit("failures", "calls failed"),
    "actors": Visit("actors", "in 27 runs"),
    "compare": Visit("compare", "Compare the runs"),
    "judge": Visit("judge", "passed with errors"),
}
"""Over real transcripts, where the sample runs do not show how a page fills."""


_AT_REST = """!document.querySelector("[data-stale=true]") && document.getAnimations().every(
    (one) => one.playState !== "running" || one.effect.getTiming().iterations === Infinity)"""


def rest(page: Page) -> None:
    """Waits until nothing fades or moves any more."""
    settle(page)
    until(page, _AT_REST)


def visit(page: Page, address: str, where: Visit) -> None:
    """Opens a page and waits until it is there, whole."""
    page.goto(f"{address}/{where.path}")
    expect(page.get_by_test_id("stMain").get_by_text(re.compile(where.words)).first).to_be_visible()
    expect(page.get_by_role("button", name="Keys")).to_be_visible()
    rest(page)
