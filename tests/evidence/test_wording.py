"""How values, texts and names read in the sentences of findings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.evidence.runs_of import claim, examined, failed, findings_of, ok, result, run_of
from trace_store.evidence.findings.formatting import (
    MAX_LENGTH,
    format_count,
    format_duration,
    format_json,
    format_list,
    format_name,
    format_value,
    quote,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        ("a", '"a"'),
        ('say "a"\n', '"say \\"a\\"\\n"'),
        ("é", '"é"'),
        ("a\u2028b\u202ec\x7f", '"a\\u2028b\\u202ec\\u007f"'),
        ({"order_id": "4521", "n": [None, False]}, '{"order_id": "4521", "n": [null, false]}'),
        (2**70, "1180591620717411303424"),
    ],
)
def test_a_value_is_shown_as_json(value: Any, text: str) -> None:
    assert format_json(value) == text


def test_a_long_value_is_cut() -> None:
    assert format_json("a" * MAX_LENGTH) == '"' + "a" * (MAX_LENGTH - 3) + '…"'
    assert format_json(["a" * 30] * 1_000) == '["' + "a" * 30 + '", "' + "a" * 21 + '…"]'
    assert len(format_json({"a": "b" * 500})) == MAX_LENGTH
    assert format_json("a" * (MAX_LENGTH - 2)) == '"' + "a" * (MAX_LENGTH - 2) + '"'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            {"order_id": "NK-1", "status": "shipped", "amount": 12.5, "currencies": ["EUR", "USD"]},
            '{"order_id": "NK-1", "status": "shipped", "amount": 12.5, …}',
        ),
        ({"a": {"b": [1] * 100}}, '{"a": {"b": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, …]}}'),
        ({"note": 'say "so"\n' * 20}, '{"note": "say \\"so\\"\\nsay \\"so\\"\\nsay \\"so\\"\\nsay \\"so\\"…"}'),
        ({"n" * 80: 1}, "{…}"),
        ([[], {}, "x", {"long": "y" * 100}], '[[], {}, "x", {"long": "' + "y" * 32 + '…"}]'),
        ([2**300], "[…]"),
    ],
)
def test_json_is_closed_where_it_is_cut(value: Any, text: str) -> None:
    assert format_json(value) == text
    assert len(text) <= MAX_LENGTH
    assert quote(json.dumps(value)) == f"“{text}”"


@pytest.mark.parametrize(
    "text", ["[late] " + "word, " * 20, "{'a': 'it, is'} " * 9, '{"a": 1]' + "x" * 80, "[1] " * 30]
)
def test_a_text_that_is_no_json_is_cut_where_it_gets_too_long(text: str) -> None:
    assert quote(text) == f"“{text[: MAX_LENGTH - 1]}…”"


def test_a_number_of_any_length_is_shown() -> None:
    assert format_json(10**80) == "1" + "0" * (MAX_LENGTH - 2) + "…"


def test_a_value_of_any_depth_is_shown() -> None:
    value: Any = 1
    for _ in range(5_000):
        value = [value]
    assert format_json(value) == "[" * 29 + "…" + "]" * 29


def test_a_text_stands_in_quotes_on_one_line() -> None:
    assert quote('{"a":\n  1}') == '“{"a": 1}”'
    assert quote("") == "“”"
    assert quote("b" * 100) == "“" + "b" * (MAX_LENGTH - 1) + "…”"
    assert quote("a\x00b\u202e") == "“a\\u0000b\\u202e”"


def test_a_text_in_place_of_a_value_is_quoted() -> None:
    assert format_value("broken {") == "“broken {”"
    assert format_value([1, None]) == "[1, null]"


@pytest.mark.parametrize("name", ["get_order", "supervisor/refund_agent", "agent_5xx", "a.b:c@d+e-f", "événement"])
def test_a_plain_name_needs_no_quotes(name: str) -> None:
    assert format_name(name) == name


@pytest.mark.parametrize(
    ("name", "text"), [("a b", "“a b”"), ("", "“”"), ("f;", "“f;”"), ("a\n", "“a”"), ("x" * 61, f"“{'x' * 59}…”")]
)
def test_any_other_name_cannot_pass_for_a_part_of_the_sentence(name: str, text: str) -> None:
    assert format_name(name) == text


def test_numbers_of_things() -> None:
    assert (format_count(1, "call"), format_count(2_000, "call")) == ("1 call", "2,000 calls")
    assert format_list("abcdefg") == "a, b, c, d, e and 2 more"
    assert (format_duration(999), format_duration(1_500)) == ("999 ms", "1.50 s")


@pytest.mark.parametrize(
    ("kind", "body", "message"),
    [
        (
            "tool_result_differs",
            run_of(ok(), messages=[claim(), result(content={"status": "lost"})]),
            'the model received “{"status": "lost"}”, but get_order returned {"status": "shipped"} (calls[0])',
        ),
        (
            "failure_hidden",
            run_of(failed(), messages=[claim(), result(content="")]),
            "get_order failed with 500: “plain text” (calls[0]), but the model received nothing",
        ),
        (
            "application_error",
            run_of(ok(response={"error": {"code": None}})),
            'get_order answered with an error: {"code": null}',
        ),
        (
            "call_failed",
            run_of(ok(source="cache", status_code=None, error="boom")),
            "get_order failed with the source cache: “boom”",
        ),
        (
            "call_failed",
            run_of({"lane": "data", "status_code": 500, "error": {"detail": "x"}}),
            "the data endpoint failed with 500: “x”",
        ),
        (
            "actor_outside_transcript",
            run_of(ok(), *(ok("g", {"n": n}, actor_id="a b") for n in (1, 2)), messages=[claim(), result()]),
            "“a b” made 2 calls, none of which the transcript shows",
        ),
        (
            "actor_outside_transcript",
            run_of(ok(), ok("g", actor_id="sub"), messages=[claim(), result()]),
            "sub made 1 call, which the transcript does not show",
        ),
        (
            "actor_unattributed",
            run_of(ok(), ok("g", actor_id="a")),
            "1 of 2 calls names no actor, while others do",
        ),
        (
            "answer_ungrounded",
            run_of(ok(), answer="It costs $79.50."),
            "1 fact of the answer appears in no receipt, message or task input: “$79.50”",
        ),
        (
            "schema_invalid",
            run_of(tools_schema=[{"name": "f", "input_schema": {"properties": {"a": {"type": "strng"}}}}]),
            "the input_schema of the tool f cannot be used: "
            'it is not a valid JSON Schema (draft 2020-12): `type` cannot be "strng"',
        ),
        (
            "schema_invalid",
            run_of(tools_schema=[{"name": "f", "input_schema": {"required": ["a", 5]}}]),
            "the input_schema of the tool f cannot be used: "
            "it is not a valid JSON Schema (draft 2020-12): `required` cannot hold 5",
        ),
        (
            "envelope_invalid",
            {
                "final_response": "x",
                "error": {"error_class": "timeout", "error_code": "request_timeout", "stage": [], "retryable": True}
                | {"schema_version": "openmed.agent.error.v1", "run_id": None, "action_id": None},
            },
            "the envelope breaks unknown_stage: [] is not a known stage",
        ),
    ],
)
def test_whole_sentences(kind: str, body: dict[str, Any], message: str) -> None:
    assert findings_of(examined(body), kind)[0].message == message
