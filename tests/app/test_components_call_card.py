"""The card of one call of the log: its chain alone, with every payload that the transcript would show elsewhere."""

from __future__ import annotations

from typing import Any

from app.components.call_card import build_call_card
from trace_store.contract import normalise

FAILED: dict[str, Any] = {"source": "error", "status_code": 500, "error": {"detail": "down"}}


def test_it_has_one_chain_and_the_one_that_this_repeats() -> None:
    other = {"tool_name": "other", "source": "odyssey", "response": {}}
    calls = [{"tool_name": "get", **FAILED}, other, {"tool_name": "get", "source": "odyssey", "response": {"n": 1}}]
    run = normalise({"final_response": "Done.", "proxy_calls": calls}).run
    card = build_call_card(run, run.calls[2])
    assert [call["sequence"] for call in card["calls"]] == [2]
    assert {number: chain["calls"] for number, chain in card["chains"].items()} == {"0": [0], "2": [2]}
    assert card["chains"]["2"]["repeats"] == 0


def test_it_has_the_response_even_where_the_transcript_has_it_in_a_message() -> None:
    messages = [
        {"role": "assistant", "tool_calls": [{"id": "c", "name": "get", "arguments": {"n": 1}}]},
        {"role": "tool", "tool_call_id": "c", "content": {"n": 2}},
    ]
    calls = [{"tool_name": "get", "arguments": {"n": 1}, "source": "odyssey", "response": {"n": 2}}]
    run = normalise({"final_response": "Done.", "messages": messages, "proxy_calls": calls}).run
    (call,) = build_call_card(run, run.calls[0])["calls"]
    assert (call["arguments"], call["response"]) == ('{"n":1}', {"json": '{"n":2}'})
