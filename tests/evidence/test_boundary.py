"""The first failed boundary of a run (R38)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evidence.runs_of import TOOL, claim, examined, failed, injected, ok, result, run_of, without_log
from trace_store.contract.vocabulary import FAILED_STATUSES, RUN_CLASSES
from trace_store.evidence.boundary import RECOVERY, RUN_STAGES, STATUS_STAGES
from trace_store.model import Boundary, Stage

ENVELOPE = {
    "schema_version": "openmed.agent.error.v1",
    "error_class": "authorization",
    "error_code": "capability_missing",
    "stage": "tool_call",
    "retryable": False,
    "run_id": None,
    "action_id": None,
}


def boundary(body: Any) -> Boundary | None:
    return examined(body).boundary


def stage_and_path(body: Any) -> tuple[str, str] | None:
    found = boundary(body)
    return None if found is None else (found.stage, found.path)


class TestStagesOfCalls:
    @pytest.mark.parametrize(
        ("call", "stage"),
        [
            (failed(404), "transport"),
            (failed(410), "transport"),
            (failed(429), "transport"),
            (failed(500), "transport"),
            (failed(503, "lock_contention"), "transport"),
            ({"tool_name": "f", "source": "transport_error"}, "transport"),
            ({"tool_name": "f", "error": "connection reset"}, "transport"),
            (failed(400), "arguments"),
            (failed(422), "arguments"),
            (failed(401, "run_token_expired"), "authorization"),
            (failed(403), "authorization"),
            (ok(response={"error": "permission_denied"}), "authorization"),
            (ok(response={"error": "forbidden"}), "authorization"),
            (ok(response={"error": "unauthorized"}), "authorization"),
            (ok(response=ENVELOPE), "authorization"),
            (ok(response={"error": {**ENVELOPE, "error_class": "policy"}}), "authorization"),
            (ok(response={"error": "Permission_denied"}), "receipt"),
            (ok(response={"error": "permission_denied for you"}), "receipt"),
            (ok(response={**ENVELOPE, "error_class": "timeout"}), "receipt"),
            (ok(response={"error": "no stock"}), "receipt"),
            (failed(200), "receipt"),
            (failed(None), "receipt"),
            ({"tool_name": "f", "error_class": "lock_contention"}, "receipt"),
            (injected(), "receipt"),
        ],
    )
    def test_stage(self, call: dict[str, Any], stage: str) -> None:
        assert stage_and_path(run_of(ok(), call)) == (stage, "calls[1]")

    def test_a_run_without_a_failure_has_none(self) -> None:
        assert boundary(run_of(ok(), messages=[claim(), result()])) is None
        assert boundary({"final_response": "hi"}) is None

    def test_a_malformed_label_on_a_400_is_the_place(self) -> None:
        found = boundary(run_of(failed(400, actor_id="a//b")))
        assert found is not None
        assert (found.stage, found.path) == ("arguments", "calls[0].actor_id")
        assert "a//b" in found.reason

    def test_a_malformed_label_on_another_status_is_not(self) -> None:
        assert stage_and_path(run_of(failed(500, actor_id="a//b"))) == ("transport", "calls[0]")

    def test_a_chain_stands_at_its_last_call(self) -> None:
        lock = failed(503, "lock_contention")
        assert stage_and_path(run_of(lock, lock, lock)) == ("transport", "calls[2]")

    def test_a_chain_that_was_overcome_is_none(self) -> None:
        assert boundary(run_of(failed(503, "lock_contention"), ok())) is None
        assert boundary(run_of(failed(500), ok())) is None

    def test_a_chain_overcome_by_way_of_another_is_none(self) -> None:
        assert boundary(run_of(failed(500), failed(500), ok())) is None

    def test_an_injected_failure_is_deliberate_and_others_are_not(self) -> None:
        found = boundary(run_of(injected()))
        assert found is not None and found.deliberate is True
        found = boundary(run_of(failed()))
        assert found is not None and found.deliberate is False


BAD_ARGUMENTS = {"order_id": 4521}


class TestArguments:
    def test_against_the_schema_and_not_answered_ok(self) -> None:
        body = run_of(failed(200, arguments=BAD_ARGUMENTS), tools_schema=[TOOL])
        assert stage_and_path(body) == ("arguments", "calls[0].arguments.order_id")

    def test_an_http_failure_at_the_same_call_comes_first(self) -> None:
        body = run_of(failed(500, arguments=BAD_ARGUMENTS), tools_schema=[TOOL])
        assert stage_and_path(body) == ("transport", "calls[0]")

    def test_answered_ok_they_did_no_harm(self) -> None:
        assert boundary(run_of(ok(arguments=BAD_ARGUMENTS), tools_schema=[TOOL])) is None

    def test_answered_with_an_error_they_did(self) -> None:
        body = run_of(ok(arguments=BAD_ARGUMENTS, response={"error": "no"}), tools_schema=[TOOL])
        assert stage_and_path(body) == ("arguments", "calls[0].arguments.order_id")

    def test_undecoded_in_the_log(self) -> None:
        body = run_of(failed(200, arguments="{broken"))
        assert stage_and_path(body) == ("arguments", "calls[0].arguments")

    def test_undecoded_in_the_transcript_without_an_answer(self) -> None:
        body = without_log(claim(arguments="{broken"))
        assert stage_and_path(body) == ("arguments", "messages[0].tool_calls[0].arguments")

    def test_without_a_log_the_tool_message_answers(self) -> None:
        assert boundary(without_log(claim(arguments="{broken"), result())) is None
        body = without_log(claim(arguments="{broken"), result(content="Error: bad arguments"))
        assert stage_and_path(body) == ("arguments", "messages[0].tool_calls[0].arguments")

    def test_undecoded_with_a_failed_receipt(self) -> None:
        body = run_of(failed(200), messages=[claim(arguments="{broken"), result(content="error")])
        assert stage_and_path(body) == ("arguments", "messages[0].tool_calls[0].arguments")

    def test_undecoded_with_a_receipt_that_was_overcome(self) -> None:
        messages = [claim("a", arguments="{broken"), result("a", "error"), claim("b"), result("b")]
        assert boundary(run_of(failed(500), ok(), messages=messages)) is None

    def test_undecoded_without_a_receipt_comes_before_the_missing_receipt(self) -> None:
        body = run_of(ok("g"), messages=[claim(arguments="{broken"), result()])
        assert stage_and_path(body) == ("arguments", "messages[0].tool_calls[0].arguments")


class TestPlaces:
    def test_a_claim_without_a_receipt_before_a_failed_call(self) -> None:
        messages = [claim("a", "g"), result("a"), claim("b"), result("b", "error")]
        assert stage_and_path(run_of(failed(), messages=messages)) == ("receipt", "messages[0].tool_calls[0]")

    def test_a_failed_call_before_a_claim_without_a_receipt(self) -> None:
        messages = [claim("b"), result("b", "error"), claim("a", "g"), result("a")]
        assert stage_and_path(run_of(failed(), messages=messages)) == ("transport", "calls[0]")

    def test_the_log_may_have_another_order_than_the_transcript(self) -> None:
        messages = [claim("a"), result("a", "error"), claim("b", "g"), result("b", "error")]
        assert stage_and_path(run_of(failed(tool_name="g"), failed(403), messages=messages)) == (
            "authorization",
            "calls[1]",
        )

    def test_an_unpaired_call_stands_right_after_the_one_before_it(self) -> None:
        messages = [claim("a"), result("a"), claim("b", "g"), result("b", "error")]
        log = [ok(), failed(tool_name="h"), failed(403, tool_name="g")]
        assert stage_and_path(run_of(*log, messages=messages)) == ("transport", "calls[1]")

    def test_an_unpaired_call_after_the_failed_one_does_not_win(self) -> None:
        messages = [claim("a"), result("a", "error"), claim("b", "g"), result("b")]
        log = [failed(403), failed(tool_name="h"), ok("g")]
        assert stage_and_path(run_of(*log, messages=messages)) == ("authorization", "calls[0]")

    def test_without_a_transcript_the_order_of_the_log_holds(self) -> None:
        assert stage_and_path(run_of(ok(), failed(403, tool_name="g"), failed(tool_name="h"))) == (
            "authorization",
            "calls[1]",
        )

    def test_the_whole_run_comes_after_its_calls(self) -> None:
        body = run_of(failed(403), error_class="agent_timeout")
        assert stage_and_path(body) == ("authorization", "calls[0]")

    def test_the_answer_comes_last(self) -> None:
        assert stage_and_path(run_of(ok(), answer=None, error_class="agent_timeout")) == ("transport", "error_class")


class TestRunsAndAnswers:
    @pytest.mark.parametrize("error_class", sorted(RUN_CLASSES))
    def test_each_run_class_has_a_stage(self, error_class: str) -> None:
        stages = {**dict.fromkeys(RUN_CLASSES, "generation"), **RUN_STAGES}
        body = {"final_response": "x", "error": {"error_class": error_class}}
        assert stage_and_path(body) == (stages[error_class], "error")

    def test_the_stages_of_run_classes(self) -> None:
        assert RUN_STAGES.keys() <= RUN_CLASSES
        assert RUN_CLASSES - RUN_STAGES.keys() == {"internal_error"}
        assert RUN_STAGES["auth_failed"] == "authorization"
        assert RUN_STAGES["contract_error"] == "answer"
        assert RUN_STAGES["proxy_misconfigured"] == "transport"

    def test_an_unknown_class_is_one_of_generation(self) -> None:
        assert stage_and_path({"final_response": "x", "error_class": "boom"}) == ("generation", "error_class")

    @pytest.mark.parametrize(
        ("status", "stage"),
        [
            ("timeout", "transport"),
            ("timed_out", "transport"),
            ("error", "generation"),
            ("failed", "generation"),
            ("cancelled", "generation"),
            ("incomplete", "generation"),
            ("refused", "generation"),
            ("budget_exhausted", "generation"),
        ],
    )
    def test_the_stages_of_statuses(self, status: str, stage: str) -> None:
        assert stage_and_path({"final_response": "x", "status": status}) == (stage, "status")

    def test_every_status_of_a_failed_run_has_a_stage(self) -> None:
        assert set(STATUS_STAGES) >= FAILED_STATUSES

    def test_a_class_says_more_than_a_status(self) -> None:
        body = {"final_response": "x", "status": "failed", "error_class": "auth_failed"}
        assert stage_and_path(body) == ("authorization", "error_class")

    @pytest.mark.parametrize("status", ["completed", "running", None])
    def test_other_statuses_are_no_failure(self, status: str | None) -> None:
        assert boundary({"final_response": "x", "status": status}) is None

    def test_a_refusal_in_the_runs_envelope(self) -> None:
        assert stage_and_path({"final_response": "x", "error": ENVELOPE}) == ("authorization", "error")
        assert boundary({"final_response": "x", "error": {**ENVELOPE, "error_class": "timeout"}}) is None

    def test_a_missing_answer(self) -> None:
        assert stage_and_path({"final_response": ""}) == ("answer", "final_response")

    @pytest.mark.parametrize("answer", ["a" * 50_001, "a…[truncated]"])
    def test_a_cut_answer(self, answer: str) -> None:
        assert stage_and_path({"final_response": answer}) == ("answer", "final_response")

    def test_an_unverified_answer(self) -> None:
        assert stage_and_path(without_log({"role": "assistant", "tool_calls": [{"id": "a", "name": "f"}]})) == (
            "answer",
            "final_response",
        )

    @pytest.mark.parametrize(
        "message",
        [
            {"content": "a", "status": "incomplete"},
            {"content": "a", "finish_reason": "length"},
            {"content": "a", "finish_reason": "content_filter"},
            {"content": "a", "stop_reason": "max_tokens"},
            {"content": None, "refusal": "no"},
            {"content": [{"type": "refusal", "refusal": "no"}]},
        ],
    )
    def test_a_response_that_broke_off_or_was_refused(self, message: dict[str, Any]) -> None:
        body = without_log({"role": "user", "content": "hi"}, {"role": "assistant", **message})
        assert stage_and_path(body) == ("generation", "messages[1]")

    @pytest.mark.parametrize(
        "message",
        [
            {"role": "assistant", "content": "a", "finish_reason": "stop"},
            {"role": "assistant", "content": "a", "status": "completed"},
            {"role": "assistant", "content": "a", "refusal": None},
            {"role": "user", "content": "a", "status": "incomplete"},
        ],
    )
    def test_a_whole_response_is_none(self, message: dict[str, Any]) -> None:
        assert boundary(without_log(message)) is None

    @pytest.mark.parametrize("content", ["", None, []])
    def test_a_run_that_ends_on_an_empty_response(self, content: Any) -> None:
        body = without_log({"role": "user", "content": "hi"}, {"role": "assistant", "content": content}, answer="")
        assert stage_and_path(body) == ("generation", "messages[1]")

    def test_an_empty_response_before_an_answer_is_none(self) -> None:
        empty = {"role": "assistant", "content": ""}
        assert boundary(without_log(empty)) is None
        assert stage_and_path(without_log(empty, {"role": "user", "content": "hi"}, answer="")) == (
            "answer",
            "final_response",
        )

    def test_calls_of_a_broken_response_come_after_it(self) -> None:
        message = {**claim(arguments="{broken"), "status": "incomplete"}
        assert stage_and_path(without_log(message)) == ("generation", "messages[0]")


class TestWhatMayBeDone:
    @pytest.mark.parametrize("stage", RECOVERY)
    def test_each_stage_says_what_is_safe(self, stage: Stage) -> None:
        assert RECOVERY[stage].endswith(".")

    def test_the_receipts_before_it_are_confirmed_and_listed(self) -> None:
        found = boundary(run_of(ok(), ok("g"), failed(tool_name="h"), ok("i")))
        assert found is not None
        assert found.confirmed == ["calls[0]", "calls[1]"]
        assert found.recovery.startswith(RECOVERY["transport"])
        assert "get_order (calls[0]), g (calls[1])." in found.recovery

    def test_before_the_first_success_nothing_is_confirmed(self) -> None:
        found = boundary(run_of(failed(), ok("g")))
        assert found is not None
        assert found.confirmed == []
        assert found.recovery == RECOVERY["transport"]

    def test_the_place_in_the_transcript_decides_what_was_before(self) -> None:
        messages = [claim("a", "g"), result("a", "error"), claim("b"), result("b")]
        found = boundary(run_of(ok(), failed(tool_name="g"), messages=messages))
        assert found is not None and found.confirmed == []


class TestCorrected:
    def corrected_by(self, *log: Any, **body: Any) -> str | None:
        found = boundary(run_of(*log, **body))
        assert found is not None
        answer: str | None = found.corrected_by
        return answer

    def test_by_the_first_good_chain_with_other_arguments(self) -> None:
        bad = failed(422, arguments={"n": 1})
        assert self.corrected_by(
            bad, failed(422, arguments={"n": 2}), ok(arguments={"n": 3}), ok(arguments={"n": 4})
        ) == ("calls[2]")

    def test_at_the_last_call_of_that_chain(self) -> None:
        lock = failed(503, "lock_contention", arguments={"n": 2})
        assert self.corrected_by(failed(422, arguments={"n": 1}), lock, ok(arguments={"n": 2})) == "calls[2]"

    @pytest.mark.parametrize(
        "later",
        [
            ok("g", arguments={"n": 2}),
            ok(arguments={"n": 2}, actor_id="other"),
            ok(arguments={"n": 2}, response={"error": "no"}),
            failed(422, arguments={"n": 2}),
        ],
    )
    def test_not_by_another_tool_or_actor_nor_by_a_failure(self, later: dict[str, Any]) -> None:
        assert self.corrected_by(failed(422, arguments={"n": 1}), later) is None

    def test_in_the_data_lane_the_operation_is_the_tool(self) -> None:
        def data(operation: str, n: int, status: int) -> dict[str, Any]:
            intent = {"lane": "data", "kind": "read", "intent": "find", "operation": operation}
            return {**intent, "arguments": {"n": n}, "status_code": status}

        assert self.corrected_by(data("orders", 1, 422), data("refunds", 2, 200)) is None
        assert self.corrected_by(data("orders", 1, 422), data("refunds", 2, 200), data("orders", 2, 200)) == "calls[2]"

    def test_not_by_a_call_that_had_begun_before_and_was_logged_after(self) -> None:
        bad = failed(422, arguments={"n": 1}, started_at="2026-04-01T00:00:05Z")
        earlier, later = (ok(arguments={"n": n}, started_at=f"2026-04-01T00:00:0{n}Z") for n in (4, 6))
        assert self.corrected_by(bad, earlier) is None
        assert self.corrected_by(bad, earlier, later) == "calls[2]"
        assert self.corrected_by(bad, {**earlier, "started_at": None}) == "calls[1]"

    def test_not_by_a_call_before(self) -> None:
        assert self.corrected_by(ok(arguments={"n": 2}), failed(422, arguments={"n": 1})) is None

    def test_a_run_that_failed_as_a_whole_is_not_corrected(self) -> None:
        assert self.corrected_by(ok(), error_class="boom") is None
