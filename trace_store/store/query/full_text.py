"""Full text: conditions for runs or calls that hold some words, and how a text is spelt in the index.

The index splits texts at everything but letters and digits, ignores case and accents, and finds words and phrases in
milliseconds. Scripts that write no spaces between words are indexed character by character, so that any part of them
is found as a phrase. What the index cannot know (signs only, a part of a word) is found by reading the texts of the
runs that the rest of the query leaves.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, column, exists, literal_column, select, table, tuple_

from trace_store.errors import QueryError
from trace_store.store.schema.tables import CALL_SHIFT, OUTSIDE_CALLS, RUN_SHIFT, calls, runs, texts

LONGEST = 1000
"""Characters of one searched phrase: SQLite refuses patterns beyond 50,000 bytes."""

# Thai to Khmer, kana, Han and Hangul, with their extensions: no spaces, or none that end a word.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff])"
)
_ESCAPED_SPACE = re.compile(r"\\+[nrt]")
_ESCAPED_CHARACTER = re.compile(r"(?:\\+u[0-9a-fA-F]{4})+")
_HEX = re.compile(r"u([0-9a-fA-F]{4})")
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")

_index = table("texts_fts", column("rowid"), column("texts_fts"))


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words as a person typed them: `refund issued`, `refund*` (words that begin so), `*fund*` (anywhere)."""

    text: str
    begins: bool = False
    anywhere: bool = False

    @classmethod
    def of(cls, words: str) -> Phrase:
        """Read the stars off `words`. Raises QueryError when nothing is left or it is longer than LONGEST."""
        text = words.strip("*").strip()
        if not text:
            raise QueryError("there is nothing to search for", hint="write a word, or a phrase in quotes")
        if len(text) > LONGEST:
            raise QueryError(f"a search of {len(text)} characters", hint=f"at most {LONGEST}")
        indexed = any(unicodedata.category(character)[0] in "LN" for character in text)
        anywhere = words.startswith("*") or not indexed
        return cls(text, begins=words.endswith("*") and not anywhere, anywhere=anywhere)

    @property
    def expression(self) -> str:
        """Return the phrase in the index's own language: quoted, so that no word of it is an operator."""
        quoted = segmented(_CONTROL.sub(" ", self.text)).replace('"', '""')
        return f'"{quoted}"*' if self.begins else f'"{quoted}"'


def segmented(text: str) -> str:
    """Return `text` as the index gets it. Characters of scripts without spaces become words of their own, and what JSON
    escaped (often twice: a tool's answer is JSON in a string) is what it stands for.

    An entry leaves the index only under the spelling it came in with: to change this function, migrate the index.
    """
    if "\\" in text:
        text = _ESCAPED_SPACE.sub(" ", _ESCAPED_CHARACTER.sub(_unescaped, text))
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text)


def _unescaped(escape: re.Match[str]) -> str:
    characters = "".join(chr(int(digits, 16)) for digits in _HEX.findall(escape[0]))
    # Two escapes may be the halves of one character; a half alone is none.
    return characters.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def runs_with(words: str) -> ColumnElement[bool]:
    """Return the condition on `runs` that one of the run's texts holds `words` (see Phrase). Raises QueryError."""
    phrase = Phrase.of(words)
    if phrase.anywhere:
        first = runs.c.key.op("<<")(RUN_SHIFT)
        return _somewhere(phrase, first, first + (1 << RUN_SHIFT))
    return runs.c.key.in_(select(_index.c.rowid.op(">>")(RUN_SHIFT)).where(_hit(phrase)))


def calls_with(words: str) -> ColumnElement[bool]:
    """Return the condition on `calls` that the call's arguments, response or error hold `words`. Raises QueryError."""
    phrase = Phrase.of(words)
    if phrase.anywhere:
        first = calls.c.run_key.op("<<")(RUN_SHIFT) + calls.c.sequence.op("<<")(CALL_SHIFT)
        return _somewhere(phrase, first, first + (1 << CALL_SHIFT))
    within = _index.c.rowid.op("&")(OUTSIDE_CALLS - 1).op(">>")(CALL_SHIFT)
    hits = select(_index.c.rowid.op(">>")(RUN_SHIFT), within).where(
        _hit(phrase), _index.c.rowid.op("&")(OUTSIDE_CALLS) == 0
    )
    return tuple_(calls.c.run_key, calls.c.sequence).in_(hits)


def _hit(phrase: Phrase) -> ColumnElement[bool]:
    return _index.c.texts_fts.op("MATCH", is_comparison=True)(phrase.expression)


def _somewhere(phrase: Phrase, first: ColumnElement[int], end: ColumnElement[int]) -> ColumnElement[bool]:
    holds = texts.c.text.contains(_CONTROL.sub(" ", phrase.text), autoescape=True)
    return exists(literal_column("1")).where(and_(texts.c.key >= first, texts.c.key < end, holds))
