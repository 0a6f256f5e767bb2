"""CSV cells stay data."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_store.exports.tables import cell, write_csv


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_a_text_that_starts_a_formula_is_escaped(start: str) -> None:
    assert cell(f"{start}1+1") == f"'{start}1+1"


@pytest.mark.parametrize("text", ["", "a=1", "'quoted", " =1", "get_order"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (-5, -5),
        (-0.25, -0.25),
        ({"a": [1]}, '{"a":[1]}'),
        (["-x"], '["-x"]'),
    ],
)
def test_values_that_are_no_text(value: object, expected: object) -> None:
    assert cell(value) == expected
    assert type(cell(value)) is type(expected)


def test_rows_stand_under_their_header_in_the_order_of_the_columns() -> None:
    out = io.StringIO(newline="")
    assert write_csv([{"b": 'say "no"', "a": 1}, {"a": None, "c": "not asked for"}], ["a", "b"], out) == 2
    assert out.getvalue() == 'a,b\r\n1,"say ""no"""\r\n,\r\n'


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back_from_csv_without_starting_a_formula(text: str) -> None:
    out = io.StringIO(newline="")
    write_csv([{"text": text}], ["text"], out)
    [[header], *rows] = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert header == "text"
    if text:
        assert rows[0][0].removeprefix("'") == text.removeprefix("'")
        assert rows[0][0][0] not in "=+-@\t\r\n＝＋－＠"
