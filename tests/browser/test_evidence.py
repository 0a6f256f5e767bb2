"""The evidence as a reviewer meets it: every kind of finding and every boundary on the page of a sample run, the way
from a finding to what it rests on, and the facts of an answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from sample_runs import expected
from trace_store.contract.findings.registry import KINDS
from trace_store.evidence.boundary import RECOVERY

SAMPLES = Path(__file__).resolve().parents[2] / "sample_runs" / "runs"


def covering() -> dict[str, set[str]]:
    """A few sample runs that together show every kind of finding, each with the kinds that it is opened for."""
    shown = {run: set(kinds.split()) for run, kinds in expected.FINDINGS.items()}
    missing, chosen = set(KINDS), {}
    while missing:
        run = max(shown, key=lambda one: len(shown[one] & missing))
        found = shown[run] & missing
        if not found:
            pytest.fail(f"no sample run shows {sorted(missing)}")
        chosen[run] = found
        missing -= found
    return chosen


def finding(page: Page, kind: str) -> Locator:
    return page.locator(f'article.finding[data-kind="{kind}"]').first


def title(of: Locator) -> Locator:
    return of.get_by_role("button").first


TWO_FRAMES = "requestAnimationFrame(() => requestAnimationFrame(done))"


def scrolled_to(page: Page, kind: str) -> Locator:
    """The first finding of a kind, from the top of the view down; those out of sight are not in the document."""
    box = page.locator(".findings .scroll")
    page.locator(".findings article").first.wait_for()
    for _ in range(40):
        if finding(page, kind).count():
            break
        box.evaluate(f"box => new Promise(done => {{ box.scrollTop += 300; {TWO_FRAMES}; }})")
    return finding(page, kind)


def test_every_kind_of_finding_is_seen_on_the_page_of_a_sample_run(page: Page, samples: str) -> None:
    severities = ["error", "warning", "info"]
    for run, kinds in covering().items():
        page.goto(f"{samples}/run?run={run}&panel=findings")
        in_order = [kind for severity in severities for kind in KINDS if KINDS[kind].severity == severity]
        for kind in (kind for kind in in_order if kind in kinds):
            found, known = scrolled_to(page, kind), KINDS[kind]
            expect(title(found)).to_have_text(known.title)
            expect(found).to_have_class(re.compile(rf"\b{known.severity}\b"))


def test_every_boundary_is_seen_in_the_head_of_a_sample_run(page: Page, samples: str) -> None:
    runs = {stage: run for run, stage in expected.BOUNDARIES.items()}
    assert runs.keys() == RECOVERY.keys()
    for stage, run in runs.items():
        page.goto(f"{samples}/run?run={run}")
        expect(page.locator(".st-key-boundary-text")).to_contain_text(f"First failed at {stage}: ")
        page.get_by_role("button", name="What to do").click()
        expect(page.locator(".st-key-boundary-recovery")).to_contain_text(RECOVERY[stage])


def test_findings_stand_under_their_severities_with_counts(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=billing-schema-faults&panel=findings")
    groups = page.locator(".findings").get_by_role("heading")
    expect(groups).to_contain_text(["1 error", "8 warnings", "2 infos"])


def test_a_chosen_finding_says_what_its_kind_means(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=billing-schema-faults&panel=findings")
    for kind in ("arguments_invalid", "tool_undeclared"):
        found, known = finding(page, kind), KINDS[kind]
        if kind == "arguments_invalid":
            expect(title(found)).to_have_attribute("aria-expanded", "true")  # the first is open
        else:
            expect(found.locator("dl")).to_have_count(0)
            title(found).click()
        plain = [
            text.replace("`", "")
            for text in (known.meaning, known.why_it_matters, known.false_alarms, known.what_to_do)
        ]
        expect(found.locator("dd")).to_have_text(plain)
    title(finding(page, "arguments_invalid")).click()
    expect(finding(page, "arguments_invalid").locator("dl")).to_have_count(0)


@pytest.mark.parametrize(
    ("run", "kind", "address_of", "evidence"),
    [
        ("support-claimed-refund", "call_without_receipt", r"step=messages", ".card.selected"),
        ("support-stale-token", "stale_token", r"step=calls", ".card.selected"),
        ("support-refund-typo-actor", "actor_silent", r"panel=actors&step=sub_agents", ".tree"),
        ("billing-schema-faults", "tool_binding_missing", r"panel=raw&step=tools_schema", ".st-key-raw-place"),
    ],
)
def test_a_finding_leads_to_its_evidence(
    page: Page, samples: str, run: str, kind: str, address_of: str, evidence: str
) -> None:
    page.goto(f"{samples}/run?run={run}&panel=findings")
    scrolled_to(page, kind).get_by_role("button", name="Go to the evidence").click()
    page.wait_for_url(re.compile(address_of))
    expect(page.locator(evidence)).to_be_visible()
    page.go_back()
    expect(page.locator(".findings article").first).to_be_visible()


def facts(page: Page, within: str, kind: str) -> Locator:
    return page.locator(f"{within} .fact.{kind}")


@pytest.mark.parametrize("within", [".answer", ".transcript"])
def test_facts_found_nowhere_are_marked_in_the_answer(page: Page, samples: str, within: str) -> None:
    page.goto(f"{samples}/run?run=research-ungrounded-figure")
    expect(facts(page, within, "nowhere")).to_have_text(["4.31", "68"])
    expect(facts(page, within, "nowhere").first).to_have_attribute(
        "title", "not found in any receipt, message or task input"
    )
    expect(facts(page, within, "linked")).to_have_text(["2019", "4.37"])
    expect(facts(page, within, "linked").last).to_have_attribute("title", "found in calls[0].response.level_m")
    assert page.locator(f"{within} .txt", has_text="4.31").evaluate("n => n.textContent") == (
        "The highest level at Skerry in 2019 was 4.37 m. Levels above 4.31 m come back every 68 years on average."
    )


LEFT = """(node, words) => words.map((word) => {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + word.length);
    return range.getBoundingClientRect().left;
  }
})"""
"""Where words are drawn, in pixels from the left."""


@pytest.mark.parametrize("within", [".answer", ".transcript .item-message"])
def test_a_date_reads_from_left_to_right_in_a_right_to_left_answer(page: Page, samples: str, within: str) -> None:
    page.goto(f"{samples}/run?run=support-arabic-return")
    answer = page.locator(f"{within} .txt", has_text="2026-04-20").last
    year, month, day = answer.evaluate(LEFT, ["2026", "-04", "-20"])
    assert year < month < day
    assert "NK-20877 حتى 2026-04-20." in answer.evaluate("node => node.textContent")


def test_an_id_in_a_right_to_left_question_is_isolated_and_the_text_stays(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=support-arabic-return")
    question = page.locator(".transcript .item-message .txt", has_text="NK-20877").first
    expect(question.locator("[dir=ltr]")).to_have_text("NK-20877")
    assert "من الطلب NK-20877. هل" in question.evaluate("node => node.textContent")


def test_a_fact_of_the_head_leads_to_where_it_was_found(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=research-ungrounded-figure")
    facts(page, ".answer", "linked").last.click()
    page.wait_for_url(re.compile(r"step=calls"))
    expect(page.locator(".card.selected .tool")).to_have_text("read_gauge")


def test_a_fact_of_the_transcript_leads_to_its_card(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=research-ungrounded-figure")
    facts(page, ".transcript", "linked").last.press("Enter")
    expect(page.locator(".card.selected .tool")).to_have_text("read_gauge")


def test_a_match_of_find_within_a_fact_leaves_both_marked(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=research-ungrounded-figure")
    page.get_by_placeholder("Find in run").fill("37 m. Levels above 4.3")
    text = page.locator(".transcript .item-message .txt", has_text="Levels above")
    expect(text.locator("mark")).to_have_text("37 m. Levels above 4.3")
    expect(text.locator("mark .fact.linked")).to_have_text("37")
    expect(text.locator("mark .fact.nowhere")).to_have_text("4.3")


def test_a_long_answer_is_folded_and_opens(page: Page, samples: str) -> None:
    page.goto(f"{samples}/run?run=research-long-report")
    text = page.locator(".answer .txt")
    expect(text).to_have_class(re.compile("folded"))
    page.get_by_role("button", name="Show all 50,012 characters").click()
    expect(text).not_to_have_class(re.compile("folded"))
    assert len(text.evaluate("n => n.textContent")) == 50_012
    page.get_by_role("button", name="Show less").click()
    expect(text).to_have_class(re.compile("folded"))
