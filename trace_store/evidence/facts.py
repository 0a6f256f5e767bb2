"""The facts that an answer states, and the parts by which they are looked for (R37).

A fact is a token with a digit in it, an e-mail address or a URL; of an answer that is a JSON object, each scalar.
Facts and sources are split alike: at everything but letters, digits and inner decimal points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import orjson

_THOUSANDS = re.compile(r"[,'’](?<=[0-9].)(?=[0-9]{3}(?![0-9]))")
_PART = re.compile(r"[^\W_]+(?:\.(?<=[0-9]\.)(?=[0-9])[^\W_]+)*")
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+")
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
_DIGIT = re.compile(r"[0-9]")
_TOKEN = re.compile(
    r"""
    (?P<url>(?:https?://|www\.)[^\s<>"'`(){}\[\]|]+)
  | (?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
  | (?P<token>[$€£¥₹#]*[^\W_](?:[^\W_]|[-_./:+](?=[^\W_])|[,'’](?<=[0-9].)(?=[0-9]{3}(?![0-9])))*)
    """,
    re.VERBOSE,
)
_LIST_MARKER = re.compile(r"^[ \t>*_#-]*[0-9]{1,3}[.)](?=\s)", re.MULTILINE)
_SCALAR = re.compile(r'"((?:[^"\\]|\\.)*+)"(\s*:)?|-?[0-9][0-9.eE+-]*|true|false')


class Fact(NamedTuple):
    """A fact: its text and place in the answer, in characters, and its parts. All of `parts` must be found; where
    none of them holds a digit, all in one place."""

    text: str
    start: int
    end: int
    parts: tuple[str, ...]
    together: bool


def facts_of(answer: str) -> list[Fact]:
    """The facts of an answer in order."""
    if answer.lstrip()[:1] == "{" and _is_object(answer):
        return list(_scalars(answer))
    return list(_tokens(answer))


def parts_of(text: str) -> list[str]:
    """The parts of a text as they are compared: in lower case, without thousands separators and trailing zeros."""
    return [_plain(part) for part in _PART.findall(without_thousands(text.lower()))]


def without_thousands(text: str) -> str:
    """A text whose numbers have no separators between thousands."""
    return _THOUSANDS.sub("", text)


def _plain(part: str) -> str:
    if "." in part and _DECIMAL.fullmatch(part):
        return part.rstrip("0").removesuffix(".")
    ordinal = _ORDINAL.fullmatch(part) if part[0] in "0123456789" else None
    return ordinal[1] if ordinal else part


def _is_object(answer: str) -> bool:
    try:
        return isinstance(orjson.loads(answer), dict)
    except orjson.JSONDecodeError:
        return False


def _scalars(answer: str) -> Iterator[Fact]:
    for found in _SCALAR.finditer(answer):
        text, is_key = found[1], found[2]
        if is_key is not None:
            continue
        if text is None:
            yield _fact(found[0], found.start(), found.end())
        else:
            value = orjson.loads(f'"{text}"')
            if parts_of(value):
                yield _fact(value, found.start(1), found.end(1))


def _fact(text: str, start: int, end: int) -> Fact:
    parts = parts_of(text)
    with_digits = tuple(part for part in parts if _DIGIT.search(part))
    return Fact(text, start, end, with_digits or tuple(parts), not with_digits)


def _tokens(answer: str) -> Iterator[Fact]:
    markers = {found.end() - 1 for found in _LIST_MARKER.finditer(answer)}
    for found in _TOKEN.finditer(answer):
        text = found[0]
        kind = found.lastgroup
        if kind == "token":
            if not _DIGIT.search(text) or found.end() in markers or _is_small(text):
                continue
        elif kind == "url":
            text = text.rstrip(".,;:!?*_~")
        yield _fact(text, found.start(), found.start() + len(text))


def _is_small(text: str) -> bool:
    """Whether all numbers in a token have one digit: `2`, `1-2`, `3/4`, `1st`. Those state too little to look for."""
    with_digits = [part for part in _PART.findall(text.lower()) if _DIGIT.search(part)]
    return all(len(_plain(part)) == 1 and len(part.rstrip("stndrh")) == 1 for part in with_digits)
