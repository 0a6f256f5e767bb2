"""R11, R24 and R43: texts that hold arguments, and arguments that are equal."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trace_store.contract.arguments import MAX_DEPTH, canonical, decode_arguments


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": 1}, {"a": 1.0}),
        ({"a": [0, {"c": 100.0, "b": -0.0}]}, {"a": [0.0, {"b": 0, "c": 100}]}),
        (10**16, 1e16),
        ({"a": 2**70, "b": 1.0}, {"b": 1, "a": 2**70}),
        ({"a": "\ud800", "b": 1}, {"b": 1.0, "a": "\ud800"}),
    ],
)
def test_equal_arguments_have_one_canonical_text(one: Any, other: Any) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"a": 1.5}),
        ({"a": 1.05}, {"a": 105}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        (None, {}),
        ('{"a": 1}', {"a": 1}),
        ({"a": None}, {}),
        (9007199254740993, 9007199254740992.0),
        (1e300, 10**18),
    ],
)
def test_different_arguments_have_different_texts(one: Any, other: Any) -> None:
    assert canonical(one) != canonical(other)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 12345678901234567890123}', {"a": "12345678901234567890123"}),
        ('{"a": 18446744073709551615}', {"a": 2**64 - 1}),
        ('{"a": 18446744073709551616}', {"a": "18446744073709551616"}),
        ('{"a": -9223372036854775809}', {"a": "-9223372036854775809"}),
        ('{"a": 1e999, "b": -1e999}', {"a": None, "b": None}),
        ('{"a": "\\ud800"}', {"a": "\ufffd"}),
        ('{"a": "\\ud83d\\ude00", "n": 12345678901234567890123}', {"a": "😀", "n": "12345678901234567890123"}),
    ],
)
def test_what_json_can_say_and_we_cannot_hold_is_read_as_in_a_document(text: str, value: Any) -> None:
    assert decode_arguments(text) == (value, True)


@pytest.mark.parametrize(
    "text", ['{"n": 12345678901234567890123, "a": NaN}', '{"a": Infinity}', '{"n": 12345678901234567890123']
)
def test_what_is_no_json_stays_a_text(text: str) -> None:
    assert decode_arguments(text) == (text, False)


def test_arguments_nest_as_deep_as_a_document_may() -> None:
    deep = '{"a":' * (MAX_DEPTH - 1) + "{}" + "}" * (MAX_DEPTH - 1)
    assert decode_arguments(deep) == (json.loads(deep), True)
    deeper = '{"a":' * MAX_DEPTH + "{}" + "}" * MAX_DEPTH
    assert decode_arguments(deeper) == (deeper, False)


@pytest.mark.parametrize("times", [1_000, 2_000, 100_000])
def test_bottomless_arguments_stay_a_text(times: int) -> None:
    for text in (
        '{"a":' * times + "1" + "}" * times,
        '{"n": 12345678901234567890123, "a": ' + "[" * times + "]" * times + "}",
    ):
        assert decode_arguments(text) == (text, False)


def test_many_brackets_are_not_deep() -> None:
    text = '{"a": [' + ",".join(["[]"] * 1_000) + "]}"
    assert decode_arguments(text) == ({"a": [[]] * 1_000}, True)
