"""Which chain is the receipt of which tool call, and what is left over (R36)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evidence.runs_of import (
    TOOL,
    claim,
    examined,
    failed,
    findings_of,
    injected,
    kinds,
    ok,
    paths,
    receipts,
    result,
    run_of,
    without_log,
)

LOCK: dict[str, Any] = {"status": 503, "error_class": "lock_contention"}


def test_equal_calls_pair_first_in_first_out() -> None:
    messages = [claim("a"), result("a", {"n": 1}), claim("b"), result("b", {"n": 2})]
    run = examined(run_of(ok(response={"n": 1}), ok(response={"n": 2}), messages=messages))
    assert receipts(run) == [0, 1]


def test_with_as_many_on_both_sides_order_decides_even_against_the_responses() -> None:
    messages = [claim("a"), result("a", {"n": 1}), claim("b"), result("b", {"n": 2})]
    run = examined(run_of(ok(response={"n": 2}), ok(response={"n": 1}), messages=messages))
    assert receipts(run) == [0, 1]
    assert paths(run, "tool_result_differs") == ["messages[1]", "messages[3]"]


def test_arguments_are_compared_as_json() -> None:
    messages = [claim(arguments='{"b": 2, "a": 1.0}'), result()]
    assert receipts(examined(run_of(ok(arguments={"a": 1, "b": 2}), messages=messages))) == [0]


def test_another_argument_is_another_call() -> None:
    run = examined(run_of(ok(arguments={"order_id": "4522"}), messages=[claim(), result()]))
    assert paths(run, "call_without_receipt") == ["messages[0].tool_calls[0]"]
    assert paths(run, "receipt_without_call") == ["calls[0]"]


def test_true_is_not_one() -> None:
    run = examined(run_of(ok(arguments={"a": 1}), messages=[claim(arguments={"a": True}), result()]))
    assert receipts(run) == [None]


def test_where_more_is_told_than_logged_the_told_response_pairs_first() -> None:
    messages = [claim("a"), result("a", {"n": 1}), claim("b"), result("b", {"n": 2})]
    run = examined(run_of(ok(response={"n": 2}), messages=messages))
    assert receipts(run) == [None, 0]


def test_after_those_as_told_the_rest_pairs_in_order() -> None:
    messages = [claim("a"), result("a", "?"), claim("b"), result("b", {"n": 3})]
    run = examined(run_of(ok(response={"n": 1}), ok(response={"n": 2}), ok(response={"n": 3}), messages=messages))
    assert receipts(run) == [0, 2]
    assert paths(run, "receipt_without_call") == ["calls[1]"]


def test_the_receipt_is_the_last_attempt() -> None:
    assert receipts(examined(run_of(failed(503, "lock_contention"), ok(), messages=[claim(), result()]))) == [1]


def test_missing_arguments_pair_with_what_is_left_of_the_tool() -> None:
    messages = [claim("a", arguments=None), result("a"), claim("b", arguments={"n": 1}), result("b")]
    run = examined(run_of(ok(arguments={"n": 1}), ok(arguments={"n": 2}), messages=messages))
    assert receipts(run) == [1, 0]


def test_a_log_without_arguments_pairs_with_any_claim_of_the_tool() -> None:
    messages = [claim("a", arguments={"n": 1}), result("a"), claim("b", arguments={"n": 2}), result("b")]
    run = examined(run_of(ok(arguments=None), ok(arguments="{broken"), messages=messages))
    assert receipts(run) == [0, 1]


def test_missing_arguments_do_not_pair_across_tools() -> None:
    run = examined(run_of(ok("g"), messages=[claim(arguments=None), result()]))
    assert receipts(run) == [None]


def test_two_known_arguments_that_differ_never_pair() -> None:
    messages = [claim("a", arguments={"n": 1}), result("a"), claim("b", arguments="{broken"), result("b")]
    run = examined(run_of(ok(arguments={"n": 2}), messages=messages))
    assert receipts(run) == [None, 0]


class TestSplitChains:
    def test_each_call_takes_one_attempt_and_the_last_the_rest(self) -> None:
        messages = [claim("a"), result("a", {"error": "busy"}), claim("b"), result("b")]
        run = examined(run_of(failed(**LOCK), failed(**LOCK), ok(), messages=messages))
        assert receipts(run) == [0, 2]

    def test_the_chain_itself_stays_whole(self) -> None:
        messages = [claim("a"), result("a", {"error": "busy"}), claim("b"), result("b")]
        run = examined(run_of(failed(**LOCK), ok(), messages=messages))
        assert [chain.calls for chain in run.chains] == [[0, 1]]
        assert "agent_retry" not in kinds(run)

    def test_more_claims_than_attempts_leave_one_without_a_receipt(self) -> None:
        messages = [m for id_ in "abc" for m in (claim(id_), result(id_, {"error": "busy"}))]
        run = examined(run_of(failed(**LOCK), ok(), messages=messages))
        assert receipts(run) == [0, 1, None]
        assert paths(run, "call_without_receipt") == ["messages[4].tool_calls[0]"]

    def test_a_failed_attempt_goes_to_the_claim_before_the_one_that_went_on(self) -> None:
        messages = [
            *(claim("a"), result("a", {"n": 1})),
            *(claim("b"), result("b", {"error": "busy"})),
            *(claim("c"), result("c", {"n": 2})),
        ]
        log = [failed(**LOCK), ok(response={"n": 1}), failed(**LOCK), ok(response={"n": 2})]
        assert receipts(examined(run_of(*log, messages=messages))) == [1, 2, 3]

    def test_with_nothing_after_it_the_chain_before_is_split(self) -> None:
        messages = [claim("a"), result("a", {"n": 1}), claim("b"), result("b", "?")]
        log = [failed(**LOCK), ok(response={"n": 1})]
        assert receipts(examined(run_of(*log, messages=messages))) == [0, 1]


class TestLeftovers:
    def test_without_a_log_nothing_is_said(self) -> None:
        run = examined(without_log(claim(), result()))
        assert "call_without_receipt" not in kinds(run)

    def test_an_empty_log_knows_no_call(self) -> None:
        run = examined(run_of(messages=[claim(), result()]))
        assert paths(run, "call_without_receipt") == ["messages[0].tool_calls[0]"]

    def test_a_transcript_without_tool_calls_is_not_held_against_the_log(self) -> None:
        run = examined(run_of(ok(), messages=[{"role": "user", "content": "hi"}]))
        assert "receipt_without_call" not in kinds(run)

    def test_a_chain_left_over_is_told_once_at_its_first_attempt(self) -> None:
        messages = [claim(), result()]
        run = examined(run_of(ok(), failed(tool_name="g", **LOCK), ok("g"), messages=messages))
        assert paths(run, "receipt_without_call") == ["calls[1]"]

    def test_data_and_telemetry_are_not_the_transcripts(self) -> None:
        data = {"kind": "read", "intent": "get", "operation": "orders", "source": "odyssey"}
        run = examined(run_of(ok(), data, {"lane": "telemetry"}, messages=[claim(), result()]))
        assert "receipt_without_call" not in kinds(run)

    def test_an_unreadable_call_pairs_with_nothing_and_is_told_as_such_only(self) -> None:
        run = examined(run_of(ok(), "x", messages=[claim(), result()]))
        assert paths(run, "unreadable_call") == ["calls[1]"]
        assert "receipt_without_call" not in kinds(run)

    def test_an_executed_tool_leaves_no_receipt(self) -> None:
        executed = {**TOOL, "default_execution_mode": "executed"}
        run = examined(run_of(messages=[claim(), result()], tools_schema=[executed]))
        assert "call_without_receipt" not in kinds(run)

    @pytest.mark.parametrize("mode", ["simulated", "sandbox", "live", None])
    def test_a_tool_of_any_other_mode_does(self, mode: str | None) -> None:
        tool = {**TOOL, "default_execution_mode": mode}
        run = examined(run_of(messages=[claim(), result()], tools_schema=[tool]))
        assert len(findings_of(run, "call_without_receipt")) == 1

    def test_a_tool_that_is_not_declared_is_told_as_such_only(self) -> None:
        run = examined(run_of(messages=[claim(tool="transfer_to_billing"), result()], tools_schema=[TOOL]))
        assert paths(run, "tool_undeclared") == ["messages[0].tool_calls[0].name"]
        assert "call_without_receipt" not in kinds(run)

    def test_an_empty_declaration_is_none(self) -> None:
        run = examined(run_of(messages=[claim(tool="transfer_to_billing"), result()], tools_schema=[]))
        assert "tool_undeclared" not in kinds(run)
        assert len(findings_of(run, "call_without_receipt")) == 1

    def test_an_actor_none_of_whose_chains_pairs_works_outside(self) -> None:
        sub = {"actor_id": "sub"}
        run = examined(run_of(ok(), ok("g", **sub), ok("h", **sub), messages=[claim(), result()]))
        assert paths(run, "actor_outside_transcript") == ["calls[1]"]
        assert "receipt_without_call" not in kinds(run)

    def test_an_actor_one_of_whose_chains_pairs_is_held_to_the_others(self) -> None:
        sub = {"actor_id": "sub"}
        run = examined(run_of(ok(**sub), ok("g", **sub), messages=[claim(), result()]))
        assert paths(run, "receipt_without_call") == ["calls[1]"]
        assert "actor_outside_transcript" not in kinds(run)

    def test_nobody_is_no_actor_outside_the_transcript(self) -> None:
        run = examined(run_of(ok("g"), messages=[claim(), result()]))
        assert paths(run, "receipt_without_call") == ["calls[0]"]


class TestWhatTheModelWasTold:
    def differs(self, response: object, content: object) -> bool:
        run = examined(run_of(ok(response=response), messages=[claim(), result(content=content)]))
        return "tool_result_differs" in kinds(run)

    @pytest.mark.parametrize(
        ("response", "content"),
        [
            ({"a": 1, "b": [True, None]}, '{"b": [true, null], "a": 1.0}'),
            ({"a": 1}, "{'a': 1}"),
            ({"a": None, "b": "it's"}, "{'a': None, 'b': \"it's\"}"),
            ([1, 2], "(1, 2)"),
            ("plain", "plain"),
            ("plain", '"plain"'),
            ("12", "12"),
            (12.5, "12.5"),
            ({"error": "no stock"}, "no stock"),
            ({"error": "no stock"}, '"no stock"'),
            ({"error": "no stock"}, "'no stock'"),
            ({"error": 404}, "404"),
            ({"error": {"code": 5}}, '{"code": 5}'),
            ({"error": "no stock"}, '{"error": "no stock"}'),
            (None, "null"),
            (None, "None"),
            (None, ""),
            (None, None),
            ({"id": "12345678901234567890123"}, '{"id": 12345678901234567890123}'),
        ],
    )
    def test_the_same_in_another_writing_does_not_differ(self, response: object, content: object) -> None:
        assert not self.differs(response, content)

    @pytest.mark.parametrize(
        ("response", "content"),
        [
            ({"a": 1}, '{"a": 2}'),
            ({"a": 1}, '{"a": true}'),
            ({"a": 1}, "{'a': True}"),
            ({"a": 1}, '{"a": 1, "b": 2}'),
            ({"a": 1}, ""),
            ({"a": 1}, None),
            ({"a": 1}, "a is 1"),
            ("plain", "PLAIN"),
            ({"error": "no stock"}, "no"),
            ({"error": "no stock"}, "all fine"),
        ],
    )
    def test_something_else_differs(self, response: object, content: object) -> None:
        assert self.differs(response, content)

    def test_content_in_parts_is_read_as_its_text(self) -> None:
        parts = {"role": "tool", "tool_call_id": "c0", "content": [{"type": "text", "text": '{"status": "shipped"}'}]}
        assert "tool_result_differs" not in kinds(examined(run_of(ok(), messages=[claim(), parts])))

    def test_content_that_is_the_response_itself_does_not_differ(self) -> None:
        answer = {"role": "tool", "tool_call_id": "c0", "content": [{"n": 1}]}
        assert "tool_result_differs" not in kinds(examined(run_of(ok(response=[{"n": 1}]), messages=[claim(), answer])))

    def test_an_unanswered_call_was_told_nothing(self) -> None:
        run = examined(run_of(failed(), messages=[claim()]))
        assert "failure_hidden" not in kinds(run)

    @pytest.mark.parametrize(
        "content",
        [
            '{"error": "tool_call_failed"}',
            '{"error": null}',
            "run_token_expired",
            "the proxy said 401",
            "An ERROR occurred",
            "{'error': 'busy'}",
            '{"ok": false, "reason": "error 7"}',
            '"error"',
            "M",
        ],
    )
    def test_a_failure_is_told_by_key_class_status_word_or_text(self, content: str) -> None:
        run = examined(run_of(failed(401, "run_token_expired"), messages=[claim(), result(content=content)]))
        assert "failure_hidden" not in kinds(run)

    @pytest.mark.parametrize(
        "content",
        ["", None, "all fine", '{"status": "shipped"}', "terror", "errors", "run_token_expired_2", "4010", "[1, 2]"],
    )
    def test_anything_else_hides_it(self, content: str | None) -> None:
        run = examined(run_of(failed(401, "run_token_expired"), messages=[claim(), result(content=content)]))
        assert paths(run, "failure_hidden") == ["messages[1]"]

    def test_an_injected_payload_passed_on_is_not_hidden(self) -> None:
        messages = [claim(), result(content={"status": "lost"})]
        assert "failure_hidden" not in kinds(examined(run_of(injected(response={"status": "lost"}), messages=messages)))

    def test_an_injected_failure_told_as_success_is(self) -> None:
        messages = [claim(), result()]
        assert paths(examined(run_of(injected(), messages=messages)), "failure_hidden") == ["messages[1]"]

    @pytest.mark.parametrize("source", ["error", "transport_error"])
    def test_a_payload_of_a_failed_call_passed_on_is(self, source: str) -> None:
        call = failed(source=source, response={"status": "shipped"})
        assert paths(examined(run_of(call, messages=[claim(), result()])), "failure_hidden") == ["messages[1]"]

    def test_a_failed_receipt_is_not_compared_with_its_response(self) -> None:
        run = examined(run_of(failed(response={"a": 1}), messages=[claim(), result(content="error")]))
        assert "tool_result_differs" not in kinds(run)


def test_thousands_of_equal_calls_pair_by_what_was_told() -> None:
    messages = [m for n in range(3_000) for m in (claim(f"c{n}"), result(f"c{n}", {"n": 2_999 - n}))]
    run = examined(run_of(*(ok(response={"n": n}) for n in range(3_001)), messages=messages))
    assert receipts(run) == list(range(2_999, -1, -1))
    assert paths(run, "receipt_without_call") == ["calls[3000]"]
