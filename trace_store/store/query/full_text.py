"""Full text: conditions for runs or calls that hold some words, and how a text is spelt in the index.

The index splits texts at everything but letters and digits, and finds words and phrases in milliseconds. Scripts that
write no spaces between words are indexed character by character, so that any part of them is found as a phrase. What
the index cannot know (signs, a part of a word) is found by reading texts: of the runs that the index finds for the
words beside the signs, else of the runs that the rest of the query leaves. Letters fold alike on both ways
(`folding.fold`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from sqlalchemy import (
    ColumnElement,
    LargeBinary,
    and_,
    cast,
    column,
    exists,
    func,
    literal_column,
    or_,
    select,
    table,
    tuple_,
)  # fmt: skip

from trace_store.errors import QueryError
from trace_store.store.folding import fold, unescape
from trace_store.store.schema.tables import CALL_SHIFT, OUTSIDE_CALLS, RUN_SHIFT, calls, runs, texts

LONGEST = 1000
"""Characters of one searched phrase: SQLite refuses patterns beyond 50,000 bytes."""

# Thai to Khmer, kana, Han and Hangul, with their extensions: no spaces, or none that end a word.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff])"
)
_SYMBOLS = frozenset("#%&")
"""Signs that a word is told from others by, beside what Unicode calls symbols: `C#`, `100%`, `R&D`."""
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")

_index = table("texts_fts", column("rowid"), column("texts_fts"))


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words as a person typed them: `refund issued`, `refund*` (words that begin so), `*fund*` (anywhere). A text holds
    a phrase with symbols (`C++`, `100%`, `👍`) only with them, and another whatever signs are between its words."""

    text: str
    begins: bool = False
    anywhere: bool = False
    is_indexed: bool = True
    has_symbols: bool = False

    @classmethod
    def of(cls, words: str) -> Phrase:
        """Read the stars off `words`. Raises QueryError when nothing is left or it is longer than LONGEST."""
        text = words.strip("*").strip()
        if not text:
            raise QueryError("there is nothing to search for", hint="write a word, or a phrase in quotes")
        if len(text) > LONGEST:
            raise QueryError(f"a search of {len(text)} characters", hint=f"at most {LONGEST}")
        categories = {character: unicodedata.category(character) for character in set(text)}
        is_indexed = any(category[0] in "LN" for category in categories.values())
        has_symbols = any(category[0] == "S" or one in _SYMBOLS for one, category in categories.items())
        anywhere = words.startswith("*")
        begins = words.endswith("*") and is_indexed and not anywhere
        return cls(text, begins, anywhere, is_indexed, has_symbols or not is_indexed)

    @property
    def expression(self) -> str:
        """Return the phrase in the index's own language: quoted, so that no word of it is an operator."""
        quoted = segmented(_CONTROL.sub(" ", self.text)).replace('"', '""')
        return f'"{quoted}"*' if self.begins else f'"{quoted}"'


def segmented(text: str) -> str:
    """Return `text` as the index gets it: unescaped and folded, characters of scripts without spaces as words of their
    own. The index itself takes the case off ASCII.

    An entry leaves the index only under the spelling it came in with: to change this function, migrate the index.
    """
    text = unescape(text)
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", fold(text))


def runs_with(words: str) -> ColumnElement[bool]:
    """Return the condition on `runs` that one of the run's texts holds `words` (see Phrase). Raises QueryError."""
    phrase = Phrase.of(words)
    first = runs.c.key.op("<<")(RUN_SHIFT)
    hits = runs.c.key.in_(select(_index.c.rowid.op(">>")(RUN_SHIFT)).where(_hit(phrase)))
    return _combine(phrase, hits, _somewhere(phrase, first, first + (1 << RUN_SHIFT)))


def calls_with(words: str) -> ColumnElement[bool]:
    """Return the condition on `calls` that the call's arguments, response or error hold `words`. Raises QueryError."""
    phrase = Phrase.of(words)
    first = calls.c.run_key.op("<<")(RUN_SHIFT) + calls.c.sequence.op("<<")(CALL_SHIFT)
    within = _index.c.rowid.op("&")(OUTSIDE_CALLS - 1).op(">>")(CALL_SHIFT)
    hits = select(_index.c.rowid.op(">>")(RUN_SHIFT), within).where(
        _hit(phrase), _index.c.rowid.op("&")(OUTSIDE_CALLS) == 0
    )
    found = tuple_(calls.c.run_key, calls.c.sequence).in_(hits)
    return _combine(phrase, found, _somewhere(phrase, first, first + (1 << CALL_SHIFT)))


def _combine(phrase: Phrase, hits: ColumnElement[bool], somewhere: ColumnElement[bool]) -> ColumnElement[bool]:
    if not phrase.is_indexed:
        return somewhere
    if phrase.anywhere:
        return or_(hits, somewhere)  # whatever the word finds, `*word*` finds
    return and_(hits, somewhere) if phrase.has_symbols else hits


def contains_words(text: ColumnElement[str], words: str) -> ColumnElement[bool]:
    """Return the condition that the column holds `words`, anywhere. Raises QueryError."""
    return _holds(text, Phrase.of(words))


def _hit(phrase: Phrase) -> ColumnElement[bool]:
    return _index.c.texts_fts.op("MATCH", is_comparison=True)(phrase.expression)


def _somewhere(phrase: Phrase, first: ColumnElement[int], end: ColumnElement[int]) -> ColumnElement[bool]:
    there = and_(texts.c.key >= first, texts.c.key < end, _holds(texts.c.text, phrase))
    return exists(literal_column("1")).where(there)


def _holds(text: ColumnElement[str], phrase: Phrase) -> ColumnElement[bool]:
    """Return that a text holds the phrase. SQLite itself compares what is ASCII; Python reads what it has to fold."""
    folded = fold(_CONTROL.sub(" ", phrase.text))
    is_foldable = or_(func.length(text) != func.length(cast(text, LargeBinary)), func.instr(text, "\\") > 0)
    by_folding = and_(is_foldable, func.text_holds(text, folded) == 1)
    return or_(text.contains(folded, autoescape=True), by_folding) if folded.isascii() else by_folding
