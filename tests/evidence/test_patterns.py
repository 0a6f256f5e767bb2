"""Patterns of untrusted schemas: the same answers as `re`, in time linear in the text (R34)."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from trace_store.evidence.effort import BASE_UNITS, Effort, TooCostlyError
from trace_store.evidence.patterns import Pattern, PatternError


def matches(source: str, text: str) -> bool:
    return Pattern(source).search(text, Effort())


ATOMS = st.sampled_from(["a", "b", "c", ".", "[ab]", "[^a]", "[a-c]", r"\d", r"\w", r"\s", "1", "_", "-"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: (
        st.tuples(inner, inner).map("".join)
        | st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})")
        | st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "+?"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        )
        | inner.map(lambda part: f"({part})")
        | inner.map(lambda part: f"^{part}")
        | inner.map(lambda part: f"{part}$")
        | inner.map(lambda part: rf"\b{part}")
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(PATTERNS, st.text("abc1 _-", max_size=8))
def test_the_same_as_re(source: str, text: str) -> None:
    try:
        expected = re.search(source, text, re.ASCII) is not None
    except re.error:
        assume(False)
    assert matches(source, text) == expected


@settings(deadline=None)
@given(st.text("ab(){}[]^$*+?|\\.-:=!<>,0159dwsbBpPuxZk", max_size=12))
def test_anything_is_a_pattern_or_says_why_not(source: str) -> None:
    try:
        Pattern(source).search("ab01", Effort())
    except PatternError as error:
        assert str(error).startswith(("it ", "its "))


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("^a$", "a\n", False),  # as ECMA-262 has it; `re` says yes
        (r"^\d$", "٣", False),
        (r"^\w$", "é", False),
        (r"^\p{L}+$", "éß", True),
        (r"^\p{Lu}$", "é", False),
        (r"^\P{L}$", "1", True),
        (r"^[\p{L}\d]+$", "é1", True),
        (r"^[^\D]$", "5", True),
        (r"^[\W]$", "-", True),
        (r"^[^\s\S]$", "a", False),
        (r"^[\b]$", "\b", True),
        (r"^[a\-z]$", "-", True),
        (r"^[a-]$", "-", True),
        ("^[]$", "", False),
        ("^[^]$", "\n", True),
        ("^.$", "\n", False),
        (r"^\u0041\x42\u{43}\cA\0$", "ABC\x01\x00", True),
        ("^\\ud83d\\ude00$", "😀", True),
        (r"^\/\.\$$", "/.$", True),
        ("^a{$", "a{", True),
        ("^a{,2}$", "a{,2}", True),
        ("^]}$", "]}", True),
        ("^(?<name>a)$", "a", True),
        (r"\Bb", "ab", True),
        (r"\bb", "ab", False),
        (r"\b", "", False),
        ("", "anything", True),
        ("^(^a)*b", "b", True),
        ("(a*)*b", "aab", True),
        ("a||b", "c", True),
    ],
)
def test_ecma_262(source: str, text: str, expected: bool) -> None:
    assert matches(source, text) is expected


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("(?=a)", "look-ahead"),
        ("(?!a)", "look-ahead"),
        ("(?<=a)b", "look-behind"),
        ("(?<!a)b", "look-behind"),
        (r"(a)\1", "back-reference"),
        (r"(?<n>a)\k<n>", "back-reference"),
        ("(?i)a", "kind"),
        (r"\Z", r"\Z"),
        ("(a", "without a )"),
        ("a)", "without a ("),
        ("[a", "ends in the middle"),
        ("a\\", "ends in the middle"),
        ("*a", "repeats nothing"),
        ("{2}", "repeats nothing"),
        ("a**", "repeats a repeat"),
        ("^*", "no character"),
        ("a{3,2}", "upper end"),
        ("[z-a]", "out of order"),
        (r"[a-\d]", "ends in a class"),
        (r"\u{110000}", "beyond Unicode"),
        (r"\u12", "hexadecimal"),
        (r"\ud83d\u0041", "surrogate"),
        (r"\p{Script=Greek}", "Unicode property"),
        (r"\01", "octal"),
        ("a{1000000}", "too large"),
        ("((a{100}){100}){100}", "too large"),
        ("(((){1000}){1000}){1000}", "too large"),
        ("(" * 60 + ")" * 60, "deeper"),
    ],
)
def test_what_cannot_be_used_says_why(source: str, why: str) -> None:
    with pytest.raises(PatternError, match=re.escape(why)):
        Pattern(source)


@pytest.mark.parametrize(
    "source", ["(a+)+$", "^(a|a)*$", "^(a*)*$", "(a|aa)+$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$"]
)
def test_what_hangs_a_backtracking_engine_is_answered_at_once(source: str) -> None:
    effort = Effort()
    text = "a" * 20_000 + "!"
    effort.start(text)
    assert Pattern(source).search(text, effort) is False


def test_work_beyond_the_worth_of_the_text_is_given_up() -> None:
    # Each character doubles the sets of nodes that the automaton can be in.
    effort = Effort()
    effort.start(None)
    with pytest.raises(TooCostlyError):
        Pattern("(a|b)*a(a|b){200}$").search("ab" * 100_000, effort)


def test_the_effort_of_a_search_does_not_depend_on_what_was_searched_before() -> None:
    fresh, used = Pattern("[a-c]+b{2,5}"), Pattern("[a-c]+b{2,5}")
    for text in ("abc" * 50, "b" * 90, "c"):
        used.search(text, Effort())
    spent = []
    for pattern in (fresh, used):
        effort = Effort()
        effort.start(None)
        pattern.search("acacacab" * 200, effort)
        spent.append(BASE_UNITS - effort._left)
    assert spent[0] == spent[1] > 1
