"""Paths of the run document in words."""

from __future__ import annotations

import pytest

from app.path_labels import in_words
from trace_store.contract import normalise

RUN = normalise(
    {
        "final_response": "Done.",
        "messages": [
            {"role": "user", "content": "Refund it."},
            "lost",
            {"role": "assistant", "tool_calls": [{"id": "c1", "name": "get_order", "arguments": {}}]},
        ],
        "proxy_calls": [{"tool_name": "get_order", "source": "odyssey", "response": {}}, 7],
    }
).run


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("messages[2].tool_calls[0]", "message 2: get_order"),
        ("messages[2].tool_calls[0].arguments", "message 2: get_order"),
        ("messages[2]", "message 2: assistant"),
        ("messages[1]", "message 1"),
        ("calls[0]", "call 0: get_order"),
        ("calls[0].response.amount", "call 0: get_order"),
        ("calls[1]", "call 1"),
        ("calls[9]", "calls[9]"),
        ("final_response", "the answer"),
        ("tools_schema[2]", "tools_schema[2]"),
    ],
)
def test_a_path_is_said_by_what_stands_there_and_its_number(path: str, words: str) -> None:
    assert in_words(RUN, path) == words
