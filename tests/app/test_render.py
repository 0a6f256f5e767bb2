"""Names out of a run inside labels."""

from __future__ import annotations

import pytest

from app import render


@pytest.mark.parametrize(
    ("name", "markdown"),
    [
        ("get_order", "`get_order`"),
        ("![x](https://evil.example/x.png)", "`![x](https://evil.example/x.png)`"),
        (":red[x] $y$ <b>", "`:red[x] $y$ <b>`"),
        ("a`b", "`` a`b ``"),
        ("``", "``` `` ```"),
        ("", "` `"),
        (None, "`None`"),
    ],
)
def test_a_name_becomes_a_code_span_that_it_cannot_leave(name: object, markdown: str) -> None:
    assert render.literal(name) == markdown


def test_a_name_stays_on_one_line_and_shows_what_is_invisible() -> None:
    assert render.literal("a\n# b\x00\x7f\u202ec") == "`a␊# b␀␡\ufffdc`"


def test_a_long_name_loses_its_middle() -> None:
    assert render.shortened("abcdefghij", 7) == "abc…hij"
    assert len(render.shortened("x" * 500, 48)) == 48
    assert render.shortened("abc", 3) == "abc"
