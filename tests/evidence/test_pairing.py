"""Which tool message, or result in a part, answers which tool call (R35, R45)."""

from __future__ import annotations

from typing import Any

from tests.evidence.runs_of import claim, examined, facts, failed, kinds, ok, paths, result, run_of, without_log


def answers(*messages: dict[str, Any]) -> list[str | None]:
    run = examined(without_log(*messages))
    return [message.answers for message in run.messages or () if message.role == "tool"]


def two_calls(first: str | None, second: str | None) -> dict[str, Any]:
    calls: list[dict[str, Any]] = [
        {"id": first, "name": "f", "arguments": {}},
        {"id": second, "name": "g", "arguments": {}},
    ]
    return {"role": "assistant", "tool_calls": calls}


A, B = "messages[0].tool_calls[0]", "messages[0].tool_calls[1]"


def test_results_in_another_order_go_by_id() -> None:
    assert answers(two_calls("a", "b"), result("b"), result("a")) == [B, A]


def test_a_recurring_id_goes_to_the_nearest_call_before_without_an_answer() -> None:
    messages = [claim("a"), result("a"), claim("a"), result("a")]
    assert answers(*messages) == ["messages[0].tool_calls[0]", "messages[2].tool_calls[0]"]


def test_of_two_open_calls_with_one_id_the_nearest_is_answered_first() -> None:
    assert answers(claim("a"), claim("a"), result("a"), result("a")) == [
        "messages[1].tool_calls[0]",
        "messages[0].tool_calls[0]",
    ]


def test_a_result_does_not_answer_a_later_call() -> None:
    run = examined(without_log(result("a"), claim("a")))
    assert paths(run, "tool_result_orphan") == ["messages[0]"]
    assert paths(run, "tool_call_unanswered") == ["messages[1].tool_calls[0]"]


def test_a_result_without_an_id_answers_the_earliest_open_call() -> None:
    assert answers(two_calls("a", "b"), result(None), result("")) == [A, B]


def test_a_call_without_an_id_is_answered_by_an_unknown_id() -> None:
    assert answers(two_calls(None, ""), result("x"), result("y")) == [A, B]


def test_a_result_with_an_unknown_id_does_not_answer_a_call_with_another() -> None:
    run = examined(without_log(claim("a"), result("zz")))
    assert paths(run, "tool_result_orphan") == ["messages[1]"]
    assert paths(run, "tool_call_unanswered") == ["messages[0].tool_calls[0]"]


def test_a_second_result_for_one_call_is_an_orphan() -> None:
    run = examined(without_log(claim("a"), result("a"), result("a")))
    assert paths(run, "tool_result_orphan") == ["messages[2]"]


def test_a_doubled_id_is_told_once_at_its_second_call() -> None:
    run = examined(without_log(claim("a"), claim("b"), claim("a"), claim("a")))
    assert paths(run, "tool_call_id_duplicate") == ["messages[2].tool_calls[0]"]


def test_missing_ids_are_told_once_and_are_no_duplicates() -> None:
    run = examined(without_log(claim(None), result(None), claim(""), result("")))
    assert paths(run, "tool_call_id_missing") == ["messages[0].tool_calls[0]"]
    assert "tool_call_id_duplicate" not in kinds(run)


def test_a_missing_id_of_a_result_is_told_too() -> None:
    run = examined(without_log(claim("a"), result(None)))
    assert paths(run, "tool_call_id_missing") == ["messages[1]"]


def test_places_are_those_of_the_original_arrays() -> None:
    dropped = {"role": "nobody"}
    calls = {"role": "assistant", "tool_calls": ["no call", {"id": "a", "name": "f"}]}
    run = examined(without_log(dropped, calls, result("a")))
    assert [message.answers for message in run.messages or ()] == [None, "messages[1].tool_calls[1]"]


def test_of_one_message_that_holds_an_id_twice_the_earliest_call_is_answered_first() -> None:
    assert answers(two_calls("a", "a"), result("a"), result("a")) == [A, B]
    messages = [two_calls("a", "a"), two_calls("a", "a"), result("a"), result("a"), result("a")]
    assert answers(*messages) == ["messages[1].tool_calls[0]", "messages[1].tool_calls[1]", A]


def part(id_: str | None, content: str = "x", **fields: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": id_, "content": content, **fields}


def test_results_in_the_parts_of_one_message_answer_one_call_each() -> None:
    run = examined(without_log(two_calls("a", "b"), {"role": "user", "content": [part("b"), part("a"), part("c")]}))
    assert [r.answers for m in run.messages or () for r in m.tool_results] == [B, A, None]
    assert paths(run, "tool_result_orphan") == ["messages[1]"]


def test_a_tool_message_with_results_in_its_parts_answers_by_those_alone() -> None:
    carrier = {"role": "tool", "tool_call_id": "a", "content": [part("b"), part(None)]}
    run = examined(without_log(two_calls("a", "b"), carrier))
    assert [r.answers for m in run.messages or () for r in m.tool_results] == [B, A]
    assert (run.messages or [])[1].answers is None
    assert kinds(run) == []


def test_a_result_that_is_an_error_hides_no_failure() -> None:
    def run(**fields: object) -> list[str]:
        messages = [claim(), {"role": "user", "content": [part("c0", "refunded", **fields)]}]
        return kinds(examined(run_of(failed(), messages=messages)))

    assert "failure_hidden" in run()
    assert "failure_hidden" not in run(is_error=True)


def test_a_result_in_a_part_grounds_what_it_says_where_there_is_no_log() -> None:
    messages = [claim(), {"role": "user", "content": [part("c0", "It is 4521.")]}]
    assert facts(examined(without_log(*messages, answer="4521"))) == {"4521": "messages[1]"}
    assert facts(examined(run_of(ok(arguments={}, response={"n": 1}), messages=messages, answer="4521"))) == {
        "4521": None
    }


def test_a_call_in_a_part_that_the_log_does_not_know_has_no_receipt() -> None:
    content = [{"type": "tool_use", "id": "c0", "name": "get_order", "input": {"order_id": "4521"}}]
    messages = [{"role": "assistant", "content": content}, {"role": "user", "content": [part("c0")]}]
    run = examined(run_of(messages=messages))
    assert paths(run, "call_without_receipt") == [A]
    assert run.boundary is not None
    assert (run.boundary.stage, run.boundary.path) == ("receipt", A)


def test_an_unreadable_call_confirms_nothing_and_is_no_boundary() -> None:
    run = examined(run_of("x", failed(), answer="Done."))
    assert run.boundary is not None
    assert (run.boundary.path, run.boundary.confirmed) == ("calls[1]", [])
    assert "answer_unverified" in kinds(run)


def test_a_chain_whose_last_entry_cannot_be_read_may_be_tried_again() -> None:
    run = examined(run_of(failed(idempotency_key="k"), {"idempotency_key": "k"}, ok()))
    assert [chain.outcome for chain in run.chains] == ["unreadable", "succeeded"]
    assert "agent_retry" in kinds(run)
