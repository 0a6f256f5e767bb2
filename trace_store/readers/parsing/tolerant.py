"""JSON as it is found: NaN, integers of any size, lone surrogates, repeated keys (R43).

`load_tolerantly` keeps all of it, in Python's terms; `clean` turns that into plain JSON and says what it changed.
Slow, and only for documents that need it: `parsing` takes the fast way where the two agree.
"""

from __future__ import annotations

import json
import math
import re
from typing import TypeAlias, TypeVar

from trace_store.model import JSON, Path, SoftWarning

MAX_DEPTH = 200
MIN_INTEGER, MAX_INTEGER = -(2**63), 2**64 - 1  # what 64 bits hold, signed or not
_MAX_DIGITS = 4_000  # Python refuses to convert more than 4,300

_SURROGATE = re.compile("[\ud800-\udfff]")

Pairs: TypeAlias = list[tuple[str, JSON]]
_T = TypeVar("_T")


class TooDeepError(ValueError):
    """Containers nest deeper than `MAX_DEPTH`."""


class RepeatedKeys(dict[str, JSON]):
    """An object in which keys recurred: the last of each won, the entries before it are in `dropped`."""

    __slots__ = ("dropped",)

    def __init__(self, pairs: Pairs) -> None:
        super().__init__(pairs)
        last = {key: index for index, (key, _) in enumerate(pairs)}
        self.dropped = [(key, item) for index, (key, item) in enumerate(pairs) if last[key] != index]


class Digits(str):
    """An integer with too many digits to become one, as its text."""

    __slots__ = ()


def load_tolerantly(text: str) -> JSON:
    """Parse JSON as Python does, but accept raw control characters in strings. Raises json.JSONDecodeError, and
    RecursionError where it nests too deep for the parser."""
    return json.loads(text, strict=False, parse_int=_integer, object_pairs_hook=_object)


def _integer(text: str) -> int | Digits:
    return int(text) if len(text) <= _MAX_DIGITS else Digits(text)


def _object(pairs: Pairs) -> dict[str, JSON]:
    plain = dict(pairs)
    return plain if len(plain) == len(pairs) else RepeatedKeys(pairs)


# In the order in which they are reported.
_REASONS = {
    "non_finite": "NaN, Infinity, or a number that overflows to it: null in the run document",
    "big_integer": "an integer beyond 64 bits: its text in the run document",
    "surrogate": "a lone surrogate: U+FFFD in the run document",
    "repeated_key": "a key that recurs in one object: the last one wins",
}


def clean(value: JSON) -> tuple[JSON, list[SoftWarning]]:
    """Return plain JSON, and one import warning a sort of change, with the path of the first. Raises TooDeepError."""
    cleaner = _Cleaner()
    # A string as a whole body is its final response (R2).
    plain = cleaner.value(value, "final_response" if isinstance(value, str) else "", 1)
    return plain, [
        SoftWarning("import", Path(cleaner.first[sort]), reason, "changed")
        for sort, reason in _REASONS.items()
        if sort in cleaner.first
    ]


class _Cleaner:
    def __init__(self) -> None:
        self.first: dict[str, str] = {}

    def value(self, value: JSON, path: str, depth: int) -> JSON:
        if isinstance(value, Digits):
            return self._changed("big_integer", path, str(value))
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, dict | list):
            if depth > MAX_DEPTH:
                raise TooDeepError
            return self._object(value, path, depth) if isinstance(value, dict) else self._array(value, path, depth)
        if isinstance(value, float) and not math.isfinite(value):
            return self._changed("non_finite", path, None)
        if isinstance(value, int) and not MIN_INTEGER <= value <= MAX_INTEGER:
            return self._changed("big_integer", path, str(value))
        return value

    def _array(self, value: list[JSON], path: str, depth: int) -> list[JSON]:
        return [self.value(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]

    def _object(self, value: dict[str, JSON], path: str, depth: int) -> dict[str, JSON]:
        before = f"{path}." if path else ""
        if isinstance(value, RepeatedKeys):
            self._changed("repeated_key", before + self._text(value.dropped[0][0], path), None)
        plain: dict[str, JSON] = {}
        for key, item in value.items():
            name = key if key.isascii() else self._text(key, before + key)
            plain[name] = self.value(item, before + name, depth + 1)
        return plain

    def _text(self, text: str, path: str) -> str:
        if text.isascii() or not _SURROGATE.search(text):
            return text
        return self._changed("surrogate", _SURROGATE.sub("\ufffd", path), _SURROGATE.sub("\ufffd", text))

    def _changed(self, sort: str, path: str, plain: _T) -> _T:
        self.first.setdefault(sort, path)
        return plain
