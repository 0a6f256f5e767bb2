"""Which tool message answers which tool call (R35)."""

from __future__ import annotations

from tests.evidence.runs_of import claim, examined, kinds, paths, result, without_log


def answers(*messages: dict) -> list[str | None]:  # type: ignore[type-arg]
    run = examined(without_log(*messages))
    return [message.answers for message in run.messages or () if message.role == "tool"]


def two_calls(first: str | None, second: str | None) -> dict:  # type: ignore[type-arg]
    calls = [{"id": first, "name": "f", "arguments": {}}, {"id": second, "name": "g", "arguments": {}}]
    return {"role": "assistant", "tool_calls": calls}


A, B = "messages[0].tool_calls[0]", "messages[0].tool_calls[1]"


def test_results_in_another_order_go_by_id() -> None:
    assert answers(two_calls("a", "b"), result("b"), result("a")) == [B, A]


def test_a_recurring_id_goes_to_the_nearest_call_before_without_an_answer() -> None:
    told = [claim("a"), result("a"), claim("a"), result("a")]
    assert answers(*told) == ["messages[0].tool_calls[0]", "messages[2].tool_calls[0]"]


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
