"""Patterns of untrusted schemas: the same answers as `re`, in time linear in the text (R34)."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trace_store.evidence.schemas.effort import BASE_UNITS, Effort, TooCostlyError
from trace_store.evidence.schemas.patterns import Pattern, PatternError


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


@given(PATTERNS, st.text("abc1 _-", max_size=8))
def test_the_same_as_re(source: str, text: str) -> None:
    try:
        expected = re.search(source, text, re.ASCII) is not None
    except re.error:
        assume(False)
    assert matches(source, text) == expected


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
        ("^a{1,2}$", "aa", True),
        ("^]}$", "]}", True),
        ("^(?<name>a)$", "a", True),
        (r"\bb", "ab", False),
        (r"\b", "", False),
        (r"\bé", "aé", True),  # as ECMA-262 has it: only ASCII makes words
        ("", "anything", True),
        ("^(^a)*b", "b", True),
        ("(a*)*b", "aab", True),
        ("a||b", "c", True),
        (r"^[\w-.]+$", "a-.", True),
        (r"^[\w-a-c]$", "-", True),
        (r"^[+-\s]$", "-", True),
        (r"^[[:alpha:]]$", "a]", True),  # a class of its letters, and a bracket
        (r"^[[:alpha:]]$", "b", False),
        (r"^[\ud83d\ude00-\ud83d\ude4f]$", "😃", True),
        (r"^[\u{1F600}-\u{1F64F}]$", "a", False),
        (r"^[^\ud800-\udfff]$", "é", True),
        (r"^\ud83d$", "\ud83d", True),
        ("^.$", "😀", True),
        ("^.$", "\u2028", False),
        ("^[a\\^\\]]$", "]", True),
        (r"^\x2a\x7b2\x7d$", "*{2}", True),
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
        ("(?P<n>a)", "kind"),
        ("(?<n>?i)a", "repeats nothing"),
        (r"\Z", r"\Z"),
        (r"\Qa\E", r"\Q"),
        (r"a\B", r"\B"),
        ("(a", "without a )"),
        ("a)", "without a ("),
        ("[a", "without a ]"),
        ("a\\", "ends in the middle"),
        ("*a", "repeats nothing"),
        ("{2}", "repeats nothing"),
        ("a**", "repeats a repeat"),
        ("a{3,2}", "out of order"),
        ("[z-a]", "out of order"),
        (r"\u{110000}", "beyond Unicode"),
        (r"\u12", "hexadecimal"),
        (r"[\x1]", "hexadecimal"),
        (r"\p{Script=Greek}", "Unicode property"),
        (r"\p{Cn}", "Unicode property"),
        (r"\01", "octal"),
        ("a{1001}", "too large"),
        ("((a{100}){100}){100}", "too large"),
        ("(((){1000}){1000}){1000}", "too large"),
        (r"(\p{L}{10}){100}", "too large"),
        ("a" * 5_001, "longer than 5,000"),
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
    text = "a" * 100_000 + "!"
    effort.start(text)
    assert Pattern(source).search(text, effort) is False


def test_work_beyond_the_worth_of_the_text_is_given_up() -> None:
    # Each character doubles the states that an automaton can be in.
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


def test_what_has_no_room_for_an_automaton_is_still_answered_right() -> None:
    pattern = Pattern("a(a|b){100}c")
    text = "".join("ab"[bin(n).count("1") % 2] for n in range(30_000))
    assert pattern.search(text, Effort()) is False
    assert pattern.search(text + "a" + "b" * 100 + "c", Effort()) is True


SPACES = [chr(point) for point in range(0x11000) if chr(point).isspace() and point not in {28, 29, 30, 31, 0x85}]


def test_the_spaces_are_those_of_ecma_262() -> None:
    space, other = Pattern(r"^\s$"), Pattern(r"^[\S]$")
    effort = Effort()
    effort.start("x" * 100_000_000)
    every = [chr(point) for point in range(0x11000)]
    assert [one for one in every if space.search(one, effort)] == sorted([*SPACES, "\ufeff"])
    assert [one for one in every if not other.search(one, effort)] == sorted([*SPACES, "\ufeff"])
