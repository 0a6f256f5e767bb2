"""Where values begin and end in a stream of JSON, without parsing it: the byte scanner (R41).

A `Splitter` walks a seekable binary handle through one window of bounded size. It finds the elements of an array and
the members of an object, whatever their size, by counting brackets outside of strings; a regular expression does the
skipping. What is inside an element is not looked at: each goes through the parser on its own, is rejected on its own,
and an array that is cut short still yields the elements before the fault. Offsets count from the start of the handle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

import orjson

from trace_store.model import JSON
from trace_store.readers.rejections import MalformedInputError

WINDOW = 1 << 20  # bytes held at a time
_MAX_NAME = 1 << 10  # bytes of a member's name; a longer one is of no interest
_MAX_MEMBERS = 10_000

_ARRAY, _ARRAY_END, _OBJECT, _OBJECT_END, _QUOTE, _COMMA, _COLON = b'[]{}",:'
_OPENING = frozenset(b"[{")
# Each byte can be matched in one way only, and repeats of groups are bounded, so that a match takes no memory to speak
# of; what a bound leaves is met by the loops below. Groups are not repeated possessively: CPython 3.11 then matches
# wrongly, depending on what its memory held before.
_IN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+){0,1000}', re.S)
_FLAT = re.compile(  # up to a bracket; or to a string that the window cuts, that is full of escapes, or one too many
    rb'[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+){0,100}"[^"\[\]{}]*+){0,1000}', re.S
)
_SPACE = re.compile(rb"[ \t\r\n]*")
_SCALAR = re.compile(rb'[^ \t\r\n,:"\[\]{}]*')

# `}, {"run_id":` - what stands between two elements of one array, up to the first key of the second.
_FIRST_KEY = re.compile(rb'\{[ \t\r\n]*"[^"\\]{1,64}"[ \t\r\n]*:')
_MAX_SEPARATOR = 256
_MAX_MISSES = 8


class Walk(dict[str, "Walk"]):
    """Members whose arrays are passed element by element, which is faster than to skip them, because objects in an
    array mostly begin alike; and of those elements, the members that are."""


NO_WALK = Walk()


class Span(NamedTuple):
    """An element of an array: the bytes from `start` to `end`. `value` is given where it was parsed to find the end;
    `fault` where the data ends inside of it."""

    start: int
    end: int
    value: dict[str, JSON] | None = None
    fault: MalformedInputError | None = None


class Member(NamedTuple):
    """A member of an object: its name, and the bytes of its value. `end` is null where a fault came before it."""

    name: str
    start: int
    end: int | None


@dataclass(slots=True)
class Outline:
    """The members of an object and the offset after it, or the fault that ended the walk."""

    members: list[Member] = field(default_factory=list)
    end: int = 0
    fault: MalformedInputError | None = None


@dataclass(slots=True)
class _Separator:
    """What stood between the last two objects of an array.

    It mostly recurs, and a plain search then finds the end of the next object faster than counting brackets does
    (`benchmarks.array_elements`); the parser decides whether it is the end. A search that fails is expensive, so only
    one in so many may fail."""

    text: bytes = b""
    length: int = 0  # without the head of the second object
    hits: int = 0
    misses: int = 0

    def is_worth_a_guess(self) -> bool:
        return bool(self.text) and self.misses <= _MAX_MISSES + self.hits // 16


class Splitter:
    """Finds values in `handle`, which it seeks and reads, and holds `window` bytes of it."""

    def __init__(self, handle: BinaryIO, window: int = WINDOW) -> None:
        self._handle = handle
        self._window = window
        self._base = 0  # offset of the window
        self._bytes = b""

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` to `end`, of any length."""
        if self._base <= start and end <= self._base + len(self._bytes):
            return self._bytes[start - self._base : end - self._base]
        self._handle.seek(start)
        return self._handle.read(end - start)

    def byte(self, at: int) -> int:
        """Return the byte at an offset, or -1 at the end of the data."""
        self._show(at)
        return self._bytes[at - self._base] if at - self._base < len(self._bytes) else -1

    def skip_space(self, at: int) -> int:
        """Return the offset of the next byte that is not white space, or of the end of the data."""
        self._show(at)
        while self._bytes:
            found = _end(_SPACE.match(self._bytes, at - self._base))
            at = self._base + found
            if found < len(self._bytes):
                break
            self._load(at)
        return at

    def elements(self, at: int, walk: Walk = NO_WALK) -> Iterator[Span]:
        """Yield the elements of the array that opens at `at`. One that is cut short is the last. Raises
        MalformedInputError where what stands between them is wrong."""
        separator = _Separator()
        following = self.skip_space(at + 1)
        if self.byte(following) == _ARRAY_END:
            return
        while True:
            at = following
            span = self._guess(at, separator)
            if span is not None:
                yield span
                following = span.end - 1 + separator.length
                continue
            span = self._element(at, walk)
            yield span
            after = self._after_element(span.end) if span.fault is None else None
            if after is None:
                return
            following = after
            self._learn(span, following, separator)

    def outline(self, at: int, walk: Walk = NO_WALK) -> Outline:
        """Return the members of the object that opens at `at`; at most `_MAX_MEMBERS` of them are kept."""
        outline = Outline()
        try:
            outline.end = self._walk_members(at, walk, outline.members)
        except MalformedInputError as fault:
            outline.fault = fault
        return outline

    def end_of_value(self, at: int) -> int:
        """Return the offset after the value that begins at `at`. Brackets are counted, not matched. Raises
        MalformedInputError."""
        first = self.byte(at)
        if first in _OPENING:
            return self._end_of_container(at)
        if first == _QUOTE:
            return self._end_of_string(at)
        end = at
        while self._bytes:
            end = self._base + _end(_SCALAR.match(self._bytes, end - self._base))
            if end < self._base + len(self._bytes):
                break
            self._load(end)
        if end == at:
            raise _fault("expected a value", at, cut_short=first == -1)
        return end

    # ---- objects ----

    def _walk_members(self, at: int, walk: Walk, members: list[Member]) -> int:
        at = self.skip_space(at + 1)
        if self.byte(at) == _OBJECT_END:
            return at + 1
        while True:
            name, at = self._name(at)
            members.append(Member(name, at, None))
            is_walked = name in walk and self.byte(at) == _ARRAY
            end = self._end_of_array(at, walk[name]) if is_walked else self.end_of_value(at)
            members[-1] = Member(name, at, end)
            if len(members) > _MAX_MEMBERS:
                members.pop()
            at = self.skip_space(end)
            if self.byte(at) == _OBJECT_END:
                return at + 1
            if self.byte(at) != _COMMA:
                raise _fault("expected a comma or the end of the object", at, cut_short=self.byte(at) == -1)
            at = self.skip_space(at + 1)

    def _name(self, at: int) -> tuple[str, int]:
        """Return the name of the member at `at`, empty if it is not valid text, and the offset of its value."""
        if self.byte(at) != _QUOTE:
            raise _fault("expected a key in double quotes", at, cut_short=self.byte(at) == -1)
        end = self._end_of_string(at)
        try:
            name = orjson.loads(self.read(at, end)) if end - at <= _MAX_NAME else ""
        except orjson.JSONDecodeError:
            name = ""
        at = self.skip_space(end)
        if self.byte(at) != _COLON:
            raise _fault("expected a colon", at, cut_short=self.byte(at) == -1)
        return name, self.skip_space(at + 1)

    def _end_of_array(self, at: int, walk: Walk) -> int:
        end = at + 1
        for span in self.elements(at, walk):
            if span.fault is not None:
                raise span.fault
            end = span.end
        return self.skip_space(end) + 1

    # ---- arrays ----

    def _element(self, at: int, walk: Walk) -> Span:
        if walk and self.byte(at) == _OBJECT:
            outline = self.outline(at, walk)
            if outline.fault is None:
                return Span(at, outline.end)
        try:
            return Span(at, self.end_of_value(at))
        except MalformedInputError as fault:
            if fault.offset == at:
                raise
            return Span(at, self._handle.seek(0, 2), fault=fault)

    def _after_element(self, end: int) -> int | None:
        """Return the offset of the next element, or None where the array is closed."""
        at = self.skip_space(end)
        found = self.byte(at)
        if found == _COMMA:
            return self.skip_space(at + 1)
        if found == _ARRAY_END:
            return None
        reason = "the array is not closed" if found == -1 else "expected a comma or the end of the array"
        raise _fault(reason, at, cut_short=found == -1)

    def _guess(self, at: int, separator: _Separator) -> Span | None:
        """Return the element at `at` if the last separator follows it, which a complete value before that proves."""
        if not separator.is_worth_a_guess():
            return None
        self._show(at)
        found = self._bytes.find(separator.text, at - self._base)
        if found < 0 and self._base < at:
            self._load(at)
            found = self._bytes.find(separator.text)
        if found >= 0:
            try:
                value = orjson.loads(self._bytes[at - self._base : found + 1])
            except orjson.JSONDecodeError:
                pass
            else:
                if isinstance(value, dict):
                    separator.hits += 1
                    return Span(at, self._base + found + 1, value)
        separator.misses += 1
        return None

    def _learn(self, span: Span, following: int, separator: _Separator) -> None:
        """Remember what stands between an object and the next one, up to the first key of that."""
        length = following - (span.end - 1)
        separator.text, separator.length = b"", length
        if length < _MAX_SEPARATOR and self.byte(span.end - 1) == _OBJECT_END:
            text = self.read(span.end - 1, following + _MAX_SEPARATOR)
            head = _FIRST_KEY.match(text, length)
            if head is not None:
                separator.text = text[: head.end()]

    # ---- bytes ----

    def _end_of_container(self, at: int) -> int:
        self._show(at)
        index, depth = at - self._base, 0
        while True:
            index = _end(_FLAT.match(self._bytes, index))
            if index == len(self._bytes):
                self._load(self._base + index)
                index = 0
                if not self._bytes:
                    raise _fault("the data ends inside a value", self._base, cut_short=True)
                continue
            found = self._bytes[index]
            if found == _QUOTE:  # a string that the expression leaves
                index = self._end_of_string(self._base + index) - self._base
                continue
            index += 1
            if found in _OPENING:
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    return self._base + index

    def _end_of_string(self, at: int) -> int:
        self._show(at)
        index = at - self._base + 1
        while True:
            index = _end(_IN_STRING.match(self._bytes, index))
            if index < len(self._bytes) and self._bytes[index] == _QUOTE:
                return self._base + index + 1
            if index < len(self._bytes) - 1:
                continue  # at an escape beyond the bound
            self._load(self._base + index)  # at the end of the window, or at a backslash that ends it
            index = 0
            if self._bytes in (b"", b"\\"):
                raise _fault("the data ends inside a string", self._base + len(self._bytes), cut_short=True)

    def _show(self, at: int) -> None:
        """Move the window where it does not hold `at`."""
        if not self._base <= at < self._base + len(self._bytes):
            self._load(at)

    def _load(self, at: int) -> None:
        self._handle.seek(at)
        self._base = at
        self._bytes = self._handle.read(self._window)


def _end(match: re.Match[bytes] | None) -> int:
    assert match is not None, "these expressions match the empty string"
    return match.end()


def _fault(reason: str, at: int, *, cut_short: bool) -> MalformedInputError:
    return MalformedInputError("truncated_json" if cut_short else "broken_json", reason, at)
