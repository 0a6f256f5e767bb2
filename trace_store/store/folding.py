"""How letters fold in a search: one rule for the full-text index, for the words that are searched, and for the texts
that are read through for a part of a word."""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile("[\u0300-\u036f]+")
# Letters that Unicode does not take apart into a letter and a mark.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})

_ESCAPED_SPACE = re.compile(r"\\+[nrt]")
_ESCAPED_CHARACTER = re.compile(r"(?:\\+u[0-9a-fA-F]{4})+")
_HEX = re.compile(r"u([0-9a-fA-F]{4})")


def fold(text: str) -> str:
    """Return `text` without case, accents and variants of form. `Rückgabe`, `ruckgabe` and full-width letters fold
    alike, and so do `ß` and `ss`, `ё` and `е`, `ﬁ` and `fi`, `ł` and `l`, `ø` and `o`. Signs stay as they are, and so
    do marks that are letters of their own in scripts such as Devanagari and Thai."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = _MARKS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", folded).translate(_LETTERS)


def unescape(text: str) -> str:
    """Return `text` with what JSON escaped, often twice, because a tool's answer is JSON in a string, as what it stands
    for. Line breaks and tabs become spaces."""
    if "\\" not in text:
        return text
    return _ESCAPED_SPACE.sub(" ", _ESCAPED_CHARACTER.sub(_unescaped, text))


def _unescaped(escape: re.Match[str]) -> str:
    characters = "".join(chr(int(digits, 16)) for digits in _HEX.findall(escape[0]))
    # Two escapes may be the halves of one character; a half alone is none.
    return characters.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def text_holds(text: str, phrase: str) -> bool:
    """Return whether `phrase`, which is folded, stands anywhere in `text`."""
    return phrase in fold(unescape(text))
