"""Python literals in a tool message: frameworks that print a result with `str()` tell the model `{'a': None}` (R36).

Read by hand: the interpreter's own parser can be brought down by what it is given, and warns about it on the way.
"""

from __future__ import annotations

import re

from trace_store.model import JSON

MAX_LENGTH = 1_000_000
MAX_DEPTH = 200

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<string>[uUrRbB]?(?:'[^'\\\n]*+(?:\\.[^'\\\n]*+)*'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"))
      | (?P<number>[-+]?(?:\d[\d_]*+(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?)
      | (?P<word>True|False|None)\b
      | (?P<mark>[][(){},:])
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\n)|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_WORDS: dict[str, JSON] = {"True": True, "False": False, "None": None}
_CLOSING = {"{": "}", "[": "]", "(": ")"}


class NotALiteralError(ValueError):
    """The text is no Python literal of a JSON value."""


def read_literal(text: str) -> JSON:
    """The JSON value that a Python literal stands for; a tuple is an array. Raises NotALiteralError."""
    if len(text) > MAX_LENGTH:
        raise NotALiteralError
    reader = _Reader(text)
    value = reader.value(0)
    reader.end()
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text.strip()
        self._at = 0

    def end(self) -> None:
        if self._at != len(self._text):
            raise NotALiteralError

    def value(self, depth: int) -> JSON:
        kind, token = self._token()
        if kind == "mark":
            if token not in _CLOSING or depth >= MAX_DEPTH:
                raise NotALiteralError
            return self._dict(depth) if token == "{" else self._sequence(_CLOSING[token], depth)
        if kind == "string":
            return _string(token)
        if kind == "number":
            return _number(token)
        return _WORDS[token]

    def _token(self) -> tuple[str, str]:
        found = _TOKEN.match(self._text, self._at)
        if found is None or found.lastgroup is None:
            raise NotALiteralError
        self._at = found.end()
        return found.lastgroup, found[found.lastgroup]

    def _closes(self, mark: str) -> bool:
        """Takes the mark if it is next; else goes back."""
        before = self._at
        if self._token() == ("mark", mark):
            return True
        self._at = before
        return False

    def _comma_or(self, mark: str) -> bool:
        """Whether the mark closes what was open; a comma goes on, and may stand before the mark too."""
        if self._closes(mark):
            return True
        if not self._closes(","):
            raise NotALiteralError
        return self._closes(mark)

    def _sequence(self, closing: str, depth: int) -> list[JSON]:
        items: list[JSON] = []
        closed = self._closes(closing)
        while not closed:
            items.append(self.value(depth + 1))
            closed = self._comma_or(closing)
        return items

    def _dict(self, depth: int) -> dict[str, JSON]:
        items: dict[str, JSON] = {}
        closed = self._closes("}")
        while not closed:
            key = self.value(depth + 1)
            if not isinstance(key, str) or not self._closes(":"):
                raise NotALiteralError
            items[key] = self.value(depth + 1)
            closed = self._comma_or("}")
        return items


def _number(token: str) -> int | float:
    digits = token.replace("_", "")
    if len(digits) > 400:
        raise NotALiteralError
    return float(digits) if set(digits) & set(".eE") else int(digits)


def _string(token: str) -> str:
    quote = token[0] if token[0] in "'\"" else token[1]
    prefix, body = token[: token.index(quote)], token[token.index(quote) + 1 : -1]
    if prefix in "rR" and prefix:
        return body
    if prefix and prefix not in "uU":
        raise NotALiteralError
    return _ESCAPE.sub(_unescaped, body) if "\\" in body else body


def _unescaped(escape: re.Match[str]) -> str:
    for group in (1, 2, 3):
        if escape[group]:
            point = int(escape[group], 16)
            return chr(point) if point <= 0x10FFFF else "\ufffd"
    if escape[4]:
        return chr(int(escape[4], 8))
    if escape[5]:
        return ""
    return _SIMPLE.get(escape[6], f"\\{escape[6]}")
