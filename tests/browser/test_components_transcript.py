"""The transcript component in a real browser: exact text, find, jumps, folds, keys, and what is not in the document."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.component_runs import CONTROL_SHOWN, CONTROL_TEXT, EXACT_TEXTS
from tests.browser.conftest import Serve

Open = Callable[..., None]


@pytest.fixture(scope="module")
def address(serve: Serve) -> str:
    return serve("tests/browser/components_app.py")


@pytest.fixture
def opened(page: Page, address: str) -> Open:
    """`opened("card", focus=…)` shows a run of `component_runs`."""

    def go(case: str, focus: str | None = None) -> None:
        page.goto(f"{address}/?case={case}" + (f"&focus={focus}" if focus else ""))
        expect(page.locator("article.item").first).to_be_visible()

    return go


def item(page: Page, name: str) -> Locator:
    return page.get_by_role("article", name=name, exact=True)


def card(page: Page, path: str) -> Locator:
    return page.locator(f'.card[data-path="{path}"]')


def offset(of: Locator) -> float:
    """How far an element's top is below the top of the view that scrolls it, in pixels."""
    return float(of.evaluate("n => n.getBoundingClientRect().top - n.closest('.scroll').getBoundingClientRect().top"))


def scroll(scroller: Locator, step: str) -> None:
    """Scrolls by a script and lets two frames pass."""
    frames = "requestAnimationFrame(() => requestAnimationFrame(done))"
    scroller.evaluate(f"s => new Promise(done => {{ {step}; {frames}; }})")


# Text


def test_text_comes_through_exactly(opened: Open, page: Page) -> None:
    opened("exact")
    page.get_by_role("button", name="Exact", exact=True).click()
    shown = {name: item(page, f"message {at}, user").locator(".txt") for at, name in enumerate(EXACT_TEXTS)}
    assert {name: text.evaluate("n => n.textContent") for name, text in shown.items()} == EXACT_TEXTS
    assert page.locator("article.item img, article.item script, article.item a").count() == 0
    assert "owned" not in page.title()


def test_control_characters_are_shown_as_symbols(opened: Open, page: Page) -> None:
    opened("exact")
    assert (
        item(page, f"message {len(EXACT_TEXTS)}, user").locator(".txt").evaluate("n => n.textContent") == CONTROL_SHOWN
    )


def test_copy_gives_the_text_itself_not_its_symbols(opened: Open, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened("exact")
    page.get_by_role("button", name=f"Copy the text of message {len(EXACT_TEXTS)}").click()
    expect(page.get_by_role("button", name=f"Copy the text of message {len(EXACT_TEXTS)}")).to_have_text("Copied")
    # The clipboard of the system ends a text at NUL and may turn line ends: neither is ours.
    assert page.evaluate("navigator.clipboard.readText()").startswith(CONTROL_TEXT.split("\x00")[0])


def test_array_contents_show_part_by_part_and_nothing_is_fetched(opened: Open, page: Page) -> None:
    opened("parts")
    parts = item(page, "message 1, user, ann").locator(".part")
    expect(parts).to_have_count(5)
    expect(parts.nth(0)).to_contain_text("Look at this:")
    assert parts.nth(1).locator("img").get_attribute("src", timeout=5000).startswith("data:image/png;base64,")  # type: ignore[union-attr]
    assert parts.nth(2).locator(".txt").text_content() == "https://example.com/a.png"
    expect(parts.nth(2)).to_contain_text("image, not loaded, at")
    assert (
        parts.nth(3).locator(".txt").text_content() == '{"type": "audio", "seconds": 1.0, "id": 12345678901234567890}'
    )


def test_undecoded_arguments_are_shown_as_the_text_they_are(opened: Open, page: Page) -> None:
    opened("parts", focus="messages[2].tool_calls[0]")
    first = card(page, "messages[2].tool_calls[0]")
    expect(first).to_contain_text("not decoded: this is the exact text that the model wrote")
    expect(first.locator(".txt").first).to_have_text('{"q": "unclosed')
    expect(card(page, "messages[2].tool_calls[1]")).to_contain_text("not an object")


def test_thinking_and_other_fields_open_and_the_message_shows_as_json(opened: Open, page: Page) -> None:
    opened("parts", focus="messages[2]")
    message = item(page, "message 2, assistant")
    expect(message).not_to_contain_text("hidden plan")
    message.get_by_role("button", name="thinking · 11 characters").click()
    expect(message).to_contain_text("hidden plan")
    expect(message).to_contain_text('{"signature": "abc"}')
    message.get_by_label("View of message 2").select_option("Raw")
    expect(message.locator(".unfolded").first).to_contain_text('"arguments": "{\\"q\\": \\"unclosed"')


def test_long_text_is_folded_with_its_size_and_opens_in_place(opened: Open, page: Page) -> None:
    opened("long")
    message = item(page, "message 0, user")
    expect(message).to_contain_text("showing 4,000 of 61,234 characters")
    message.get_by_role("button", name="Show all").click()
    expect(message).to_contain_text("all 61,234 characters")
    assert len(message.locator(".txt").text_content() or "") == 61_234
    message.get_by_role("button", name="Show less").click()
    expect(message).to_contain_text("showing 4,000 of 61,234 characters")


def test_json_text_is_laid_out_and_its_exact_text_is_a_click_away(opened: Open, page: Page) -> None:
    opened("long", focus="messages[1].tool_calls[0]")
    answer = page.locator(".row", has_text="the model saw")
    expect(answer.locator(".json-line").nth(1)).to_have_text('{"id": 0, "price": 1.50},')
    answer.get_by_role("button", name="Show exact text").click()
    expect(answer.locator(".txt")).to_contain_text('[{"id":0,"price":1.50},{"id":1')
    answer.get_by_role("button", name="Lay out JSON").click()
    expect(answer.locator(".json-line").nth(1)).to_have_text('{"id": 0, "price": 1.50},')


def test_a_cut_final_answer_says_how_much_the_judge_did_not_see(opened: Open, page: Page) -> None:
    opened("long", focus="final_response")
    expect(item(page, "final answer")).to_contain_text("1,234 characters more stood in the body")
    expect(item(page, "final answer")).to_contain_text("of 50,012 characters")


# Cards


def test_a_card_reads_from_the_question_to_what_the_model_saw(opened: Open, page: Page) -> None:
    opened("card")
    recovered = card(page, "messages[1].tool_calls[0]")
    expect(recovered.locator(".label")).to_have_text(["attempts", "receipt", "the model saw"])
    expect(recovered.locator(".head")).to_contain_text('get_order{"order_id": "4521"}')
    expect(recovered.locator(".state")).to_have_text("recovered")
    expect(recovered).to_contain_text("3 attempts · lock_contention ×2 · 1.9 s lost")
    expect(recovered).to_contain_text(
        "call 2 · odyssey · 412 ms · status 200 · by supervisor/refund_agnt undeclared, did you mean refund_agent?"
    )
    expect(recovered).to_contain_text("= receipt")


def test_attempts_open_with_their_waits(opened: Open, page: Page) -> None:
    opened("card")
    recovered = card(page, "messages[1].tool_calls[0]")
    recovered.get_by_role("button", name=re.compile("3 attempts")).click()
    expect(recovered.locator(".attempt")).to_have_text(
        [re.compile("^1 failed · call 0"), re.compile("^2 failed · after 480 ms"), re.compile("^3 ok · after 1.2 s")]
    )
    expect(recovered.locator(".attempt").first).to_contain_text("a sibling call holds the lock")


def test_a_claim_without_receipt_and_an_injected_failure_say_so(opened: Open, page: Page) -> None:
    opened("card", focus="messages[4]")
    claim = card(page, "messages[4].tool_calls[0]")
    expect(claim.locator(".state")).to_have_text("no receipt")
    expect(claim).to_contain_text("none: the log has no such call")
    injected = card(page, "messages[4].tool_calls[1]")
    expect(injected.locator(".state")).to_have_text("injected failure")
    expect(injected).to_contain_text("rule 0")
    expect(injected).to_contain_text("says nothing of the failure")


def test_a_card_that_no_call_of_the_log_answers_says_so(opened: Open, page: Page) -> None:
    opened("unlinked")
    expect(card(page, "messages[1].tool_calls[0]")).to_contain_text("not linked to the log")
    expect(card(page, "messages[1].tool_calls[0]")).to_contain_text('{"status": "shipped"')
    opened("parts", focus="messages[2].tool_calls[0]")
    expect(card(page, "messages[2].tool_calls[0]")).not_to_contain_text("not linked to the log")


def test_calls_that_share_a_chain_take_their_own_attempts(opened: Open, page: Page) -> None:
    opened("split")
    first, second = card(page, "messages[0].tool_calls[0]"), card(page, "messages[1].tool_calls[0]")
    expect(first.locator(".state")).to_have_text("failed")
    expect(first).not_to_contain_text("attempts")
    expect(second.locator(".state")).to_have_text("ok")
    second.get_by_role("button", name="2 attempts").click()
    expect(second.locator(".attempt")).to_have_text(
        [re.compile("^1 failed · call 1"), re.compile("^2 ok · wait unknown")]
    )
    expect(second).to_contain_text("by constructor undeclared")


def test_a_dropped_entry_opens_its_original(opened: Open, page: Page) -> None:
    opened("card")
    dropped = item(page, "message 3, dropped")
    expect(dropped).to_contain_text('role "developer" is not one of system, user, assistant, tool.')
    dropped.get_by_role("button", name="Show it").click()
    expect(dropped.locator(".txt")).to_contain_text('"content": "Be brief. <b>9007199254740993</b>"')
    expect(dropped.locator(".txt")).to_contain_text('"n": 9007199254740993')


def test_a_log_of_steps_stands_folded_at_the_end_and_opens(opened: Open, page: Page) -> None:
    opened("steps", focus="final_response")
    heading = page.get_by_role("button", name="In the log, not linked to the transcript: 90 calls")
    expect(heading).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".card")).to_have_count(0)
    heading.click()
    expect(card(page, "calls[0]")).to_contain_text("by Orchestrator declared")


def test_an_answer_that_differs_from_its_receipt_is_shown_beside_it_and_marked_in_the_outline(
    opened: Open, page: Page
) -> None:
    opened("behind")
    shown = card(page, "messages[0].tool_calls[0]")
    expect(shown.locator(".row").nth(1)).to_have_text('response{"answer": "no"}')
    expect(shown.locator(".row").nth(2)).to_have_text("the model sawyesmessage 1differs from the receipt")
    mark = page.get_by_role("option", name="ask").get_by_role("img")
    expect(mark).to_have_attribute("aria-label", "what the model saw differs from the receipt")


def test_an_actor_outside_the_transcript_stands_apart_from_the_paired_calls(opened: Open, page: Page) -> None:
    opened("behind")
    expect(card(page, "messages[0].tool_calls[0]")).to_contain_text("call 0 · odyssey · 412 ms · status 200 · by desk")
    page.get_by_role("button", name="In the log, not linked to the transcript: 1 call").click()
    expect(card(page, "calls[1]")).to_contain_text("by fraud declared")


def test_a_thin_run_gives_its_reason_its_log_and_its_answer(opened: Open, page: Page) -> None:
    opened("thin")
    expect(item(page, "thin run")).to_contain_text("None of the 2 messages of the export could be kept.")
    expect(item(page, "thin run")).to_contain_text("transcript not collected")
    expect(page.locator(".card")).to_have_count(3)
    expect(item(page, "final answer")).to_contain_text("The refund of $79.50 has been issued")


def test_a_run_without_an_answer_ends_in_its_error(opened: Open, page: Page) -> None:
    opened("failed_run")
    expect(item(page, "final answer")).to_contain_text("No answer: ResponseShapeError")
    expect(item(page, "final answer")).to_contain_text("run failed: agent_timeout")


# Moving about


def test_the_outline_jumps_and_follows(opened: Open, page: Page) -> None:
    opened("big")
    outline = page.get_by_role("listbox", name="Outline")
    outline.get_by_role("option", name="6 get_order", exact=True).click()
    assert offset(item(page, "message 6, assistant")) == pytest.approx(8, abs=2)
    expect(outline.locator('[aria-selected="true"]')).to_have_text(re.compile("^6get_order"))
    outline.press("End")
    outline.press("Enter")
    expect(item(page, "final answer")).to_be_in_viewport()


def test_what_the_reader_looks_at_stays_when_rows_above_turn_out_taller(opened: Open, page: Page) -> None:
    opened("big", focus="messages[5000]")
    scroller = page.get_by_role("feed")
    for _ in range(6):
        places = page.locator("article.item").evaluate_all(
            "all => all.map(n => [n.dataset.at, n.getBoundingClientRect().top - n.closest('.scroll').offsetTop])"
        )
        top = next(at for at, below in places if below >= 0)
        row = page.locator(f'article.item[data-at="{top}"]')
        before = offset(row)
        scroll(scroller, "s.scrollTop -= 160")
        assert offset(row) == pytest.approx(before + 160, abs=2)


def test_few_nodes_stand_in_the_document_however_far_one_scrolls(opened: Open, page: Page) -> None:
    opened("big")
    scroller = page.get_by_role("feed")
    for share in (0, 0.13, 0.5, 0.77, 1):
        scroll(scroller, f"s.scrollTop = s.scrollHeight * {share}")
        nodes = scroller.evaluate("s => s.getRootNode().querySelectorAll('*').length")
        assert 60 < nodes < 600


def test_find_reaches_what_is_not_rendered(opened: Open, page: Page) -> None:
    opened("big")
    page.keyboard.press("/")
    page.keyboard.type("NEEDLE at the end")
    expect(page.get_by_role("status")).to_have_text("1 of 1")
    expect(page.locator("mark.current")).to_be_in_viewport()
    expect(page.locator("mark.current")).to_have_text("needle at the end")


def test_find_steps_through_folded_and_hidden_places(opened: Open, page: Page) -> None:
    opened("card")
    find = page.get_by_role("searchbox", name="Find in run")
    find.fill("a sibling call holds")
    expect(page.get_by_role("status")).to_have_text(re.compile("^1 of 2 in 1 place$"))
    expect(page.locator(".attempt").first.locator("mark.current")).to_be_visible()
    find.press("Enter")
    expect(page.get_by_role("status")).to_have_text(re.compile("^2 of 2 in 1 place$"))
    expect(page.locator(".attempt").nth(1).locator("mark.current")).to_be_visible()
    find.press("Shift+Enter")
    expect(page.get_by_role("status")).to_have_text(re.compile("^1 of 2 in 1 place$"))
    find.fill("be brief")
    expect(item(page, "message 3, dropped").locator("mark.current")).to_have_text("Be brief")
    find.fill("nowhere at all")
    expect(page.get_by_role("status")).to_have_text("no matches")
    find.press("Escape")
    expect(page.locator("mark")).to_have_count(0)


def test_find_shows_a_match_deep_in_a_folded_text_and_takes_the_query_literally(opened: Open, page: Page) -> None:
    opened("long")
    find = page.get_by_role("searchbox", name="Find in run")
    find.fill("word last")
    expect(page.locator("mark.current")).to_be_in_viewport()
    find.fill("[truncated]")
    expect(page.get_by_role("status")).to_have_text("1 of 1")
    expect(item(page, "final answer").locator("mark.current")).to_have_text("[truncated]")


def test_failure_keys_go_from_failure_to_failure(opened: Open, page: Page) -> None:
    opened("card")
    expect(page.get_by_role("button", name="Next failure (2)")).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator(".card.selected")).to_have_attribute("data-path", "messages[4].tool_calls[0]")
    page.keyboard.press("e")
    expect(page.locator(".card.selected")).to_have_attribute("data-path", "messages[4].tool_calls[1]")
    page.keyboard.press("Shift+N")
    expect(page.locator(".card.selected")).to_have_attribute("data-path", "messages[4].tool_calls[0]")


def test_a_failure_in_the_folded_log_is_reached(opened: Open, page: Page) -> None:
    opened("steps")
    page.keyboard.press("n")
    expect(card(page, "calls[60]")).to_be_in_viewport()
    expect(card(page, "calls[60]")).to_have_class(re.compile("selected"))


@pytest.mark.parametrize("move", ["scroll", "failure"])
def test_the_next_run_begins_at_its_top_however_far_down_one_was(opened: Open, page: Page, move: str) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.message))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    opened("big&next=card")
    if move == "scroll":
        scroll(page.get_by_role("feed"), "s.scrollTop = s.scrollHeight / 2")
    else:
        page.keyboard.press("d")
        page.keyboard.press("Shift+D")
    page.get_by_role("button", name="Next run").click()
    expect(item(page, "message 0, user")).to_be_in_viewport()
    expect(page.locator('.outline [aria-selected="true"]')).to_have_text(re.compile("^0user"))
    assert errors == []


def test_keys_are_left_alone_while_one_types(opened: Open, page: Page) -> None:
    opened("card")
    note = page.get_by_role("textbox", name="Note")
    note.click()
    page.keyboard.type("n/e")
    expect(note).to_have_value("n/e")
    find = page.get_by_role("searchbox", name="Find in run")
    find.click()
    page.keyboard.type("n/e")
    expect(find).to_have_value("n/e")
    expect(page.locator(".selected")).to_have_count(0)


def test_focus_scrolls_to_a_path_and_outlines_it(opened: Open, page: Page) -> None:
    opened("big", focus="calls[2500]")
    wanted = card(page, "messages[5000].tool_calls[0]")
    expect(wanted).to_be_in_viewport()
    expect(wanted).to_have_class(re.compile("selected"))
    opened("card", focus="calls[1]")
    expect(page.locator(".attempt.selected")).to_contain_text("2 failed")
    opened("card", focus="messages[3]")
    expect(item(page, "message 3, dropped")).to_have_class(re.compile("selected"))
    opened("card", focus="sub_agents")
    expect(page.locator(".selected")).to_have_count(0)


def test_a_choice_is_reported_and_its_echo_moves_nothing(opened: Open, page: Page) -> None:
    opened("big")
    scroller = page.get_by_role("feed")
    scroll(scroller, "s.scrollTop = 5000")
    chosen = str(
        scroller.evaluate("s => s.getRootNode().elementFromPoint(640, 420).closest('[data-path]').dataset.path")
    )
    before = scroller.evaluate("s => s.scrollTop")
    page.mouse.click(640, 420)
    expect(page.get_by_text(f"chosen: {chosen!r}")).to_be_visible()
    expect(page).to_have_url(re.compile("focus=messages"))
    assert scroller.evaluate("s => s.scrollTop") == pytest.approx(before, abs=1)


def test_a_link_button_reports_its_message(opened: Open, page: Page) -> None:
    opened("card")
    page.get_by_role("button", name="Link to message 0", exact=True).click()
    expect(page.get_by_text("chosen: 'messages[0]'")).to_be_visible()


def test_a_message_is_shown_as_markdown_without_its_markup_running_and_exact_again(opened: Open, page: Page) -> None:
    opened("exact")
    at = list(EXACT_TEXTS).index("markup")
    message = item(page, f"message {at}, user")
    view = message.get_by_label(f"View of message {at}")
    view.select_option("Markdown")
    expect(message.locator(".markdown strong")).to_have_text("b")
    expect(message.locator(".markdown")).to_contain_text("<script>document.title=1</script> b l javascript:1")
    assert message.locator("img, script, a").count() == 0
    view.select_option("Exact")
    assert message.locator(".txt").evaluate("n => n.textContent") == EXACT_TEXTS["markup"]
