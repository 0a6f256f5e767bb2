"""The Run page as a whole: a low head, a transcript that fills the window, what was found beside it, and "Show"."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.browser.steps import settle, until
from trace_store import Store, import_paths

HIGHEST_PX = 260
"""Above it the transcript begins, on a window of 1280 x 800 pixels."""

LONG = "A very long title of a scenario that says everything about what the agent was asked to do " * 4
RUNS: list[dict[str, object]] = [
    {
        "run_id": "long",
        "scenario": LONG,
        "task_id": "t" * 200,
        "judge_passed": False,
        "final_response": "\n\n".join(f"Paragraph {n} of the answer." for n in range(60)),
        "messages": [{"role": "user", "content": f"message {n}"} for n in range(200)],
        "sub_agents": ["planner"],
        "proxy_calls": [
            {"tool_name": f"tool_{n % 7}", "arguments": {"n": n}, "response": {"n": n}, "source": "odyssey"}
            for n in range(40)
        ]
        + [{"tool_name": "broken", "source": "error", "status_code": 500, "error": {"detail": "down " * 60}}],
        "soft_warnings": ["a warning"] * 9,
    },
    {
        "run_id": "silent",
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "I looked into it.\nNothing was left to do."},
            {"role": "user", "content": "and?"},
        ],
    },
    {"run_id": "thin", "final_response": "done"},
    {"run_id": "failed", "status": "timeout", "error_class": "agent_timeout", "error": {"stage": "agent"}},
    {
        "run_id": "declared",
        "final_response": "done",
        "messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": "done"}],
        "metadata": {"agent_runtime_ms": 48_000},
        "tools_schema": [{"name": "get", "mode": "simulated", "input_schema": {"type": "object"}}],
        "proxy_calls": [
            {"tool_name": "get", "arguments": {"n": n}, "response": {"n": n}, "source": "odyssey", "latency_ms": 1000}
            | {"started_at": f"2026-04-01T09:00:{second}Z"}
            for n, second in enumerate(("00", "11"))
        ],
    },
    {
        "run_id": "judged",
        "judge_passed": False,
        "final_response": "done",
        "messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": "done"}],
    },
]


@pytest.fixture(scope="module")
def app(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("layout")
    file = folder / "runs.jsonl"
    file.write_text("\n".join(map(json.dumps, RUNS)))
    url = f"sqlite:///{folder / 'traces.db'}"
    with Store.open(url) as store:
        import_paths(store, [file])
    return serve(store=url)


@pytest.fixture
def window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield page
    context.close()


def open_run(page: Page, app: str, run: str, more: str = "") -> None:
    page.goto(f"{app}/run?run={run}{more}")
    page.locator(".transcript .item").first.wait_for()
    settle(page)


def top_of(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"]


def is_in_view(page: Page, selector: str) -> bool:
    inside: bool = page.locator(selector).evaluate(
        """element => {
            const box = element.getBoundingClientRect();
            const view = element.closest("[data-part=scroll]").getBoundingClientRect();
            return box.top >= view.top - 1 && box.top < view.bottom;
        }"""
    )
    return inside


def test_the_transcript_begins_high_and_is_all_that_scrolls(window: Page, app: str, samples: str) -> None:
    for server, run in [
        *((app, str(run["run_id"])) for run in RUNS),
        (samples, "support-claimed-refund"),
        (samples, "research-long-report"),
        (samples, "support-hostile-markup"),
    ]:
        open_run(window, server, run)
        assert top_of(window, ".transcript") < HIGHEST_PX, run
        main = window.get_by_test_id("stMain")
        assert main.evaluate("main => main.scrollHeight - main.clientHeight") <= 1, run
        assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 1, run


def test_the_head_gives_its_room_to_who_reads_on(window: Page, app: str) -> None:
    open_run(window, app, "long")
    before = top_of(window, ".transcript")
    scroll = window.locator(".transcript [data-part=scroll]")
    scroll.evaluate("box => { box.scrollTop = 1500; }")
    expect(window.locator(".st-key-run-chips")).to_be_hidden()
    expect(window.locator(".st-key-boundary-text")).to_be_visible()
    assert top_of(window, ".transcript") < before - 60
    scroll.evaluate("box => { box.scrollTop = 0; }")
    expect(window.locator(".st-key-run-chips")).to_be_visible()


def test_a_narrow_head_is_as_low_and_has_what_it_hides_under_details(window: Page, app: str) -> None:
    window.set_viewport_size({"width": 900, "height": 800})
    open_run(window, app, "long")
    assert top_of(window, ".transcript") < HIGHEST_PX
    line = window.locator(".st-key-run-chips-line")
    assert line.evaluate("line => line.scrollHeight - line.clientHeight") > 0
    window.get_by_role("button", name="Details").click()
    expect(window.get_by_test_id("stPopoverBody").get_by_text("9 warnings").first).to_be_visible()


def test_an_answer_shows_three_lines_and_the_rest_on_demand(window: Page, app: str) -> None:
    open_run(window, app, "long")
    answer = window.locator(".answer .txt")
    folded = answer.bounding_box()
    assert folded is not None and folded["height"] <= 61
    window.get_by_role("button", name=re.compile("Show all .* characters")).first.click()
    opened = answer.bounding_box()
    assert opened is not None and opened["height"] > 200


def test_what_was_found_stands_beside_the_transcript_on_a_wide_screen(window: Page, samples: str) -> None:
    window.set_viewport_size({"width": 1920, "height": 1080})
    open_run(window, samples, "support-claimed-refund")
    side = window.locator(".st-key-run-aside")
    expect(side.locator("article.finding").first).to_be_visible()
    expect(side.locator(".tree")).to_be_visible()
    expect(window.locator(".st-key-run-side-toggle")).to_be_hidden()
    box = side.bounding_box()
    assert box is not None and box["x"] > 1400


def test_on_a_narrow_screen_it_opens_and_closes_by_key(window: Page, samples: str) -> None:
    open_run(window, samples, "support-claimed-refund")
    expect(window.locator(".st-key-run-aside")).to_be_hidden()
    window.keyboard.press("i")
    expect(window.locator(".st-key-run-aside-open article.finding").first).to_be_visible()
    window.wait_for_url(re.compile("side=open"))
    settle(window)
    window.keyboard.press("Escape")
    expect(window.locator(".st-key-run-aside-open")).to_have_count(0)


def test_a_finding_beside_the_transcript_brings_its_card_into_view(window: Page, samples: str) -> None:
    open_run(window, samples, "support-claimed-refund", "&side=open")
    finding = window.locator("article.finding[data-kind=call_without_receipt]").first
    finding.get_by_role("button", name="Go to the evidence").click()
    expect(window.locator(".card.selected")).to_be_visible()
    assert is_in_view(window, ".card.selected")
    assert "panel=" not in window.url


def test_an_actor_beside_the_transcript_leads_to_its_first_call(window: Page, samples: str) -> None:
    open_run(window, samples, "support-refund-typo-actor", "&side=open")
    window.locator(".st-key-run-aside-open .tree [role=treeitem]", has_text="undeclared").first.click()
    window.wait_for_url(re.compile(r"step=calls"))
    expect(window.locator(".card.selected")).to_be_visible()
    assert is_in_view(window, ".card.selected")
    assert "panel=" not in window.url


def test_show_in_the_head_stays_in_the_transcript_and_marks_the_card(window: Page, app: str) -> None:
    open_run(window, app, "long")
    window.locator(".st-key-boundary-text-show").get_by_role("button").click()
    expect(window.locator(".card.selected")).to_be_visible()
    expect(window.locator(".card.selected .tool")).to_have_text("broken")
    assert is_in_view(window, ".card.selected")


def test_a_run_without_a_final_response_shows_the_last_message_as_what_it_is(window: Page, app: str) -> None:
    open_run(window, app, "silent")
    answer = window.locator(".answer")
    expect(answer).to_contain_text("No final response in the export; last message: I looked into it.")
    window.locator(".st-key-answer-show").get_by_role("button").click()
    expect(window.locator(".item.selected")).to_contain_text("Nothing was left to do.")


def test_a_run_that_the_judge_failed_is_not_called_free_of_failures(window: Page, app: str) -> None:
    open_run(window, app, "judged")
    button = window.locator(".transcript [data-part=failure]")
    expect(button).to_have_text("No failed step")
    expect(button).to_have_attribute("title", re.compile("The judge failed the run nevertheless"))


def test_show_in_the_calls_panel_selects_the_row(window: Page, app: str) -> None:
    window.goto(f"{app}/run?run=long&panel=calls&step=calls[3]")
    settle(window)
    card = window.locator(".call-card .card")
    expect(card).to_contain_text("tool_3")
    table = window.locator(".st-key-run-calls .dvn-scroller")
    assert table.evaluate("table => table.scrollTop") == 0
    window.locator(".st-key-boundary-text-show").get_by_role("button").click()
    expect(card).to_contain_text("broken")
    assert "panel=calls" in window.url
    # The call is the last of 41.
    at_the_end = "(t => t.scrollHeight - t.clientHeight - t.scrollTop <= 1)"
    until(window, f"{at_the_end}(document.querySelector('.st-key-run-calls .dvn-scroller'))")


def test_a_link_to_a_call_far_down_the_log_brings_its_row_into_sight(window: Page, app: str) -> None:
    window.goto(f"{app}/run?run=long&panel=calls&step=calls[20]")
    expect(window.locator(".call-card .card")).to_contain_text("tool_6")
    table = window.locator(".st-key-run-calls .dvn-scroller")
    until(window, "document.querySelector('.st-key-run-calls .dvn-scroller')?.scrollTop > 0")
    assert table.evaluate("table => table.scrollHeight - table.clientHeight - table.scrollTop") > 0


def test_a_call_of_the_log_is_shown_as_the_card_of_its_chain(window: Page, samples: str) -> None:
    window.goto(f"{samples}/run?run=travel-agent-retry&panel=calls&step=calls[2]")
    card = window.locator(".call-card .card")
    card.get_by_role("button", name="call 1", exact=True).click()
    expect(card).to_contain_text("failed, recovered later")
    settle(window)
    card.hover()
    card.get_by_role("button", name="Make this call").click()
    expect(card).to_contain_text("decisive step")
    window.goto(f"{samples}/run?run=travel-rate-limited&panel=calls&step=calls[0]")
    expect(card.locator(".attempt.selected")).to_have_attribute("data-attempt", "0")


def test_what_the_transcript_does_not_show_is_found_in_the_raw_document(window: Page, app: str) -> None:
    open_run(window, app, "declared", "&side=open")
    finding = window.locator("article.finding[data-kind=output_schema_missing]")
    finding.get_by_role("button", name="Go to the evidence").click()
    window.wait_for_url(re.compile("panel=raw"))
    settle(window)
    expect(window.get_by_text("tools_schema[0]").first).to_be_visible()


def test_the_timeline_says_that_the_log_spans_less_than_the_agent_ran(window: Page, app: str) -> None:
    window.goto(f"{app}/run?run=declared&panel=timeline")
    expect(window.locator(".timeline [data-part=note]")).to_contain_text("The log spans 12.0 s of the agent's 48.0 s.")
