"""Secrets never leave the reader (R44): not in the value, not in the raw document, not in a reason."""

from __future__ import annotations

import json

import orjson
import pytest

from tests.readers.reading import documents_of, items_of, make_document, zipped
from trace_store.model import JSON
from trace_store.readers import Body, Document, read_body
from trace_store.readers.parsing.parse import write_canonical
from trace_store.readers.redaction import REDACTED, may_hold_secret, redact, redact_text

TOKEN = "abcDEF0123456789._~+/=-"
BEARER = f"Bearer {TOKEN}"
SECRET = "s3cr3t-value"

CASES: dict[str, tuple[JSON, JSON, int, str | None]] = {
    "run_token": ({"run_token": SECRET}, {"run_token": REDACTED}, 1, "run_token"),
    "variable": (
        {"env": {"DYSTOPIC_RUN_TOKEN": SECRET, "DYSTOPIC_RUN_ID": "r"}},
        {"env": {"DYSTOPIC_RUN_TOKEN": REDACTED, "DYSTOPIC_RUN_ID": "r"}},
        1,
        "env.DYSTOPIC_RUN_TOKEN",
    ),
    "header": (
        {"calls": [{}, {"headers": {"Authorization": "Basic dXNlcg=="}}]},
        {"calls": [{}, {"headers": {"Authorization": REDACTED}}]},
        1,
        "calls[1].headers.Authorization",
    ),
    "any_case": (
        {"AUTHORIZATION": "a", "authorization": "b", "Run_Token": "c", "dystopic_run_token": "d"},
        dict.fromkeys(("AUTHORIZATION", "authorization", "Run_Token", "dystopic_run_token"), REDACTED),
        4,
        "AUTHORIZATION",
    ),
    "header_sent_twice": (
        {"Authorization": ["a", 1, "b"]},
        {"Authorization": [REDACTED, 1, REDACTED]},
        2,
        "Authorization[0]",
    ),
    "bearer_in_text": (
        {"messages": [{"content": f"curl -H '{BEARER}' and {BEARER}."}]},
        {"messages": [{"content": f"curl -H '{REDACTED}' and {REDACTED}"}]},
        2,
        "messages[0].content",
    ),
    "bearer_of_16": ({"a": "Bearer 0123456789abcdef!"}, {"a": f"{REDACTED}!"}, 1, "a"),
    "bearer_of_15": ({"a": "Bearer 0123456789abcde!"}, {"a": "Bearer 0123456789abcde!"}, 0, None),
    "bearer_as_a_word": ({"a": "Bearer of good news, bearer 0123456789abcdef"},) * 2 + (0, None),
    "bearer_in_a_key": ({BEARER: 1, "Bearer x": 2}, {REDACTED: 1, "Bearer x": 2}, 1, REDACTED),
    "below_a_bearer_in_a_key": (
        {"a": {BEARER: {"run_token": "x"}}},
        {"a": {REDACTED: {"run_token": REDACTED}}},
        2,
        f"a.{REDACTED}.run_token",
    ),
    "two_bearers_in_keys": ({BEARER: 1, f"{BEARER}0": 2}, {REDACTED: 1, f"{REDACTED}'": 2}, 2, REDACTED),
    "safe_names": ({"run_token_jti": "j", "class": "run_token_expired", "authorization_id": "a"},) * 2 + (0, None),
    "not_strings": ({"run_token": None, "Authorization": {"status": "ok"}, "a": {"run_token": 5}},) * 2 + (0, None),
    "nothing": ({"run_token": ""},) * 2 + (0, None),
    "done_already": ({"run_token": REDACTED, "a": "Bearer [redacted]"},) * 2 + (0, None),
    "schema": (
        {
            "tools_schema": [
                {
                    "input_schema": {
                        "properties": {"run_token": {"type": "string", "title": "token"}, "Authorization": {}},
                        "required": ["run_token", "Authorization"],
                        "dependentRequired": {"run_token": ["Authorization"]},
                        "dependencies": {"Authorization": ["run_token"]},
                    }
                }
            ]
        },
    )
    * 2
    + (0, None),
    "value_among_properties": (
        {"arguments": {"properties": {"run_token": SECRET}}},
        {"arguments": {"properties": {"run_token": REDACTED}}},
        1,
        "arguments.properties.run_token",
    ),
    "arguments_as_text": (
        {"arguments": json.dumps({"n": 1, "run_token": SECRET, "x": BEARER})},
        {"arguments": json.dumps({"n": 1, "run_token": REDACTED, "x": REDACTED})},
        2,
        "arguments",
    ),
    "text_in_text": (
        {"a": json.dumps({"b": json.dumps([{"Authorization": SECRET}])})},
        {"a": json.dumps({"b": json.dumps([{"Authorization": REDACTED}])})},
        1,
        "a",
    ),
    "hidden_in_text": (
        {"a": '{"\\u0072un_token": "' + SECRET + '", "b": "Bear\\u0065r ' + TOKEN + '"}'},
        {"a": json.dumps({"run_token": REDACTED, "b": REDACTED})},
        2,
        "a",
    ),
    "repeated_in_text": (
        {"a": '{"run_token": "' + SECRET + '", "run_token": "[redacted]"}'},
        {"a": json.dumps({"run_token": REDACTED})},
        1,
        "a",
    ),
    "cut_off_text": (
        {"a": '{"x": {"run_token": "' + SECRET + '", "y": "' + BEARER},
        {"a": '{"x": {"run_token": "[redacted]", "y": "[redacted]'},
        2,
        "a",
    ),
    "cut_off_in_the_secret": (
        {"a": '{"run_token": "' + SECRET},
        {"a": '{"run_token": "[redacted]'},
        1,
        "a",
    ),
    "python_text": (
        {"a": str({"run_token": SECRET, "b": "c"})},
        {"a": str({"run_token": REDACTED, "b": "c"})},
        1,
        "a",
    ),
    "escaped_text_in_prose": (
        {"a": f'sent {json.dumps(json.dumps({"run_token": SECRET, "b": 1}))} twice'},
        {"a": f'sent {json.dumps(json.dumps({"run_token": REDACTED, "b": 1}))} twice'},
        1,
        "a",
    ),
    "text_without_secrets": ({"a": '{ "run_token_jti" :1, "say": "authorization" }'},) * 2 + (0, None),
}  # fmt: skip


@pytest.mark.parametrize(("value", "expected", "count", "first"), CASES.values(), ids=CASES)
def test_secrets_are_replaced_and_counted(value: JSON, expected: JSON, count: int, first: str | None) -> None:
    document = make_document(json.dumps(value).encode())
    assert document.value == expected
    assert (document.redactions, document.redacted_at) == (count, first)
    if count:
        assert orjson.loads(document.raw) == expected
        assert SECRET.encode() not in document.raw and TOKEN.encode() not in document.raw
    else:
        assert document.raw == json.dumps(value).encode()


@pytest.mark.parametrize(("value", "expected", "count", "first"), CASES.values(), ids=CASES)
def test_redaction_is_idempotent(value: JSON, expected: JSON, count: int, first: str | None) -> None:
    again, found = redact(orjson.loads(orjson.dumps(expected)))
    assert (again, found.count, found.first) == (expected, 0, None)


@pytest.mark.parametrize(("value", "expected", "count", "first"), CASES.values(), ids=CASES)
def test_the_look_at_the_bytes_misses_nothing(value: JSON, expected: JSON, count: int, first: str | None) -> None:
    assert may_hold_secret(write_canonical(value)) or count == 0


def test_ordinary_runs_are_cleared_by_the_look_at_the_bytes() -> None:
    run = {"run_token_jti": "j", "calls": [{"error_class": "run_token_expired"}], "a": 'not "authorised" to see tokens'}
    assert not may_hold_secret(write_canonical(run))


@pytest.mark.parametrize(
    "text",
    [
        f'{{"\\u0072un_token": "{SECRET}"}}',
        f'{{"x": "Bearer\\u0020{TOKEN}"}}',
        f'{{"AUTHORI\\u005aATION" : "{SECRET}"}}',
    ],
)
def test_escapes_hide_nothing(text: str) -> None:
    document = make_document(text.encode())
    assert document.redactions == 1
    assert SECRET.encode() not in document.raw and TOKEN.encode() not in document.raw


def test_a_string_as_a_body() -> None:
    document = make_document(json.dumps(f"used {BEARER}").encode())
    assert (document.value, document.raw, document.redacted_at) == (
        "used [redacted]",
        b'"used [redacted]"',
        "final_response",
    )


def test_a_secret_that_a_repeated_key_hides_is_in_no_raw_document() -> None:
    document = make_document(
        ('{"run_token": "' + SECRET + '", "a": {"b": "' + BEARER + '"}, "run_token": 1, "a": 2}').encode()
    )
    assert document.value == {"run_token": 1, "a": 2}
    assert document.redactions == 2
    assert SECRET.encode() not in document.raw and TOKEN.encode() not in document.raw


def test_a_redacted_raw_document_is_otherwise_as_it_was() -> None:
    text = '{"run_token": "x", "a": NaN, "b": 18446744073709551616, "c": "\\ud800", "d": 1e999}'
    raw = make_document(text.encode()).raw.decode()
    assert raw == '{"run_token": "[redacted]", "a": NaN, "b": 18446744073709551616, "c": "\\ud800", "d": Infinity}'


def test_the_digest_is_that_of_the_redacted_document() -> None:
    one, other = (make_document(json.dumps({"run_token": token, "a": 1}).encode()) for token in ("x", "y"))
    assert one.digest == other.digest


def test_stamps_are_redacted_too() -> None:
    rollup = {"check_id": "c", "scenarios": [{"name": f"with {BEARER}", "runs": [{"final_response": "x"}]}]}
    assert documents_of(json.dumps(rollup).encode())[0].value["scenario"] == "with [redacted]"


def test_the_first_path_is_that_of_the_run_document() -> None:
    text = json.dumps({"final_response": "x", "tool_call_log": [{"run_token": "y"}]})
    body = read_body(make_document(text.encode()))
    assert isinstance(body, Body)
    assert body.redacted_at == "calls[0].run_token"


def test_no_output_of_a_hostile_file_holds_the_secret() -> None:
    texts = [
        {"detail": BEARER, "status": 401},
        {BEARER: 1},
        {"detail": {"message": "x", "run_token": SECRET}},
        [{"run_token": SECRET}],
    ]
    data = "\n".join(map(json.dumps, texts)).encode() + f"\n<title>{BEARER}</title>\n{{{BEARER}}}\n".encode()
    display_path = []
    for item in items_of(zipped({"a.jsonl": data})):
        display_path.append(repr(read_body(item) if isinstance(item, Document) else item))
    assert len(display_path) >= 5
    assert not any(SECRET in text or TOKEN in text for text in display_path)


def test_long_runs_of_backslashes_take_no_time() -> None:
    text = "\\" * 200_000 + "run_token" + '"' * 200_000 + "{" * 200_000
    assert redact_text(text) == text
    document = make_document(json.dumps({"a": text, "run_token": "x"}).encode())
    assert document.redactions == 1


def test_deep_json_in_a_string_is_searched_as_text() -> None:
    text = "[" * 5000 + '{"run_token": "' + SECRET + '"}' + "]" * 5000
    document = make_document(json.dumps({"a": text}).encode())
    assert SECRET not in document.value["a"] and document.redactions == 1
