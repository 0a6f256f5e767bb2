"""Responses-style runs (R41): what is one, and what becomes of its items."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.readers.reading import documents_of, make_document
from trace_store.contract import normalise
from trace_store.model import JSON, Run
from trace_store.readers import Body, Rejection, read_body
from trace_store.readers.formats import responses


def body(value: JSON) -> Body:
    found = read_body(make_document(json.dumps(value).encode()))
    assert isinstance(found, Body)
    return found


def run_of(value: JSON) -> Run:
    found = body(value)
    assert found.format == "responses"
    return normalise(found.value, format=found.format, warnings=found.warnings).run


def text(said: str, **more: JSON) -> JSON:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]} | more


def call(call_id: str = "c1", name: str = "get_order", arguments: JSON = '{"order_id": "o-1"}', **more: JSON) -> JSON:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments} | more


def output(said: JSON, call_id: str = "c1") -> JSON:
    return {"type": "function_call_output", "call_id": call_id, "output": said}


def response(*items: JSON, status: str = "completed", **more: JSON) -> JSON:
    return {"object": "response", "status": status, "output": list(items)} | more


def roles(run: Run) -> list[str]:
    return [message.role for message in run.messages or []]


# ---- what is one ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        {"output": [text("x")]},
        {"output": [{"type": "web_search_call"}]},
        {"responses": [{"output": [text("x")]}]},
        {"responses": [{"output": [call()]}, {"status": "failed"}]},
        {"object": "response", "status": "failed", "output": []},
        {"status": "incomplete", "output": []},
        {"object": "response", "status": "failed", "output": None, "error": {"code": "server_error"}},
        {"run_id": "r", "output": [text("x")], "proxy_calls": []},
    ],
)
def test_recognised(value: JSON) -> None:
    assert body(value).format == "responses"


@pytest.mark.parametrize(
    "value",
    [
        {"final_response": "x", "output": [text("y")]},
        {"final_response": None, "output": [text("y")]},
        {"final_output": "x", "output": [text("y")]},
        {"output": "x"},
        {"output": []},
        {"output": [], "status": "done"},
        {"output": [], "status": ["completed"]},
        {"output": ["x"]},
        {"output": [{"text": "x"}]},
        {"output": [text("x"), {"type": 5}]},
        {"output": {"type": "message"}},
        {"responses": [], "message": "x"},
        {"responses": ["x"], "message": "x"},
        {"responses": [{"output": [text("x")]}, "x"], "message": "y"},
    ],
)
def test_what_is_not_such_a_response_is_not_forced_into_one(value: JSON) -> None:
    assert body(value).format == "run-body"


@pytest.mark.parametrize(
    "value", [{"responses": []}, {"responses": [{"status": "completed"}]}, {"status": "completed"}]
)
def test_what_is_nothing_is_rejected(value: JSON) -> None:
    assert isinstance(read_body(make_document(json.dumps(value).encode())), Rejection)


def test_arrays_are_separate_documents() -> None:
    data = json.dumps([response(text("one")), response(text("two"))]).encode()
    answers = []
    for document in documents_of(data):
        found = read_body(document)
        assert isinstance(found, Body)
        answers.append(found.value["final_response"])
    assert answers == ["one", "two"]


# ---- one response -----------------------------------------------------------------------------------------------


def test_the_items_of_one_response() -> None:
    run = run_of(
        response(
            {"type": "reasoning", "id": "rs1", "summary": [{"type": "summary_text", "text": "hm"}]},
            text("Let me look.", id="m1", status="completed"),
            call(id="fc1", status="completed"),
            output('{"status": "shipped"}'),
            text("It is shipped."),
            id="resp_1",
            model="m-1",
            usage={"input_tokens": 12, "output_tokens": 3, "total_tokens": 15},
        )
    )
    assert run.run_id == "resp_1"
    assert run.status == "completed" and not run.failed
    assert run.final_response == "It is shipped."
    assert run.metadata == {"model": "m-1", "total_input_tokens": 12, "total_output_tokens": 3}
    assert roles(run) == ["assistant", "assistant", "tool", "assistant"]
    assert run.messages is not None
    first, asking, answer, last = run.messages
    assert first.content == "Let me look."
    assert first.thinking == [{"type": "reasoning", "id": "rs1", "summary": [{"type": "summary_text", "text": "hm"}]}]
    assert first.extra == {"id": "m1", "status": "completed"}
    assert asking.tool_calls is not None
    assert [(c.id, c.name, c.arguments, c.extra) for c in asking.tool_calls] == [
        ("c1", "get_order", {"order_id": "o-1"}, {"item_id": "fc1", "status": "completed"})
    ]
    assert (answer.tool_call_id, answer.content) == ("c1", '{"status": "shipped"}')
    assert (last.content, last.thinking) == ("It is shipped.", None)
    assert run.warnings == []
    assert run.extra["usage"] == {"input_tokens": 12, "output_tokens": 3, "total_tokens": 15}


def test_parallel_calls_are_one_message_and_others_are_not() -> None:
    reasoning = {"type": "reasoning", "summary": []}
    run = run_of(
        response(call("c1"), call("c2"), output("1", "c1"), output("2", "c2"), call("c3"), reasoning, call("c4"))
    )
    assert run.messages is not None
    assert [[c.id for c in message.tool_calls or []] for message in run.messages] == [
        ["c1", "c2"],
        [],
        [],
        ["c3"],
        ["c4"],
    ]
    assert [message.tool_call_id for message in run.messages] == [None, "c1", "c2", None, None]


def test_reasoning_after_everything_stands_alone() -> None:
    run = run_of(response(text("x"), {"type": "reasoning", "summary": []}))
    assert run.messages is not None
    assert [(m.content, m.thinking) for m in run.messages] == [
        ("x", None),
        (None, [{"type": "reasoning", "summary": []}]),
    ]


def test_the_answer_is_what_is_said_after_the_last_call() -> None:
    assert run_of(response(text("a"), text("b"))).final_response == "ab"
    assert run_of(response(text("a"), call(), output("1"), text("b"))).final_response == "b"
    for run in (run_of(response(text("I will look."), call())), run_of(response(call(), output("1")))):
        assert (run.final_response, run.response_error) == (None, "ResponseShapeError")


def test_arguments_are_never_repaired() -> None:
    run = run_of(response(call(arguments='{"order_id": "o-'), status="incomplete"))
    assert run.messages is not None and run.messages[0].tool_calls is not None
    (cut,) = run.messages[0].tool_calls
    assert (cut.arguments, cut.arguments_decoded) == ('{"order_id": "o-', False)


@pytest.mark.parametrize(
    ("said", "content"),
    [({"a": 1}, '{"a":1}'), (5, "5"), (None, None), ([{"type": "input_text", "text": "x"}],) * 2, ("", "")],
)
def test_an_output_that_is_no_text_is_kept(said: JSON, content: JSON) -> None:
    run = run_of(response(call(), output(said)))
    assert run.messages is not None
    assert (run.messages[1].content, run.warnings) == (content, [])


def test_content_that_is_more_than_text_is_kept_as_it_is() -> None:
    cited = {"type": "output_text", "text": "x", "annotations": [{"type": "url_citation", "url": "u"}]}
    plain: dict[str, Any] = {"type": "output_text", "text": "y", "annotations": [], "logprobs": None}
    run = run_of(
        response({"type": "message", "content": [cited, plain]}, {"type": "message", "content": [plain, plain]})
    )
    assert run.messages is not None
    assert [message.content for message in run.messages] == [[cited, plain], "yy"]
    assert run.final_response == "xyyy"


def test_an_unknown_item_is_kept_with_a_warning() -> None:
    item = {"type": "web_search_call", "id": "ws1", "action": {"query": "q"}}
    run = run_of(response(item, text("x")))
    assert run.messages is not None
    assert run.messages[0].content == [item]
    assert [(w.origin, w.path, w.reason) for w in run.warnings] == [
        (
            "import",
            "output[0]",
            "an item of the unknown type 'web_search_call': kept as it is, as a message of the assistant",
        ),
        (
            "import",
            "messages[0].content[0]",
            "a content part of type web_search_call is not understood; it may be a tool call that was not checked",
        ),
    ]
    assert run.final_response == "x"


# ---- how it ended -----------------------------------------------------------------------------------------------


def test_an_incomplete_response_keeps_its_reason() -> None:
    reason = {"reason": "max_output_tokens"}
    run = run_of(response(text("half an ans", status="incomplete"), status="incomplete", incomplete_details=reason))
    assert (run.status, run.final_response) == ("incomplete", "half an ans")
    assert run.extra["incomplete_details"] == reason
    assert run.messages is not None and run.messages[0].extra["status"] == "incomplete"


def test_the_last_message_of_a_response_that_broke_off_says_so() -> None:
    run = run_of({"responses": [response(text("a"), call(), status="incomplete"), response(text("b"))]})
    assert run.messages is not None
    assert [message.extra.get("status") for message in run.messages] == [None, "incomplete", None]
    run = run_of(response(call(), call("c2", status="incomplete"), output("1"), text("b", status="completed")))
    assert run.messages is not None
    assert [message.extra.get("status") for message in run.messages] == ["incomplete", None, "completed"]


def test_a_failed_response_keeps_its_error() -> None:
    run = run_of(response(status="failed", error={"code": "server_error", "message": "m"}))
    assert (run.status, run.failed, run.error) == ("failed", True, {"code": "server_error", "message": "m"})
    assert (run.final_response, run.messages, run.view) == (None, None, "thin")


def test_a_refusal_is_no_answer_and_can_be_seen() -> None:
    part = {"type": "refusal", "refusal": "I will not."}
    for item in ({"type": "message", "role": "assistant", "content": [part]}, part):
        run = run_of(response(item))
        assert run.messages is not None
        assert (run.final_response, run.messages[0].content, run.messages[0].extra["refusal"]) == (
            None,
            [part],
            "I will not.",
        )


# ---- several responses ------------------------------------------------------------------------------------------

QUESTION = {"role": "user", "content": "Where is o-1?"}


def test_several_responses_with_what_was_asked_in_between() -> None:
    run = run_of(
        {
            "run_id": "r",
            "responses": [
                response(call(), input=[QUESTION], instructions="Be brief.", model="m", usage={"input_tokens": 5}),
                response(text("Shipped."), input=[output("1")], instructions="Be brief.", usage={"input_tokens": 7}),
            ],
            "proxy_calls": [],
        }
    )
    assert run.messages is not None
    assert [(m.role, m.content) for m in run.messages] == [
        ("system", "Be brief."),
        ("user", "Where is o-1?"),
        ("assistant", None),
        ("tool", "1"),
        ("assistant", "Shipped."),
    ]
    assert (run.run_id, run.status, run.final_response, run.has_log) == ("r", "completed", "Shipped.", True)
    assert run.metadata == {"model": "m", "total_input_tokens": 12}
    assert [turn["messages"] for turn in run.extra["responses"]] == [[0, 1, 2], [3, 4]]


def test_a_transcript_that_is_sent_again_is_not_doubled() -> None:
    reasoning = {"type": "reasoning", "id": "rs", "summary": []}
    asking = call(id="fc", status="completed")
    again = [QUESTION, call(), output("1")]
    for resent in (again, [QUESTION, reasoning, *again[1:]]):
        run = run_of(
            {
                "responses": [
                    response(reasoning, asking, input=[QUESTION]),
                    response(text("one"), input=resent),
                    response(text("two"), input=[*resent, text("one", id="m"), QUESTION]),
                ]
            }
        )
        assert roles(run) == ["user", "assistant", "tool", "assistant", "user", "assistant"]
        assert run.final_response == "two"


def test_the_same_words_said_again_are_said_again() -> None:
    yes = {"role": "user", "content": "yes"}
    run = run_of({"responses": [response(text("sure?"), input=[QUESTION, yes]), response(text("ok"), input=[yes])]})
    assert roles(run) == ["user", "user", "assistant", "user", "assistant"]


def test_the_last_response_decides_how_the_run_ended() -> None:
    turns = [response(text("first")), response(status="incomplete", incomplete_details={"reason": "content_filter"})]
    run = run_of({"responses": turns})
    assert (run.status, run.final_response) == ("incomplete", None)
    assert run.extra["incomplete_details"] == {"reason": "content_filter"}
    assert run.extra["responses"][1]["status"] == "incomplete"
    assert run_of({"responses": turns, "status": "timeout"}).status == "timeout"


def test_roles_and_shapes_of_what_was_asked() -> None:
    run = run_of(
        response(
            text("x"),
            input=[
                {"role": "developer", "content": "Use the tools."},
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
                {"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": "u"}]},
                "odd",
            ],
        )
    )
    assert run.messages is not None
    assert [(m.role, m.content) for m in run.messages] == [
        ("system", "Use the tools."),
        ("user", "hi"),
        ("user", [{"type": "input_image", "image_url": "u"}]),
        ("assistant", ["odd"]),
        ("assistant", "x"),
    ]
    assert run.messages[0].extra == {"sent_role": "developer"}
    assert [w.path for w in run.warnings] == ["input[3]"]
    assert run_of(response(text("x"), input="hi")).messages[0].content == "hi"  # type: ignore[index]  # not thin


def test_a_response_that_is_none_among_others_is_kept() -> None:
    run = run_of({"responses": [{"output": "oops"}, response(text("x"))]})
    assert run.messages is not None
    assert (run.messages[0].content, run.final_response) == (["oops"], "x")
    assert [w.path for w in run.warnings] == ["responses[0].output"]


# ---- what stands beside it --------------------------------------------------------------------------------------


def test_a_content_part_whose_type_is_no_text_is_kept() -> None:
    odd = {"type": ["output_text"], "text": "x"}
    run = run_of(response({"type": "message", "role": "assistant", "content": [odd]}, text("done")))
    assert (run.messages or [])[0].content == [odd]
    assert run.final_response == "done"


def test_declared_function_tools_become_the_schema() -> None:
    parameters = {"type": "object", "properties": {"order_id": {"type": "string"}}}
    tools = [
        {"type": "function", "name": "read_order", "description": "Read.", "strict": True, "parameters": parameters},
        {"type": "web_search"},
    ]
    found = body(response(text("x"), tools=tools)).value
    assert found["tools_schema"] == [
        {"name": "read_order", "description": "Read.", "strict": True, "input_schema": parameters}
    ]
    assert found["tools"] == tools
    own = body(response(text("x"), tools=tools, tools_schema=[])).value
    assert own["tools_schema"] == []


def test_a_transcript_of_its_own_is_kept() -> None:
    value = response(text("x"), messages=[{"role": "user", "content": "hi"}])
    run = run_of(value)
    assert roles(run) == ["user"]
    assert (run.final_response, run.extra["output"], run.warnings) == ("x", value["output"], [])


def test_unknown_keys_and_times_are_kept() -> None:
    run = run_of(response(text("x"), created_at=1775210400, temperature=0.5, metadata={"tenant": "shop"}))
    assert run.started_at is not None and run.started_at.startswith("2026-04-03T10:00:00")
    assert (run.extra["temperature"], run.metadata) == (0.5, {"tenant": "shop"})


# ---- anything ---------------------------------------------------------------------------------------------------

ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=5,
)
NAMES = ["type", "role", "content", "call_id", "id", "name", "arguments", "output", "refusal", "text", "status"]
TYPES = st.sampled_from(
    ["message", "function_call", "function_call_output", "reasoning", "refusal", "x", "output_text"]
)
ITEMS = st.dictionaries(
    st.sampled_from(NAMES), ANY | TYPES | st.lists(st.dictionaries(st.sampled_from(NAMES), ANY | TYPES))
)
TURNS = st.dictionaries(
    st.sampled_from(
        ["output", "input", "instructions", "status", "model", "usage", "tools", "metadata", "error", "object"]
    ),
    ANY | st.lists(ITEMS, max_size=4) | st.just("response"),
)


@given(TURNS | st.builds(lambda turns: {"responses": turns}, st.lists(TURNS, max_size=4)))
def test_no_response_is_too_odd(value: JSON) -> None:
    if responses.recognises(value):
        found, warnings = responses.read(value)
        run = normalise(found, format="responses", warnings=warnings).run
        assert run.final_response is None or isinstance(run.final_response, str)
