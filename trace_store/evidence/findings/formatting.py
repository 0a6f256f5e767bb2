"""Values, texts and names of a document in the sentences of findings: short, on one line, never as markup.

A value is written as JSON, a text in “quotes”, and a name without quotes if it is one plain word: `get_order` needs
none, `a b` does, so that a name cannot be taken for a part of the sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from trace_store.model import JSON

MAX_LENGTH = 60
"""Characters of a value, a text or a name in a sentence."""

MAX_ITEMS = 5
"""Things that a sentence lists before it counts the rest."""

_PLAIN_NAME = re.compile(rf"[\w.:/@+-]{{1,{MAX_LENGTH}}}")
_CLOSES = {"{": "}", "[": "]"}
_JSON_STARTS = re.compile(r'\{ ?["}]|\[ ?(?:["\[{\]\d-]|true|false|null)')
_JSON_PIECE = re.compile(r"\\u[0-9A-Fa-f]{4}|\\.|.", re.DOTALL)  # an escape is never cut
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def format_json(value: JSON) -> str:
    """Return a value as JSON, short enough for a sentence."""
    if isinstance(value, str):
        whole = json.dumps(value[: MAX_LENGTH + 1], ensure_ascii=False)
        return _visible(whole if len(whole) <= MAX_LENGTH else f'{whole[: MAX_LENGTH - 2]}…"')
    text = ""
    for chunk in _ENCODER.iterencode(value):  # never more of a large value than is shown
        text += chunk
        if len(text) > MAX_LENGTH:
            return _visible(_cut(text))
    return _visible(text)


def quote(text: str) -> str:
    """Return a text in quotes, its line breaks and runs of blanks as one blank each."""
    return f"“{_visible(_cut(' '.join(text[: 10 * MAX_LENGTH].split())))}”"


def format_value(value: JSON) -> str:
    """Return a text in quotes, any other value as JSON: for a value where a text is expected."""
    return quote(value) if isinstance(value, str) else format_json(value)


def format_name(name: str) -> str:
    """Return the name of a tool, an actor, a class or a key: bare where it is a plain word, else in quotes."""
    return name if _PLAIN_NAME.fullmatch(name) and name.isprintable() else quote(name)


def format_list(things: Sequence[str] | Iterable[str]) -> str:
    """Return several things in a row, and how many more there are."""
    every = list(things)
    rest = len(every) - MAX_ITEMS
    return ", ".join(every[:MAX_ITEMS]) + (f" and {rest} more" if rest > 0 else "")


def format_count(count: int, thing: str) -> str:
    """Return a number of things: `1 call`, `2,000 calls`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def format_duration(value: float) -> str:
    """Return a time in milliseconds, or in seconds from one on."""
    return f"{value:,.0f} ms" if value < 1_000 else f"{value / 1_000:,.2f} s"


def _cut(text: str) -> str:
    if len(text) <= MAX_LENGTH:
        return text
    cut = f"{text[: MAX_LENGTH - 1]}…"
    for start, closing in _cuts_of_json(text) if _JSON_STARTS.match(text) else ():
        if len(start) + len(closing) <= MAX_LENGTH:
            cut = start + closing
    return cut


def _cuts_of_json(text: str) -> list[tuple[str, str]]:
    """Return the ways to cut and close JSON, `{"order_id": "NK-1", …}`: a start and what closes it, for each opening
    bracket, comma and character of a text that is a value; none where it is not JSON."""
    cuts: list[tuple[str, str]] = []
    closing = mark = ""  # the brackets that are open, innermost first; the last character that is not in a text
    in_text = is_name = False
    for piece in _JSON_PIECE.finditer(text, 0, MAX_LENGTH):
        token, end = piece[0], piece.end()
        if in_text:
            in_text = token != '"'
            if in_text and not is_name and text[end] != '"':
                cuts.append((text[:end], f'…"{closing}'))
            continue
        if token == '"':
            in_text, is_name = True, closing.startswith("}") and mark != ":"
        elif token in _CLOSES:
            closing = _CLOSES[token] + closing
            cuts.append((text[:end], f"…{closing}"))
        elif token == ",":
            cuts.append((text[:end], f" …{closing}"))
        elif token in _CLOSES.values():
            if closing in ("", token) or not closing.startswith(token):
                return []  # closed by another bracket, or over before the text is
            closing = closing[1:]
        mark = mark if token == " " else token
    return cuts


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else f"\\u{ord(character):04x}" for character in text)
