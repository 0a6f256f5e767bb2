"""The facts of an answer, and the parts that are searched for (R37).

A fact is a token with a digit in it, an e-mail address or a URL; of an answer that is a JSON object, each scalar.
Facts and sources are split alike: at everything but letters, digits and inner decimal points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import orjson

_THOUSANDS = re.compile(r"[,'’](?<=[0-9].)(?=[0-9]{3}(?![0-9]))")
LETTER = r"[^\W_\u0e00-\u0eff\u1000-\u109f\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]"
"""A letter or digit, as a pattern, except those of scripts without spaces between words, which separate parts."""

PART = re.compile(rf"{LETTER}+(?:\.(?<=[0-9]\.)(?=[0-9]){LETTER}+)*")
"""A part: letters and digits, with the decimal points inside numbers."""

_CURRENCIES = "$€£¥₹"
_SIGNS = _CURRENCIES + "#"
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+")
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
_INSTANT = re.compile(r"([0-9]{2})t([0-9]{2})|([0-9]{2})z")
_CLOCK = re.compile(r"([0-9]{1,2})(?::([0-9]{2}))?(?:([ap])m)?")
_HALF_OF_DAY = re.compile(r"\s?([apAP])\.?[mM]\b")
_DIGIT = re.compile(r"[0-9]")
_TWO_DIGITS = re.compile(r"[0-9]{2}")
_TOKEN = re.compile(
    rf"""
    (?P<escape>\\(?:u[0-9a-fA-F]{{4}}|[nrt](?=https?://|www\.)))
  | (?P<url>(?:https?://|www\.)[^\s<>"'`(){{}}\[\]|]+)
  | (?P<email>(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+)
  | (?P<token>[{_SIGNS}]{{0,3}}{LETTER}(?:{LETTER}|[-_./:+](?={LETTER})|[,'’](?<=[0-9].)(?=[0-9]{{3}}(?![0-9])))*)
    """,
    re.VERBOSE,
)
# A word between blanks that may contain a fact: most words do not match, and are skipped.
_CANDIDATE = re.compile(r"(?<!\S)\S*?(?:[0-9@]|://|www\.)\S*")
_LIST_MARKER = re.compile(r"^[ \t>*_#-]*[0-9]{1,3}[.)](?=\s)", re.MULTILINE)
_FROM_A_PROGRAM = re.compile(
    r"""
    # a frame of a Python traceback, with its source
    ^([ \t]*)File\ "[^"\n]*",\ line\ [0-9]+.*(?:\n\1[ \t]+.*)*
    # a frame of JavaScript or Java
  | ^[ \t]*(?:\ \ |\t)at\ (?:\S.*\([^\s()]+\.\w+:[0-9]+(?::[0-9]+)?\)|[^\s()]+\.\w+:[0-9]+:[0-9]+)$
    # a Python warning, with its source
  | ^\S.*?:[0-9]+:\ [A-Z]\w*Warning:\ .*(?:\n[ \t]+.*)?
    """,
    re.VERBOSE | re.MULTILINE,
)
"""Stack frames and warnings of the program that ran the agent. Their file names, line numbers and versions are not
facts of the answer; the message of an exception may be."""

_MARKS_OF_PROGRAMS = ('", line ', "Warning: ", "  at ", "\tat ")
"""A text without any of these has no such frame or warning."""

_SCALAR = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*)"(\s*:)?|-?[0-9][0-9.eE+-]*|true|false')


class Reading(NamedTuple):
    """One way to write a fact, in lower case, and the parts of it that must all be found."""

    spelling: str
    parts: tuple[str, ...]


class Fact(NamedTuple):
    """A fact: its text and place in the answer, in characters, and the ways to write it. `together`: no part holds a
    digit, so that all must be found in one place."""

    text: str
    start: int
    end: int
    readings: tuple[Reading, ...]
    together: bool


def facts_of(answer: str) -> list[Fact]:
    """Return the facts of an answer in order."""
    if answer.lstrip()[:1] == "{" and _is_object(answer):
        return list(_scalars(answer))
    return list(_tokens(answer))


def parts_of(text: str) -> list[str]:
    """Return the parts of a text as they are compared: lower case, no thousands separators, no trailing zeros."""
    return [plain for part in PART.findall(_THOUSANDS.sub("", text.lower())) for plain in plain_parts(part)]


def plain_parts(part: str) -> tuple[str, ...]:
    """Return a part without trailing zeros or ordinal endings; two parts that an ISO time joins (`17t09`) as two."""
    if part.isalpha() or part.isdecimal():
        return (part,)
    if "." in part and _DECIMAL.fullmatch(part):
        return (part.rstrip("0").removesuffix("."),)
    if ordinal := _ORDINAL.fullmatch(part):
        return (ordinal[1],)
    if instant := _INSTANT.fullmatch(part):
        return (instant[3],) if instant[3] else (instant[1], instant[2])
    return (part,)


def _is_object(answer: str) -> bool:
    try:
        return isinstance(orjson.loads(answer), dict)
    except orjson.JSONDecodeError:
        return False


def _scalars(answer: str) -> Iterator[Fact]:
    for match in _SCALAR.finditer(answer):
        text, is_key = match[1], match[2]
        if is_key is not None:
            continue
        if text is None:
            yield _fact(match[0], match.start(), match.end())
        else:
            value = orjson.loads(f'"{text}"')
            if parts_of(value):
                yield _fact(value, match.start(1), match.end(1))


def _fact(text: str, start: int, end: int, half_of_day: str | None = None) -> Fact:
    parts = parts_of(text)
    with_digits = tuple(part for part in parts if _DIGIT.search(part))
    readings = [Reading(text.lower().lstrip(_SIGNS), with_digits or tuple(parts))]
    if hours := _hours_of_24(text, half_of_day):
        readings.insert(0, Reading(":".join(hours), hours))
    return Fact(text, start, end, tuple(readings), not with_digits)


def _hours_of_24(text: str, half_of_day: str | None) -> tuple[str, ...] | None:
    """Return the parts of a time of day as a clock of 24 hours shows them: `7:00` PM is 19 and 00."""
    if half_of_day is None and text[-1] not in "mM":
        return None
    clock = _CLOCK.fullmatch(text.lower())
    half = half_of_day or (clock[3] if clock else None)
    if clock is None or half is None or not 1 <= int(clock[1]) <= 12:
        return None
    hour = f"{int(clock[1]) % 12 + (12 if half == 'p' else 0):02d}"
    return (hour, clock[2]) if clock[2] else (hour,)


def _tokens(answer: str) -> Iterator[Fact]:
    if any(mark in answer for mark in _MARKS_OF_PROGRAMS):
        answer = _FROM_A_PROGRAM.sub(lambda match: " " * len(match[0]), answer)
    markers = {match.end() - 1 for match in _LIST_MARKER.finditer(answer)}  # where a list's own numbers end
    candidates = (match.span() for match in _CANDIDATE.finditer(answer))
    for match in chain.from_iterable(_TOKEN.finditer(answer, start, end) for start, end in candidates):
        text = match[0]
        if match.lastgroup == "escape":
            continue
        half_of_day = None
        if match.lastgroup == "token":
            if not _DIGIT.search(text) or match.end() in markers or _is_small(text):
                continue
            after = _HALF_OF_DAY.match(answer, match.end())
            half_of_day = after[1].lower() if after else None
        elif match.lastgroup == "url":
            text = text.rstrip(".,;:!?*_~")
        yield _fact(text, match.start(), match.start() + len(text), half_of_day)


def _is_small(text: str) -> bool:
    """Return whether a token only has numbers of one digit (`1-2`, `3/4`, `1st`), and is not an amount."""
    if text[0] in _CURRENCIES or _TWO_DIGITS.search(text):
        return False
    with_digits = [part for part in PART.findall(text.lower()) if _DIGIT.search(part)]
    return all(len(part) == 1 or (len(part) == 3 and _ORDINAL.fullmatch(part)) for part in with_digits)
