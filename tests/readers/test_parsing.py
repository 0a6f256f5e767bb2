"""JSON as it is found (R43): what plain JSON cannot hold is replaced, said once a sort, and kept in the raw bytes."""

from __future__ import annotations

import json
from hashlib import sha256

import orjson
import pytest

from tests.readers.reading import documents_of, make_document
from trace_store.model import JSON
from trace_store.readers import read_body
from trace_store.readers.formats.registry import Body
from trace_store.readers.parsing.parse import parse, write_canonical

NON_FINITE = "NaN, Infinity, or a number that overflows to it: null in the run document"
BIG_INTEGER = "an integer beyond 64 bits: its text in the run document"
SURROGATE = "a lone surrogate: U+FFFD in the run document"
REPEATED_KEY = "a key that recurs in one object: the last one wins"

CASES: dict[str, tuple[str, JSON, list[tuple[str, str]]]] = {
    "nan": ('{"final_response": "x", "a": NaN}', {"final_response": "x", "a": None}, [("a", NON_FINITE)]),
    "infinities": ('{"a": [1, Infinity, -Infinity]}', {"a": [1, None, None]}, [("a[1]", NON_FINITE)]),
    "overflow": ('{"a": {"b": -1e999}}', {"a": {"b": None}}, [("a.b", NON_FINITE)]),
    "underflow_is_zero": ('{"a": 1e-999}', {"a": 0.0}, []),
    "largest_integers": (
        '{"a": [18446744073709551615, -9223372036854775808]}',
        {"a": [18446744073709551615, -9223372036854775808]},
        [],
    ),
    "integers_beyond": (
        '{"a": [18446744073709551616, -9223372036854775809, 1]}',
        {"a": ["18446744073709551616", "-9223372036854775809", 1]},
        [("a[0]", BIG_INTEGER)],
    ),
    "an_integer_without_end": (f'{{"a": {"9" * 5000}}}', {"a": "9" * 5000}, [("a", BIG_INTEGER)]),
    "many_digits_that_are_no_integer": (
        '{"a": 0.12345678901234567890123, "b": "12345678901234567890123", "c": 123456789012345678901.0}',
        {"a": 0.12345678901234567890123, "b": "12345678901234567890123", "c": 123456789012345678901.0},
        [],
    ),
    "lone_surrogate": ('{"a": "x\\ud800y"}', {"a": "x\ufffdy"}, [("a", SURROGATE)]),
    "swapped_surrogates": ('{"a": "\\udc00\\ud800"}', {"a": "\ufffd\ufffd"}, [("a", SURROGATE)]),
    "surrogate_in_a_key": ('{"\\ud800": 1}', {"\ufffd": 1}, [("\ufffd", SURROGATE)]),
    "surrogate_pair": ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}, []),
    "repeated_key": ('{"a": 1, "b": 2, "a": 3}', {"a": 3, "b": 2}, [("a", REPEATED_KEY)]),
    "repeated_key_below": ('{"m": [{}, {"x": 1, "x": 1}]}', {"m": [{}, {"x": 1}]}, [("m[1].x", REPEATED_KEY)]),
    "repeated_key_written_differently": ('{"a": 1, "\\u0061": 2}', {"a": 2}, [("a", REPEATED_KEY)]),
    "repeated_key_hidden_by_an_escaped_colon": ('{"a": 1, "a": "\\u003a"}', {"a": ":"}, [("a", REPEATED_KEY)]),
    "colons_in_strings": ('{"a:": "b:c", "d" : "\\":", "e":":"}', {"a:": "b:c", "d": '":', "e": ":"}, []),
    "escaped_colons": ('{"a\\u003A": "\\u003a"}', {"a:": ":"}, []),
    "control_characters": ('{"a": "\\u0000\\u001f\x7f\x01\x00\t"}', {"a": "\0\x1f\x7f\x01\0\t"}, []),
    "everything": (
        '{"a": NaN, "b": [1e400, 99999999999999999999], "c": "\\udfff", "c": "\\ud801", "d": Infinity}',
        {"a": None, "b": [None, "99999999999999999999"], "c": "\ufffd", "d": None},
        [("a", NON_FINITE), ("b[1]", BIG_INTEGER), ("c", SURROGATE), ("c", REPEATED_KEY)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "value", "warnings"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("template", ["{}", '{{"final_response": "x"}}\n{}\n', "[{}]", '{{"runs": [{}]}}'])
def test_what_plain_json_cannot_hold(text: str, value: JSON, warnings: list[tuple[str, str]], template: str) -> None:
    document = documents_of(template.format(text).encode("utf-8"))[-1]
    assert document.value == value
    assert [(w.path, w.reason) for w in document.warnings] == warnings
    assert all(w.origin == "import" for w in document.warnings)
    assert document.raw == text.encode()
    assert orjson.loads(orjson.dumps(document.value)) == document.value


def test_a_string_as_a_body_warns_at_its_final_response() -> None:
    document = make_document(b'"\\ud800"')
    assert (document.value, [w.path for w in document.warnings]) == ("\ufffd", ["final_response"])


def test_nesting_up_to_200_is_read() -> None:
    for opening, closing in ((b'{"a":', b"}"), (b"[", b"]")):
        raw = opening * 200 + b"1" + closing * 200
        assert parse(raw).raw == raw
        parse(b'{"a": NaN, "b": ' + opening * 199 + b"1" + closing * 199 + b"}")


def test_the_canonical_form_sorts_keys_and_forgets_space() -> None:
    assert parse(b'{ "b": [1.0, "\\u00e9"], "a": null }').canonical == '{"a":null,"b":[1.0,"é"]}'.encode()
    assert write_canonical("x") == b'"x"'


def test_the_digest_is_that_of_the_canonical_form() -> None:
    one, other = make_document(b'{"final_response": "x", "a": 1}'), make_document(b'{\n"a":1,"final_response":"x"}')
    assert one.digest == other.digest == sha256(b'{"a":1,"final_response":"x"}').digest()
    assert make_document(b'{"a": 1, "final_response": "y"}').digest != one.digest


def test_what_orjson_made_of_the_bytes_is_not_parsed_again() -> None:
    assert parse(b'{"a":1}', {"a": 1}).value == {"a": 1}
    assert parse(b'{"a":1,"a":2}', {"a": 2}).warnings != []


def test_warnings_inside_the_log_stand_where_the_run_document_has_them() -> None:
    text = '{"final_response": "x", "proxy_log": [{"tool_name": "t", "latency_ms": NaN}]}'
    body = read_body(make_document(text.encode()))
    assert isinstance(body, Body)
    assert [w.path for w in body.warnings] == ["calls[0].latency_ms"]
    other = read_body(make_document(b'{"final_response": "x", "calls": 5, "proxy_logs": [NaN]}'))
    assert isinstance(other, Body)
    assert [w.path for w in other.warnings] == ["proxy_logs[0]"]


def test_ordinary_documents_take_the_fast_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the slow parser was asked")

    monkeypatch.setattr("trace_store.readers.parsing.parse.load_tolerantly", refuse)
    value = {"run_id": "r:1", "final_response": 'He said: "10:30", {"a": [1]} 1760000000000000', "n": [1.5, 2**53, -3]}
    for text in (json.dumps(value), json.dumps(value, indent=2), json.dumps(value, separators=(",", ":"))):
        assert make_document(text.encode()).value == value
