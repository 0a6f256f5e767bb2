"""Where the transcript shows the parts of a message: each once, and none nowhere (R45)."""

from __future__ import annotations

from typing import Any

import pytest

from app.components.transcript import build_transcript
from app.components.transcript.content_parts import find_call_parts
from trace_store.contract import normalise
from trace_store.model import JSON, Message


def message(**fields: JSON) -> Message:
    messages = normalise({"final_response": "x", "messages": [{"role": "assistant", **fields}]}).run.messages
    assert messages is not None
    return messages[0]


def part(id_: JSON, name: str = "f", **fields: JSON) -> dict[str, JSON]:
    return {"type": "tool_use", "id": id_, "name": name, "input": {"n": 1}, **fields}


def test_calls_in_parts_are_shown_by_their_cards_whatever_stands_between() -> None:
    nested = {"type": "function_call", "function": {"name": "g", "arguments": '{"n": 2}'}}
    content = [{"type": "text", "text": "a"}, part("a", cache_control={}), "b", nested, part(7), part("a", name="")]
    assert find_call_parts(message(content=content)) == {1: 0, 3: 1, 4: 2}


def test_calls_in_parts_stand_behind_those_of_the_message() -> None:
    own = [{"id": "o", "name": "f", "arguments": {"n": 1}}, {"name": ""}]
    assert find_call_parts(message(content=[part("a"), part("b")], tool_calls=own)) == {0: 2, 1: 3}


def test_calls_of_one_id_keep_their_order() -> None:
    assert find_call_parts(message(content=[part("f"), part("f"), part(None)])) == {0: 0, 1: 1, 2: 2}


@pytest.mark.parametrize(
    ("repeated", "shown"),
    [(part("o"), {0: 0}), (part("o", input={"n": 2}), {}), (part("o", note="x"), {})],
    ids=["the same", "other arguments", "more"],
)
def test_a_part_that_repeats_a_call_is_shown_by_its_card_unless_it_says_more(
    repeated: dict[str, JSON], shown: dict[int, int]
) -> None:
    own = [{"id": "o", "name": "f", "arguments": {"n": 1}}]
    assert find_call_parts(message(content=[repeated], tool_calls=own)) == shown


def test_calls_of_another_role_are_parts_like_any() -> None:
    assert find_call_parts(message(role="user", content=[part("a")])) == {}


def test_thinking_of_a_part_is_sent_once_with_its_part() -> None:
    own, inner = {"type": "thinking", "thinking": "own"}, {"type": "reasoning", "summary": [1.0]}
    body = {"final_response": "x", "messages": [{"role": "assistant", "content": [inner, "t"], "thinking": [own]}]}
    item: Any = build_transcript(normalise(body).run)["items"][0]
    assert item["thinking"] == ['{"type":"thinking","thinking":"own"}']
    assert item["parts"] == ['{"type":"reasoning","summary":[1.0]}', '"t"']
