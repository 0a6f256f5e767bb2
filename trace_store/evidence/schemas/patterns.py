"""Regular expressions of untrusted schemas, matched by RE2 in time linear in the text (R34).

Python's `re` backtracks: `(a+)+$` against a few dozen letters never ends, and nothing can interrupt it. RE2 never does.

Patterns of JSON Schema are those of ECMA-262, and are translated for RE2. Refused, because RE2 does not support them:
look-around, back-references, flags within a pattern, `\\B` (RE2 finds it within the bytes of a character), repeats of
more than 1,000 in all, and Unicode properties other than general categories by their short names (without `C`, `Cn`).
"""

from __future__ import annotations

import re

import re2

from trace_store.evidence.schemas.effort import Effort

MAX_LENGTH = 5_000
"""Characters of a pattern: RE2 bounds the memory for what it compiles, but not for what it parses."""

# Without room for its automaton, at its slowest, RE2 takes six nanoseconds for each instruction at each byte.
_STEPS_PER_UNIT = 1_500

_OPTIONS = re2.Options()
# Bytes for one pattern: a larger one is refused, and one whose automaton grows beyond that does without.
_OPTIONS.max_mem = 1 << 20
_OPTIONS.log_errors = False
_OPTIONS.never_capture = True

# The tokens of a pattern, and those within a class, where a hyphen beside a set is itself, as in `[\w-.]`.
_CODE = r"\\u[dD][89abAB]HH\\u[dD][c-fC-F]HH|\\u\{H+\}|\\uHHHH|\\xHH".replace("H", "[0-9a-fA-F]")
_ESCAPE = rf"{_CODE}|\\c[a-zA-Z]|\\0(?![0-9])|\\[fnrtv]|\\[^a-zA-Z0-9]"
_SET = r"\\[dDsSwW]|\\[pP]\{(?:L[ulmot]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfos])\}"
_TOKEN = re.compile(
    rf"(?P<set>{_SET}|\.)|(?P<one>{_ESCAPE}|[^\\(\[.)*+?|^${{]|\{{(?![0-9]+(?:,[0-9]*)?\}}))"
    r"|(?P<group>\((?:\?:|\?<[a-zA-Z_$][\w$]*>|(?!\?)))|\[(?P<not>\^?)(?P<class>(?:\\.|[^]\\])*)\]"
    r"|(?P<same>\\b|[)*+?|^$]|\{[0-9,]+\})",
    re.DOTALL,
)
_INNER = rf"{_ESCAPE}|\\b|[^\\]"
_INNER_TOKEN = re.compile(
    rf"(?P<inner>{_SET})(?:-(?P<after>{_INNER}))?|(?P<low>{_INNER})-(?P<high>{_INNER})|(?P<one>{_INNER})", re.DOTALL
)
_CONTROLS = {"0": 0, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_SETS = {
    ".": r"^\n\r\x{2028}\x{2029}",
    r"\s": r"\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}",
    r"\S": r"\x00-\x08\x0E-\x1F!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}"
    r"\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}",
}

# Why a pattern is refused: by the text at which no token is recognised, and by the error of RE2.
_UNSUPPORTED = {
    r"\(\?[=!]": "it uses look-ahead, which cannot be matched in bounded time",
    r"\(\?<[=!]": "it uses look-behind, which cannot be matched in bounded time",
    r"\\[k1-9]": "it uses a back-reference, which cannot be matched in bounded time",
    r"\(": "it has an unsupported kind of group",
    r"\[": "it has a [ without a ]",
    r"\\0": "it uses an octal escape",
    r"\\[ux]": "it has an escape without its hexadecimal digits",
    r"\\[pP]": "it names a Unicode property other than a general category",
    r"\\$": "it ends in the middle of an escape",
}
_RE2_ERRORS = {
    "missing )": "it has a ( without a )",
    "unexpected )": "it has a ) without a (",
    "no argument for repetition operator": "it repeats nothing",
    "bad repetition operator": "it repeats a repeat",
    "invalid repetition size": "its repeats are out of order, or too large in all",
    "invalid character class range": "it has a range out of order",
    "invalid escape sequence": "it names a character beyond Unicode",
}


class PatternError(ValueError):
    """A pattern that cannot be used. Its text is the end of a sentence about the pattern."""


class Pattern:
    """A compiled pattern. Raises PatternError where it is not valid, or cannot be matched without backtracking."""

    __slots__ = ("_regexp", "_size")

    def __init__(self, source: str) -> None:
        if len(source) > MAX_LENGTH:
            raise PatternError(f"it is longer than {MAX_LENGTH:,} characters")
        try:
            self._regexp = re2.compile(_translate(source, _TOKEN).encode("ascii"), _OPTIONS)
        except re2.error as error:
            message = error.args[0].decode().partition(":")[0]
            raise PatternError(_RE2_ERRORS.get(message, "it is too large when its repeats are written out")) from None
        self._size: int = self._regexp.programsize

    def search(self, text: str, effort: Effort) -> bool:
        """Return whether the pattern matches anywhere in `text`. Raises TooCostlyError when the effort is used up."""
        encoded = text.encode("utf-8", "surrogatepass")
        effort.spend(1 + len(encoded) * self._size // _STEPS_PER_UNIT)
        return self._regexp.search(encoded) is not None


def _translate(source: str, tokens: re.Pattern[str]) -> str:
    """Return a pattern, or the inside of a character class, in the syntax of RE2."""
    parts: list[str] = []
    at = 0
    while at < len(source):
        token = tokens.match(source, at)
        if token is None:
            rest = source[at:]
            reasons = (why for start, why in _UNSUPPORTED.items() if re.match(start, rest))
            raise PatternError(next(reasons, f"it has an unknown escape {rest[:2]}"))
        at = token.end()
        match token.lastgroup:
            case "group":
                parts.append("(?:")
            case "set":
                parts.append(f"[{_SETS.get(token['set'], token['set'])}]")
            case "class":
                # `[]` is no character, and `[^]` any.
                inner = _translate(token["class"], _INNER_TOKEN) or r"^\x00-\x{10FFFF}"
                parts.append(f"[{token['not']}{inner}]".replace("[^^", "["))
            case "one":
                parts.append(_literal(token["one"]))
            case "inner":
                parts.append(_SETS.get(token["inner"], token["inner"]))
            case "after":
                parts += _SETS.get(token["inner"], token["inner"]), r"\-", _literal(token["after"])
            case "high":
                parts += _literal(token["low"]), "-", _literal(token["high"])
            case _:
                parts.append(token[0])
    return "".join(parts)


def _literal(written: str) -> str:
    """Return the syntax for one character without a special meaning."""
    digits = re.findall("[0-9a-fA-F]+", written[2:]) if written[:2] in (r"\u", r"\x") else []
    match [int(number, 16) for number in digits]:
        case [high, low]:
            point = 0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00
        case [point]:
            pass
        case _ if written.startswith(r"\c"):
            point = ord(written[2]) % 32
        case _:
            point = _CONTROLS.get(written[1:], ord(written[-1]))
    return f"\\x{{{point:X}}}"
