"""Reviewing as a person does it: a queue of ten by keys alone, two reviewers on one run, and many runs at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import settle
from trace_store.importing import import_paths
from trace_store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with twelve runs."""
    file = tmp_path / "nightly.jsonl"
    runs = [
        {
            "run_id": f"run_{n:02}",
            "final_response": f"Answer {n}",
            "messages": [
                {"role": "user", "content": f"question {n}"},
                {"role": "assistant", "content": f"Answer {n}"},
            ],
        }
        for n in range(12)
    ]
    file.write_bytes(b"".join(orjson.dumps(run) + b"\n" for run in runs))
    url = f"sqlite:///{tmp_path / 'traces.db'}"
    with Store.open(url) as opened:
        import_paths(opened, [file])
    return url


@pytest.fixture
def address(serve: Callable[..., str], store: str) -> str:
    return serve(store=store)


def title(page: Page) -> str:
    return page.locator(".st-key-run-title").inner_text()


def test_ten_runs_are_reviewed_by_keys_alone(page: Page, address: str, store: str) -> None:
    with Store.open(store) as opened:
        queue = opened.make_queue("First ten", sort="run", run_ids=[f"run_{n:02}" for n in range(10)])
    page.goto(f"{address}/review?queue={queue.id}")
    page.get_by_role("button", name="Begin").click()
    for n in range(10):
        expect(page.locator(".st-key-run-title")).to_have_text(f"run_{n:02}")
        settle(page)
        key, chosen = ("f", "fail") if n % 3 == 0 else ("p", "pass")
        page.keyboard.press(key)
        expect(page.locator(f".st-key-review-{chosen} button[kind=primary]")).to_be_visible()
        settle(page)
        page.keyboard.press("n")
    expect(page.locator(".st-key-queue-1")).to_contain_text("10 of 10 reviewed")
    with Store.open(store) as opened:
        said = [opened.review(f"run_{n:02}") for n in range(12)]
    assert [review.verdict if review else None for review in said] == [
        *("fail" if n % 3 == 0 else "pass" for n in range(10)), None, None,
    ]  # fmt: skip


def test_the_step_that_is_clicked_becomes_the_decisive_one(page: Page, address: str, store: str) -> None:
    page.goto(f"{address}/run?run=run_03")
    page.locator(".st-key-run-transcript").get_by_text("question 3").last.click()
    expect(page).to_have_url(re.compile("step=messages"))
    page.locator(".st-key-review-decisive button").click()
    expect(page.locator(".st-key-review-step-open")).to_contain_text("message 0: user")
    settle(page)
    page.keyboard.press("s")
    expect(page.locator(".st-key-review-notice")).to_contain_text("Saved")
    with Store.open(store) as opened:
        review = opened.review("run_03")
    assert review is not None
    assert review.step == "messages[0]"


def test_two_reviewers_see_each_other(page: Page, address: str, store: str, browser: Browser) -> None:
    page.goto(f"{address}/run?run=run_05")
    page.locator(".st-key-review-pass button").click()
    expect(page.locator(".st-key-review")).to_contain_text("not saved yet")
    other = browser.new_context().new_page()
    other.goto(f"{address}/run?run=run_05")
    other.locator(".st-key-review-fail button").click()
    expect(other.locator(".st-key-review")).to_contain_text("not saved yet")
    other.locator(".st-key-review-save button").click()
    expect(other.locator(".st-key-review-notice")).to_contain_text("fail")
    other.context.close()
    page.locator(".st-key-review-save button").click()
    expect(page.locator(".st-key-review-conflict")).to_contain_text("Nothing was overwritten")
    page.get_by_role("button", name="Take theirs").click()
    expect(page.locator(".st-key-review-fail button[kind=primary]")).to_be_visible()
    with Store.open(store) as opened:
        assert len(opened.review_history("run_05")) == 1


def test_many_runs_get_one_word_and_it_is_undone(page: Page, address: str, store: str) -> None:
    page.goto(f"{address}/review?section=many&q=run:run_0*")
    page.locator(".st-key-bulk-verdict").get_by_text("unsure").click()
    confirm = page.locator(".st-key-bulk-confirmed")
    expect(confirm.locator("input")).to_be_enabled()
    confirm.locator("label").click()
    page.get_by_role("button", name="Review 10 runs").click()
    expect(page.locator(".st-key-bulk-notice")).to_contain_text("Saved on 10 runs.")
    with Store.open(store) as opened:
        assert opened.runs("review:unsure").total == 10
    page.locator(".st-key-bulk-undo button").click()
    expect(page.locator(".st-key-bulk-notice")).to_contain_text("Undone on 10 runs.")
    with Store.open(store) as opened:
        assert opened.runs("reviewed:true").total == 0
