"""Reviewing as a reviewer does it: a queue by keyboard alone, two people on one run, many runs at once, files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.browser.every_page import rest
from tests.browser.steps import settle
from trace_store import Store, import_paths
from trace_store.model import Review

RUNS = 10


def body(number: int) -> dict[str, object]:
    return {
        "run_id": f"run-{number:02}",
        "final_response": "Refunded.",
        "messages": [
            {"role": "user", "content": "Please refund order 4521."},
            {"role": "assistant", "tool_calls": [{"id": "a", "name": "issue_refund", "arguments": {"order": 4521}}]},
            {"role": "tool", "tool_call_id": "a", "content": "{}"},
            {"role": "assistant", "content": "Refunded."},
        ],
        "proxy_calls": [
            {
                "tool_name": "issue_refund",
                "arguments": {"order": 4521},
                "source": "odyssey",
                "response": {},
                "actor_id": "desk",
            }
        ],
    }


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("reviewing")
    (folder / "runs.jsonl").write_text("\n".join(json.dumps(body(number)) for number in range(1, RUNS + 1)))
    address = f"sqlite:///{folder / 'traces.db'}"
    with Store.open(address) as store:
        import_paths(store, [str(folder / "runs.jsonl")])
    return address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """The store of the app, with no review and no queue in it."""
    with Store.open(url) as store:
        for run_id, _ in list(store.reviews.each("")):
            store.reviews.save(run_id, None)
        for queue in store.queues.all():
            store.queues.delete(queue.id)
        yield store


@pytest.fixture(scope="module")
def address(serve: Serve, url: str) -> str:
    return serve(store=url)


def opened(page: Page, run_id: str) -> None:
    """Waits until the run is open, and its panel is the one that the next key means."""
    expect(page.locator(".st-key-run-title")).to_have_text(run_id)
    expect(page.locator(".st-key-review-save-next")).to_be_visible()  # the last of the page to be drawn
    settle(page)


def open_run(page: Page, address: str, run_id: str, **more: str) -> None:
    page.goto(f"{address}/run?run={run_id}" + "".join(f"&{name}={value}" for name, value in more.items()))
    opened(page, run_id)
    expect(page.get_by_role("button", name="Keys")).to_be_visible()
    rest(page)


def press(page: Page, *keys: str) -> None:
    """Presses keys, each when the page is ready for it."""
    for key in keys:
        settle(page)
        page.keyboard.press(key)


def sign(page: Page, name: str) -> None:
    """Writes the reviewer's name, by keyboard."""
    press(page, "w")
    expect(page.locator(".st-key-review").get_by_role("textbox", name="Reviewer")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    settle(page)


def test_a_queue_of_ten_by_keyboard_alone(page: Page, address: str, store: Store) -> None:
    """Verdict, decisive step, responsible actor and on: seven keys a run."""
    page.goto(f"{address}/review")
    page.get_by_role("textbox", name="Name").fill("Refunds")
    page.keyboard.press("Enter")
    settle(page)
    page.get_by_role("button", name="Make the queue").press("Enter")
    expect(page.get_by_text("0 of 10 reviewed")).to_be_visible()
    page.get_by_role("button", name="Begin").press("Enter")

    order = [str(row["run_id"]) for row in store.runs("", sort=store.queues.all()[0].sort, limit=RUNS).rows]
    opened(page, order[0])
    sign(page, "Ada")
    for place, run_id in enumerate(order):
        opened(page, run_id)
        expect(page.locator(".st-key-run-pager")).to_contain_text(f"{place} of {RUNS} reviewed")
        press(page, "f" if place % 3 == 0 else "p", ".", "x")  # the step that is outlined is the one that is marked
        expect(page.locator(".st-key-review-step-open")).to_contain_text("message 1: assistant")
        press(page, "a", "ArrowDown", "Enter")
        expect(page.locator(".st-key-review")).to_contain_text("Changed and not saved yet.")
        press(page, "n")
    expect(page).to_have_url(re.compile("/review"))
    expect(page.get_by_text("10 of 10 reviewed")).to_be_visible()

    reviews = dict(store.reviews.each(""))
    assert {run_id: (review.verdict, review.reviewer) for run_id, review in reviews.items()} == {
        run_id: ("fail" if place % 3 == 0 else "pass", "Ada") for place, run_id in enumerate(order)
    }
    assert {(review.step, review.actor_id) for review in reviews.values()} == {("messages[1]", "desk")}


def test_what_is_not_saved_is_there_after_a_reload(page: Page, address: str, store: Store) -> None:
    open_run(page, address, "run-04")
    page.keyboard.press("f")
    expect(page.locator(".st-key-review")).to_contain_text("Changed and not saved yet.")
    settle(page)
    page.reload()
    expect(page.locator(".st-key-review")).to_contain_text("Changed and not saved yet.")
    expect(page.locator(".st-key-review-fail button[kind=primary]").first).to_be_visible()
    assert store.reviews.get("run-04") is None


def test_letters_in_a_note_are_letters(page: Page, address: str, store: Store) -> None:
    open_run(page, address, "run-01")
    page.keyboard.press("e")
    expect(page.get_by_role("textbox", name="Note")).to_be_focused()
    page.keyboard.type("fuss, pins")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".st-key-review-notice")).to_contain_text("Saved")
    review = store.reviews.get("run-01")
    assert review is not None
    assert (review.verdict, review.note) == (None, "fuss, pins")


def test_two_reviewers_do_not_overwrite_each_other_unseen(
    page: Page, browser: Browser, address: str, store: Store
) -> None:
    open_run(page, address, "run-02")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    other = context.new_page()
    open_run(other, address, "run-02")
    sign(other, "Bo")
    other.keyboard.press("p")
    expect(other.locator(".st-key-review")).to_contain_text("Changed and not saved yet.")
    settle(other)
    other.keyboard.press("s")
    expect(other.locator(".st-key-review-notice")).to_contain_text("Saved")
    context.close()

    sign(page, "Ada")
    page.keyboard.press("f")  # on what this page still shows: a run without a review
    expect(page.locator(".st-key-review")).to_contain_text("Changed and not saved yet.")
    settle(page)
    page.keyboard.press("s")
    conflict = page.locator(".st-key-review-conflict")
    expect(conflict).to_contain_text("Nothing was overwritten")
    assert [review.verdict for _, review in store.reviews.each("run:run-02")] == ["pass"]
    conflict.get_by_role("button", name="Save mine").click()
    expect(page.locator(".st-key-review-notice")).to_contain_text("Saved")
    expect(conflict).to_have_count(0)
    assert [review.verdict for _, review in store.reviews.each("run:run-02")] == ["fail"]
    assert [state.review and state.review.verdict for state in store.reviews.history("run-02")][:2] == ["fail", "pass"]


def test_the_decisive_step_is_chosen_by_clicking_it(page: Page, address: str, store: Store) -> None:
    open_run(page, address, "run-03")
    page.get_by_role("article", name="message 3, assistant", exact=True).click()
    page.get_by_role("button", name="Decided at message 3: assistant").click()
    step = page.locator(".st-key-review-step-open")
    expect(step).to_contain_text("message 3: assistant")

    page.get_by_role("radio", name="Calls").or_(page.get_by_role("button", name="Calls 1")).first.click()
    expect(page).to_have_url(re.compile("panel=calls"))
    expect(step).to_contain_text("message 3: assistant")  # what is not saved outlives the change of panels
    settle(page)
    page.keyboard.press("s")
    expect(page.locator(".st-key-review-notice")).to_contain_text("Saved")
    review = store.reviews.get("run-03")
    assert review is not None
    assert review.step == "messages[3]"

    step.get_by_role("button").click()
    expect(page).not_to_have_url(re.compile("panel="))
    expect(page.get_by_role("article", name="message 3, assistant", exact=True)).to_be_visible()


def test_many_runs_are_reviewed_at_once_and_back(page: Page, address: str, store: Store) -> None:
    store.reviews.save("run-04", Review(verdict="unsure", reviewer="Bo"))
    page.goto(f"{address}/review?section=many")
    form = page.locator(".st-key-bulk")
    form.get_by_role("radio", name="fail").or_(form.get_by_role("button", name="fail")).first.click()
    settle(page)
    form.get_by_role("textbox", name="Reviewer").fill("Ada")
    form.get_by_role("textbox", name="Reviewer").press("Tab")
    settle(page)
    form.get_by_text("Yes, 10 runs").click()
    form.get_by_role("button", name="Review 10 runs").click()
    notice = page.locator(".st-key-bulk-notice")
    expect(notice).to_contain_text("Saved on 10 runs.")
    assert {review.verdict for _, review in store.reviews.each("")} == {"fail"}

    notice.get_by_role("button", name="Undo").click()
    expect(notice).to_contain_text("Undone on 10 runs.")
    assert [(run_id, review.verdict) for run_id, review in store.reviews.each("")] == [("run-04", "unsure")]


def test_reviews_go_out_as_a_file_and_come_back(page: Page, address: str, store: Store, tmp_path: Path) -> None:
    mine = Review(
        verdict="fail", failure_mode="wrong tool", note='=1+1, "quoted"\nשלום', reviewer="Bo", tags=("a", "b")
    )
    store.reviews.save("run-05", mine)
    page.goto(f"{address}/review?section=files")
    for form in ("CSV", "JSONL"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download {form}").click()
        file = tmp_path / f"reviews.{form.lower()}"
        download.value.save_as(file)
        store.reviews.save("run-05", None)
        page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
        report = page.locator("[class*=st-key-reviews-report]", has_text=file.name)
        expect(report).to_contain_text("1 saved, 0 unchanged, 0 rejected")
        review = store.reviews.get("run-05")
        assert review is not None
        assert (review.verdict, review.failure_mode, review.note, review.reviewer, review.tags) == (
            mine.verdict,
            mine.failure_mode,
            mine.note,
            mine.reviewer,
            mine.tags,
        )
        page.reload()


def test_a_line_that_is_not_a_review_is_reported(page: Page, address: str, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "mixed.jsonl"
    file.write_text('{"run_id": "run-06", "verdict": "pass"}\n{"run_id": "nobody", "verdict": "pass"}\n{"run_id": ')
    page.goto(f"{address}/review?section=files")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    expect(page.locator("[class*=st-key-reviews-report]")).to_contain_text("1 saved, 0 unchanged, 2 rejected")
    assert [run_id for run_id, _ in store.reviews.each("")] == ["run-06"]
