"""Raw documents as lines: nothing in them changes, and each reads as the run that it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_store.exports.documents import add_facts, to_line
from trace_store.model import JSON

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_line_breaks_between_values_become_spaces_and_nothing_else_changes() -> None:
    raw = b'{\r\n "a": 1.0,\n "b": "x\\ny",\n "big": 123456789012345678901234567890, "n": NaN\n}\n'
    assert to_line(raw) == b'{   "a": 1.0,  "b": "x\\ny",  "big": 123456789012345678901234567890, "n": NaN }'


def test_a_raw_line_break_inside_a_string_is_escaped() -> None:
    assert to_line(b'{"a": "one\ntwo\r\nthree \\" \n"}') == b'{"a": "one\\ntwo\\r\\nthree \\" \\n"}'


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_every_encoding_that_is_read_becomes_plain_utf_8(encoding: str) -> None:
    assert to_line('{"a": "né"}\n'.encode(encoding)) == '{"a": "né"}'.encode()


@given(VALUES, st.sampled_from([None, 1]))
def test_a_line_holds_the_same_value(value: JSON, indent: int | None) -> None:
    line = to_line(json.dumps(value, indent=indent).encode())
    assert b"\n" not in line
    assert json.loads(line) == value


@pytest.mark.parametrize(
    ("line", "facts", "expected"),
    [
        (b'{"final_response": "x"}', {"task_id": "t", "status": None}, b'{"task_id": "t", "final_response": "x"}'),
        (b'{"task_id": "own"}', {"task_id": "t"}, b'{"task_id": "own"}'),
        (b"{}", {"task_id": "t"}, b'{"task_id": "t"}'),
        (b'{"a": 1, "task_id": null}', {"task_id": "t"}, b'{"a": 1, "task_id": "t"}'),
        (b'"done"', {"check_id": "c"}, b'{"check_id": "c", "final_response": "done"}'),
        (b'{"a": 1e999, "a": 2}', {"check_id": "c"}, b'{"check_id": "c", "a": 1e999, "a": 2}'),
        (b'{"judge_passed": false}', {"judge_passed": True}, b'{"judge_passed": false}'),
    ],
)
def test_facts_of_a_rollup_are_written_where_a_run_does_not_state_them(
    line: bytes, facts: dict[str, JSON], expected: bytes
) -> None:
    assert add_facts(line, facts) == expected


def test_a_task_that_the_environment_states_is_stated() -> None:
    line = b'{"env": {"DYSTOPIC_TASK_ID": "own"}}'
    assert add_facts(line, {"task_id": "own"}) == line


def test_a_line_break_after_a_backslash_is_written_anew() -> None:
    assert to_line(b'{"a": "x\\\\", \n"b": "y\\\n\\"z\n"}') == b'{"a": "x\\\\",  "b": "y\\\\n\\"z\\n"}'
