"""The syntax of ECMA-262 patterns, as far as an automaton without memory can match them: parsed into a small tree.

Where the standard is lenient for old programs (a lone `]`, a `{` that begins no count), so is this; what it leaves to
other engines (`\\A`, `(?i)`, look-around) is refused by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

MAX_GROUPS = 50
"""How deep groups may nest."""


class PatternError(ValueError):
    """Says what is wrong with a pattern, as the end of a sentence about it."""


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """One character out of ranges of code points, or of Unicode categories (each with whether it is inverted)."""

    ranges: tuple[tuple[int, int], ...]
    categories: tuple[tuple[str, bool], ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place rather than a character: `^`, `$`, `b` (the edge of a word) or `B` (no such edge)."""

    kind: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Any one of the branches."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part `least` to `most` times; no `most` means any number."""

    part: Node
    least: int
    most: int | None


Node: TypeAlias = CharacterClass | Anchor | Sequence | Alternatives | Repeat

_LAST = 0x10FFFF
_DIGITS = ((48, 57),)
_WORDS = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACES = (
    (9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
_LINE_ENDS = ((10, 10), (13, 13), (0x2028, 0x2029))
_SETS = {"d": _DIGITS, "w": _WORDS, "s": _SPACES}
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}
_CATEGORIES = frozenset({
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe", "Pi",
    "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cs", "Co", "Cn",
})  # fmt: skip
_LONG_CATEGORIES = {
    "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Mark": "M", "Number": "N",
    "Decimal_Number": "Nd", "Punctuation": "P", "Symbol": "S", "Separator": "Z", "Other": "C",
}  # fmt: skip
_LOOKING = {"?=": "look-ahead", "?!": "look-ahead", "?<=": "look-behind", "?<!": "look-behind"}
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
_MAX_COUNT = 100_000


def parse(source: str) -> Node:
    """The tree of a pattern. Raises PatternError."""
    return _Parser(source).parse()


class _Parser:
    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._depth = 0

    def parse(self) -> Node:
        node = self._alternatives()
        if self._at < len(self._source):
            raise PatternError("it has a ) without a (")
        return node

    def _takes(self, text: str) -> bool:
        if self._source.startswith(text, self._at):
            self._at += len(text)
            return True
        return False

    def _next(self) -> str:
        if self._at >= len(self._source):
            raise PatternError("it ends in the middle of an escape or a class")
        self._at += 1
        return self._source[self._at - 1]

    def _alternatives(self) -> Node:
        branches = [self._sequence()]
        while self._takes("|"):
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else Alternatives(tuple(branches))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while self._at < len(self._source) and self._source[self._at] not in "|)":
            part = self._atom()
            count = self._count()
            if count is not None:
                if isinstance(part, Anchor):
                    raise PatternError("it repeats what is no character")
                part = Repeat(part, *count)
                if self._count() is not None:
                    raise PatternError("it repeats a repeat")
            parts.append(part)
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _count(self) -> tuple[int, int | None] | None:
        count: tuple[int, int | None] | None = None
        if self._takes("*"):
            count = (0, None)
        elif self._takes("+"):
            count = (1, None)
        elif self._takes("?"):
            count = (0, 1)
        elif self._source.startswith("{", self._at):
            count = self._braces()
        if count is not None:
            self._takes("?")  # lazy or greedy: the same texts match
        return count

    def _braces(self) -> tuple[int, int | None] | None:
        end = self._source.find("}", self._at)
        low, comma, high = self._source[self._at + 1 : end].partition(",") if end > 0 else ("", "", "")
        if not _is_number(low) or not (high == "" or _is_number(high)):
            return None  # a brace that begins no count stands for itself
        self._at = end + 1
        least = _bounded(low)
        most = least if not comma else _bounded(high) if high else None
        if most is not None and most < least:
            raise PatternError("it has a count whose upper end is below its lower")
        return least, most

    def _atom(self) -> Node:
        character = self._next()
        match character:
            case "(":
                return self._group()
            case "[":
                return self._class()
            case ".":
                return CharacterClass(_LINE_ENDS, negated=True)
            case "^" | "$":
                return Anchor(character)
            case "\\":
                if self._takes("b"):
                    return Anchor("b")
                if self._takes("B"):
                    return Anchor("B")
                return self._escape()
            case "*" | "+" | "?":
                raise PatternError("it repeats nothing")
        if character == "{" and self._begins_count():
            raise PatternError("it repeats nothing")
        return _one(ord(character))

    def _begins_count(self) -> bool:
        self._at -= 1
        count = self._braces()
        if count is None:
            self._at += 1
        return count is not None

    def _group(self) -> Node:
        for opening, what in _LOOKING.items():
            if self._source.startswith(opening, self._at):
                raise PatternError(f"it uses {what}, which cannot be matched in bounded time")
        if self._takes("?<"):
            name_end = self._source.find(">", self._at)
            if name_end < 0:
                raise PatternError("it has a group whose name does not end")
            self._at = name_end + 1
        elif self._takes("?") and not self._takes(":"):
            raise PatternError("it has a group of a kind that ECMA-262 does not know")
        self._depth += 1
        if self._depth > MAX_GROUPS:
            raise PatternError(f"its groups nest deeper than {MAX_GROUPS}")
        node = self._alternatives()
        if not self._takes(")"):
            raise PatternError("it has a ( without a )")
        self._depth -= 1
        # In its own sequence, so that an anchor in parentheses may be repeated.
        return Sequence((node,)) if isinstance(node, Anchor) else node

    def _escape(self) -> CharacterClass:
        letter = self._next()
        if letter.lower() in _SETS:
            return CharacterClass(_SETS[letter.lower()], negated=letter.isupper())
        if letter in "pP":
            return CharacterClass((), (self._category(),), negated=letter == "P")
        if letter == "k" or letter in "123456789":
            raise PatternError("it uses a back-reference, which cannot be matched in bounded time")
        return _one(self._escaped_point(letter))

    def _escaped_point(self, letter: str) -> int:
        if letter == "0" and self._at < len(self._source) and self._source[self._at].isdecimal():
            raise PatternError("it uses an octal escape")
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter == "c":
            control = self._next()
            if not ("a" <= control.lower() <= "z"):
                raise PatternError("it has an unknown escape \\c")
            return ord(control) % 32
        if letter == "x":
            return self._hexadecimal(2)
        if letter == "u":
            return self._unicode()
        if letter.isalnum():
            raise PatternError(f"it has an unknown escape \\{letter}")
        return ord(letter)

    def _unicode(self) -> int:
        if self._takes("{"):
            end = self._source.find("}", self._at)
            digits = self._source[self._at : end] if end > 0 else ""
            self._at = end + 1
            point = _hexadecimal(digits)
            if point > _LAST:
                raise PatternError("it names a character beyond Unicode")
            return point
        point = self._hexadecimal(4)
        if 0xD800 <= point < 0xDC00 and self._takes("\\u"):
            low = self._hexadecimal(4)
            if 0xDC00 <= low < 0xE000:
                return 0x10000 + (point - 0xD800) * 0x400 + low - 0xDC00
            raise PatternError("it has half a surrogate pair")
        return point

    def _hexadecimal(self, length: int) -> int:
        digits = self._source[self._at : self._at + length]
        self._at += length
        return _hexadecimal(digits if len(digits) == length else "")

    def _category(self) -> tuple[str, bool]:
        if not self._takes("{"):
            raise PatternError("it has an unknown escape \\p")
        end = self._source.find("}", self._at)
        name = self._source[self._at : end] if end > 0 else ""
        self._at = end + 1
        for prefix in ("General_Category=", "gc="):
            name = name.removeprefix(prefix)
        name = _LONG_CATEGORIES.get(name, name)
        if name not in _CATEGORIES:
            raise PatternError("it names a Unicode property other than a general category")
        return name, False

    def _class(self) -> CharacterClass:
        negated = self._takes("^")
        ranges: list[tuple[int, int]] = []
        categories: list[tuple[str, bool]] = []
        while not self._takes("]"):
            low = self._class_atom()
            if not _is_one(low) or not self._begins_range():
                _add(low, ranges, categories)
                continue
            self._at += 1
            high = self._class_atom()
            if not _is_one(high):
                raise PatternError("it has a range that ends in a class")
            ranges.append((low.ranges[0][0], high.ranges[0][1]))
            if ranges[-1][0] > ranges[-1][1]:
                raise PatternError("it has a range out of order")
        return CharacterClass(tuple(ranges), tuple(categories), negated)

    def _begins_range(self) -> bool:
        rest = self._source[self._at : self._at + 2]
        return len(rest) == 2 and rest[0] == "-" and rest[1] != "]"

    def _class_atom(self) -> CharacterClass:
        character = self._next()
        if character != "\\":
            return _one(ord(character))
        if self._takes("b"):
            return _one(8)
        if self._takes("-"):
            return _one(ord("-"))
        return self._escape()


def _one(point: int) -> CharacterClass:
    return CharacterClass(((point, point),))


def _is_one(characters: CharacterClass) -> bool:
    ranges = characters.ranges
    return not characters.negated and len(ranges) == 1 and ranges[0][0] == ranges[0][1]


def _add(part: CharacterClass, ranges: list[tuple[int, int]], categories: list[tuple[str, bool]]) -> None:
    """Adds a class within a class: an inverted set becomes the ranges between its own."""
    categories.extend((name, inverted != part.negated) for name, inverted in part.categories)
    if not part.negated:
        ranges.extend(part.ranges)
        return
    if part.categories:
        return
    low = 0
    for first, last in sorted(part.ranges):
        if first > low:
            ranges.append((low, first - 1))
        low = last + 1
    ranges.append((low, _LAST))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _bounded(digits: str) -> int:
    if len(digits) > 6 or int(digits) > _MAX_COUNT:
        raise PatternError("it is too large when its counted repeats are written out")
    return int(digits)


def _hexadecimal(digits: str) -> int:
    if not digits or not set(digits) <= _HEXADECIMAL or len(digits) > 8:
        raise PatternError("it has an escape without its hexadecimal digits")
    return int(digits, 16)
