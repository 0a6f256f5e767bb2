"""Python literals of JSON values, as frameworks print them to the model (R36)."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_store.evidence.tool_results import MAX_LITERAL_LENGTH, parse_literal

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_what_str_writes_is_read_back(value: Any) -> None:
    assert parse_literal(repr(value)) == value


@given(VALUES)
def test_json_without_its_own_words_is_a_literal_too(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    if not any(word in text for word in ("true", "false", "null", "\\/", "\\u")):
        assert parse_literal(text) == ast.literal_eval(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(1, 2,)", [1, 2]),
        ("()", []),
        ("{}", {}),
        (" [ ] ", []),
        ("{'a': 1,}", {"a": 1}),
        (r"'\x41\u00e9\U0001F600\101\n\'\\'", "Aé😀A\n'\\"),
        (r"'\d'", "\\d"),
        (r"r'\n'", "\\n"),
        ("u'a'", "a"),
        ("-1.5e3", -1500.0),
        ("1_000", 1000),
        (".5", 0.5),
    ],
)
def test_forms(text: str, value: Any) -> None:
    assert parse_literal(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "status",
        "{'a': 1",
        "[1 2]",
        "[,]",
        "{1: 2}",
        "{'a'}",
        "b'bytes'",
        "1 + 1",
        "Trueish",
        "'open",
        "__import__('os')",
        "[1]]",
        "nan",
        "9" * 500,
        "0x" + "f" * 50_000,
        "1j",
        "{'a', 'b'}",
        "{[]: 1}",
        "f'{1}'",
        "a\x00",
        "-" * 90_000 + "1",
    ],
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(ValueError):
        parse_literal(text)


def test_depth_is_bounded() -> None:
    fits = "[" * 200 + "]" * 200
    assert parse_literal(fits) is not None
    with pytest.raises(ValueError):
        parse_literal("[" + fits + "]")


def test_length_is_bounded() -> None:
    with pytest.raises(ValueError):
        parse_literal("'" + "a" * MAX_LITERAL_LENGTH + "'")
