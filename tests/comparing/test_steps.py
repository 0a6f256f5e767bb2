"""A run as its steps: what is one step, where it stands, and what it is compared by."""

from __future__ import annotations

from tests.comparing.runs_of import asks, given, logged, run_of, says, user
from trace_store.comparing import Step, list_steps
from trace_store.model import Run


def outline(run: Run) -> list[tuple[str, str | None, str]]:
    return [(step.kind, step.name, step.path) for step in list_steps(run)]


def only_call(run: Run) -> Step:
    (call,) = (step for step in list_steps(run) if step.kind == "call")
    return call


def test_a_call_its_receipt_and_what_was_given_for_it_are_one_step() -> None:
    run = run_of(
        user("Where is it?"),
        asks("get_order", id="7"),
        given('{"status": "lost"}'),
        calls=[logged("get_order", {"status": "lost"}, arguments={"id": "7"}, actor_id="desk")],
    )
    assert outline(run) == [
        ("message", "user", "messages[0]"),
        ("call", "get_order", "messages[1].tool_calls[0]"),
        ("answer", "answer", "final_response"),
    ]
    assert only_call(run).parts == {
        "arguments": {"id": "7"},
        "actor": "desk",
        "outcome": "ok",
        "response": {"status": "lost"},
    }


def test_what_was_given_counts_apart_only_where_it_is_not_the_response() -> None:
    messages = run_of(asks("get_order"), given("All is well."), calls=[logged("get_order", {"status": "lost"})])
    assert only_call(messages).parts["tool result"] == "All is well."
    unlogged = run_of(asks("get_order"), given('{"status": "lost"}'))
    assert only_call(unlogged).parts == {"arguments": {}, "tool result": '{"status": "lost"}'}


def test_a_message_that_speaks_and_calls_is_two_steps() -> None:
    speaking = asks("get_order") | {"content": "Let me look."}
    assert outline(run_of(speaking)) == [
        ("message", "assistant", "messages[0]"),
        ("call", "get_order", "messages[0].tool_calls[0]"),
        ("answer", "answer", "final_response"),
    ]


def test_attempts_of_one_call_are_one_step() -> None:
    lock = {"source": "error", "status_code": 503, "error": {"detail": {"error_class": "lock_contention"}}}
    call = only_call(run_of(calls=[logged("charge", **lock), logged("charge", "paid")]))
    assert call.path == "calls[1]"
    assert (call.parts["attempts"], call.parts["outcome"], call.parts["response"]) == (2, "ok", "paid")


def test_a_call_that_only_the_log_has_follows_the_receipt_before_it() -> None:
    run = run_of(
        user("Go."),
        asks("get_order", id="7"),
        says("It is lost."),
        calls=[
            logged("warm_up"),
            logged("get_order", arguments={"id": "7"}),
            logged("audit"),
        ],
    )
    assert [step.name for step in list_steps(run)] == ["user", "warm_up", "get_order", "audit", "assistant", "answer"]


def test_a_thin_run_is_its_log_and_its_answer() -> None:
    run = run_of(calls=[logged("get_order"), logged("charge")])
    assert outline(run) == [
        ("call", "get_order", "calls[0]"),
        ("call", "charge", "calls[1]"),
        ("answer", "answer", "final_response"),
    ]


def test_the_message_that_gave_the_answer_is_the_answer() -> None:
    run = run_of(user("Go."), says("Done."), answer="Done.")
    assert outline(run) == [("message", "user", "messages[0]"), ("answer", "answer", "messages[1]")]


def test_a_run_without_an_answer_ends_in_the_error_that_stands_for_it() -> None:
    assert list_steps(run_of(answer=None))[-1].parts == {"error": "ResponseShapeError"}


def test_a_tool_message_that_answers_nothing_is_a_step_of_its_own() -> None:
    assert outline(run_of(given("out of the blue", "nobody")))[0] == ("message", "tool", "messages[0]")


def test_thinking_is_compared_by_its_text() -> None:
    thinking = says("Yes.", thinking=[{"type": "thinking", "thinking": "Is it?", "signature": "x1"}])
    assert list_steps(run_of(thinking))[0].parts == {"text": "Yes.", "thinking": "Is it?"}


def test_equal_arguments_do_the_same_whatever_their_order_and_their_outcome() -> None:
    one = run_of(calls=[logged("charge", arguments={"a": 1, "b": 2.0})])
    other = run_of(calls=[logged("charge", arguments={"b": 2, "a": 1.0}, status_code=500, source="error")])
    assert list_steps(one)[0].action == list_steps(other)[0].action


def test_calls_and_results_in_parts_are_the_same_steps_as_beside_the_content() -> None:
    response = {"status": "lost"}
    log = [logged("get_order", response, arguments={"id": "7"})]
    text = {"type": "text", "text": "I look."}
    plain = run_of(asks("get_order", id="7") | {"content": [text]}, given('{"status": "found"}'), calls=log)
    content = [text, {"type": "tool_use", "id": "c1", "name": "get_order", "input": {"id": "7"}}]
    result = {"type": "tool_result", "tool_use_id": "c1", "content": '{"status": "found"}'}
    parted = run_of({"role": "assistant", "content": content}, {"role": "user", "content": [result]}, calls=log)
    assert list_steps(parted) == list_steps(plain)
    assert only_call(parted).parts["tool result"] == '{"status": "found"}'


def test_a_result_in_a_part_that_answers_nothing_stays_in_its_message() -> None:
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "x"}
    run = run_of({"role": "user", "content": [result]})
    assert outline(run)[0] == ("message", "user", "messages[0]")
