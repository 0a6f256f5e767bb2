"""Runs for the tests of what messages hold, read as an import reads them. Each is `(run, original messages)`."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import orjson

from tests.browser.component_runs import PIXEL, Case
from trace_store.importing import check_stream
from trace_store.model import JSON, Run

MARKDOWN = """## Refund

The refund of **$79.50** for order `4521` was issued on *2026-04-02*:

1. it was shipped on 2026-04-01,
2. it never arrived.

| item | price |
|------|-------|
| lamp | 79.50 |

See [the policy](https://example.com/policy?id=12345) and ![a map](https://example.com/map.png).
"""
HUGE_LENGTH = 6_000_000


def read(body: JSON) -> Case:
    """The run of a body, and its messages as they were."""
    (run,) = check_stream("run.json", BytesIO(orjson.dumps(body)))
    assert isinstance(run, Run)
    return run, body["messages"]


def content_parts() -> Case:
    """Calls, results and thinking in parts, beside text, pictures and a part of no type that is known."""
    order, refund = {"order_id": "A17"}, {"order_id": "A17", "amount": 1.0}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Refund A17"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "look first", "signature": "c2ln"},
                {"type": "text", "text": "I look at it."},
                {"type": "tool_use", "id": "u1", "name": "get_order", "input": order},
                {"type": "text", "text": "And refund it at once."},
                {"type": "function_call", "id": "u2", "name": "issue_refund", "arguments": '{"order_id":"A17"}'},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "u1", "content": [{"type": "text", "text": "shipped lamp"}]},
                {"type": "tool_result", "tool_use_id": "u2", "is_error": True, "content": "refunded"},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "lost", "is_error": True, "content": "nobody asked"},
                {"type": "image_url", "image_url": {"url": PIXEL}},
                {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
                {"type": "document", "title": "Terms", "pages": 12345678901234567890},
            ],
        },
        {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "zzz"}]},
        {"role": "assistant", "content": None, "reasoning_content": "reasonword"},
        {"role": "assistant", "content": "I refunded order A17."},
    ]
    log = [
        {"tool_name": "get_order", "arguments": order, "response": {"status": "shipped"}, "source": "odyssey",
         "status_code": 200},
        {"tool_name": "other", "arguments": refund, "response": {}, "source": "odyssey", "status_code": 200},
    ]  # fmt: skip
    return read(
        {"run_id": "parts", "final_response": "I refunded order A17.", "messages": messages, "proxy_calls": log}
    )


def empties() -> Case:
    """Every way to say nothing."""
    contents: list[JSON] = [None, "", [], [{"type": "text", "text": ""}], " \n\t ", [{"type": "text", "text": "  "}]]
    messages: list[JSON] = [{"role": "user", "content": content} for content in contents]
    call = {"id": "a", "name": "ping", "arguments": {}}
    messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
    messages.append({"role": "tool", "tool_call_id": "a", "content": ""})
    return read({"run_id": "empties", "final_response": "ok", "messages": messages})


def markdown() -> Case:
    """Markdown of every role, and plain texts; an answer whose facts are in a receipt, or nowhere."""
    messages = [
        {"role": "system", "content": "# Rules\n\n- be brief"},
        {"role": "user", "content": "Plain text: 2 * 3 * 4,\n   indented, snake_case_name."},
        {"role": "assistant", "content": "On it.", "tool_calls": [{"id": "a", "name": "get_order", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "a", "content": "# not a heading\n- $79.50 for 4521 on 2026-04-01"},
        *({"role": "user", "content": f"**message** {n}"} for n in range(4, 59)),
        {"role": "system", "content": "# Policy\n\n" + "- a rule of many words\n" * 40},
        {"role": "assistant", "content": MARKDOWN},
    ]
    return read({"run_id": "markdown", "final_response": MARKDOWN, "messages": messages})


def trees() -> Case:
    """JSON of every depth and length, and JSON in strings."""
    deep: JSON = "needle in the deep"
    for level in range(12):
        deep = {f"level_{level}": deep, "pad": "x" * 120}
    rows = [{"id": n, "name": f"row {n}", "price": 1.0} for n in range(340)]
    keys = {f"key_{n:02}": n for n in range(60)}
    nested = {"body": '{"inner": {"list": [1, 2.50]}}', "lines": "first line of some text\nsecond line of it"}
    calls = [
        {"id": str(n), "name": "store", "arguments": arguments}
        for n, arguments in enumerate(
            ({"rows": rows}, {"deep": deep}, keys, nested, {"flag": True, "none": None, "n": 10**19})
        )
    ]
    messages = [
        {"role": "assistant", "content": None, "tool_calls": calls},
        {
            "role": "tool",
            "tool_call_id": "0",
            "content": orjson.dumps(rows).decode().replace('"price":1.0', '"price":1.50'),
        },
    ]
    return read({"run_id": "trees", "final_response": "ok", "messages": messages})


def huge_tree() -> Case:
    """Arguments of two megabytes."""
    rows = [{"id": n, "text": "words " * 8, "tags": ["a", "b"]} for n in range(22_000)]
    call = {"id": "a", "name": "store", "arguments": {"rows": rows, "last": "needle at the end"}}
    return read({"run_id": "huge_tree", "final_response": "ok", "messages": [
        {"role": "assistant", "content": None, "tool_calls": [call]}]})  # fmt: skip


def huge_text() -> Case:
    """A message of six megabytes, with one word in the middle that stands nowhere else."""
    line = "a line of the log that goes on for a while, number 0123456789\n"
    text = line * (HUGE_LENGTH // len(line))
    half = len(text) // 2
    return read({"run_id": "huge_text", "final_response": "ok", "messages": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": text[:half] + "needle in the middle" + text[half:]},
        {"role": "user", "content": "thanks"}]})  # fmt: skip


CONTENT_RUNS: dict[str, Callable[[], Case]] = {
    builder.__name__: builder for builder in (content_parts, empties, markdown, trees, huge_tree, huge_text)
}
