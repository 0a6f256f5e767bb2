"""Values, texts and names of a document in the sentences of findings: short, on one line, never as markup.

A value stands as JSON, a text in “quotes”, and a name bare where it is one plain word: `get_order` needs no quotes,
`a b` does, and no name can pass for a part of the sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from trace_store.model import JSON

MAX_SHOWN = 60
"""Characters of a value, a text or a name that a sentence shows."""

MAX_LISTED = 5
"""Things that a sentence lists before it counts the rest."""

_PLAIN_NAME = re.compile(rf"[\w.:/@+-]{{1,{MAX_SHOWN}}}")
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def shown(value: JSON) -> str:
    """A value as JSON, short enough for a sentence."""
    if isinstance(value, str):
        whole = json.dumps(value[: MAX_SHOWN + 1], ensure_ascii=False)
        return _visible(whole if len(whole) <= MAX_SHOWN else f'{whole[: MAX_SHOWN - 2]}…"')
    text = ""
    for chunk in _ENCODER.iterencode(value):  # never more of a large value than is shown
        text += chunk
        if len(text) > MAX_SHOWN:
            return _visible(_cut(text))
    return _visible(text)


def quoted(text: str) -> str:
    """A text in quotes, its line breaks and runs of blanks as one blank each."""
    return f"“{_visible(_cut(' '.join(text[: 10 * MAX_SHOWN].split())))}”"


def said(value: JSON) -> str:
    """What stands where a text is expected: a text in quotes, any other value as JSON."""
    return quoted(value) if isinstance(value, str) else shown(value)


def named(name: str) -> str:
    """The name of a tool, an actor, a class or a key: bare where it is a plain word, else in quotes."""
    return name if _PLAIN_NAME.fullmatch(name) and name.isprintable() else quoted(name)


def listed(things: Sequence[str] | Iterable[str]) -> str:
    """Several things in a row, and how many more there are."""
    every = list(things)
    rest = len(every) - MAX_LISTED
    return ", ".join(every[:MAX_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def counted(count: int, thing: str) -> str:
    """A number of things: `1 call`, `2,000 calls`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def milliseconds(value: float) -> str:
    """A time in milliseconds, or in seconds from one on."""
    return f"{value:,.0f} ms" if value < 1_000 else f"{value / 1_000:,.2f} s"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else f"\\u{ord(character):04x}" for character in text)
