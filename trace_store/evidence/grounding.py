"""Find the facts of the final answer in the sources of the run (R37): a hint for the reviewer.

An answer mostly has few facts, and the sources are long, so each part of a fact is searched as plain text, and each
match is checked for being a part there. For many parts, all sources are split once into an index instead.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

import orjson

from trace_store.evidence.facts import LETTER, PART, Fact, facts_of, plain_parts
from trace_store.evidence.tool_results import text_of
from trace_store.evidence.transcript_calls import TranscriptCall
from trace_store.model import JSON, GroundedFact, Grounding, Path, Run, Step

MIN_TAIL = 4
"""How many digits at the end of an identifier are enough to find it."""

_MAX_TRIES = 200
_MAX_READ = 50_000_000
_SEPARATORS = ",'’"
_GROUPED = re.compile(rf"[0-9]{{1,3}}(?:[{_SEPARATORS}][0-9]{{3}})+(?:\.[0-9]+)?(?!{LETTER})")
_DIGIT = re.compile(r"[0-9]")
_THOUSANDS = re.compile(r"([1-9][0-9]{3,})(\.[0-9]+)?")


class Source(NamedTuple):
    """A payload or text that facts may be found in: at a path, or at a member of the value there."""

    root: Path
    value: JSON
    member: str | None = None

    @property
    def path(self) -> Path:
        """The path of the value, built only when it is needed."""
        return self.root if self.member is None else self.root / self.member


def ground_answer(run: Run, calls: list[TranscriptCall], executed: frozenset[str]) -> Grounding | None:
    """Return the facts of the answer, each with the path where it was found; None without an answer or any source.

    `executed` names the tools whose code ran in the sandbox: their receipts are the tool messages.
    """
    if run.final_response is None:
        return None
    sources = list(_sources(run, calls, executed))
    if not sources:
        return None
    facts = facts_of(run.final_response)
    if not facts:
        return Grounding([])
    search = _Search(sources, facts)
    return Grounding([GroundedFact(fact.text, fact.start, fact.end, search.path_of(fact)) for fact in facts])


def _sources(run: Run, calls: list[TranscriptCall], executed: frozenset[str]) -> Iterator[Source]:
    """Yield the sources of the answer: first the receipts, then the messages and the task input."""
    for call in run.calls:
        if call.outcome == "ok" and call.response is not None:
            yield Source(Path.call(call.sequence), call.response, "response")
            if call.arguments is not None:
                yield Source(Path.call(call.sequence), call.arguments, "arguments")
    executed_calls = {call.path for call in calls if call.name in executed}
    for message in run.messages or ():
        is_source = message.role in ("user", "system") or (
            message.role == "tool" and (not run.has_log or message.answers in executed_calls)
        )
        text = text_of(message.content) if is_source and message.content else None
        if text or (text is not None and not message.tool_results):  # R45: not a message with results only
            yield Source(Path.message(message.index), text)
        for result in message.tool_results:
            if result.content and (not run.has_log or result.answers in executed_calls):
                yield Source(Path.message(message.index), text_of(result.content))
    if run.task_input:
        yield Source(Path("task_input"), run.task_input)


class _Search:
    """The search for the facts of one answer, each part once."""

    def __init__(self, sources: list[Source], facts: list[Fact]) -> None:
        self._texts = SourceTexts(sources, sum(len(reading.parts) for fact in facts for reading in fact.readings))
        self._paths: dict[str | tuple[str, ...], Path | None] = {}
        self._spelling_paths: dict[str, Path | None] = {}

    def path_of(self, fact: Fact) -> Path | None:
        """Return where a fact was found: in one value as it is written, else where its longest part was found."""
        scattered: Path | None = None
        for reading in fact.readings:
            if fact.together:
                return self._path_of_all(reading.parts)
            paths = {part: self._path_of(part) for part in reading.parts}
            if any(path is None for path in paths.values()):
                continue
            if len(paths) > 1 and (path := self._path_of_spelling(reading.spelling)) is not None:
                return path
            scattered = scattered or paths[max(reading.parts, key=len)]
        return scattered

    def _path_of(self, part: str) -> Path | None:
        if part not in self._paths:
            self._paths[part] = self._texts.path_of(part)
        return self._paths[part]

    def _path_of_spelling(self, spelling: str) -> Path | None:
        if spelling not in self._spelling_paths:
            self._spelling_paths[spelling] = self._texts.path_of_spelling(spelling)
        return self._spelling_paths[spelling]

    def _path_of_all(self, parts: tuple[str, ...]) -> Path | None:
        if parts not in self._paths:
            self._paths[parts] = self._texts.path_of_all(parts)
        return self._paths[parts]


class SourceTexts:
    """All sources of a run as one text, in order. `expected` is how many parts will be looked for."""

    def __init__(self, sources: list[Source], expected: int) -> None:
        self._sources = sources
        self._texts = [_to_text(source.value).lower() for source in sources]
        self._starts = [0, *accumulate(len(text) + 1 for text in self._texts)]
        self._whole = "\n".join(self._texts)
        self._index: _Index | None = None
        if expected * len(self._whole) > _MAX_READ:
            self._index = _Index(self._whole)

    def path_of(self, part: str) -> Path | None:
        """Return the path of the first value with a part, or of the source if the part is in a key, or None."""
        at = self._find(part)
        if at < 0:
            return None
        source = self._sources[bisect_right(self._starts, at) - 1]
        return source.path.below(_steps_to(part, source.value))

    def path_of_all(self, parts: tuple[str, ...]) -> Path | None:
        """Return the path of the first source with all parts, or None."""
        for source, text in zip(self._sources, self._texts, strict=True):
            if all(_has_part(part, text) for part in parts):
                return source.path
        return None

    def path_of_spelling(self, spelling: str) -> Path | None:
        """Return the path of the first value with a text as it is written: between separators, else between anything
        but digits, as the time in `2024-05-01T04:50:18Z`. None, too, if there is too much text to search."""
        if self._index is not None:
            return None
        for beside in (PART, _DIGIT):
            at = _find_apart(self._whole, spelling, beside)
            if at >= 0:
                source = self._sources[bisect_right(self._starts, at) - 1]
                holds = (
                    steps for steps, leaf in _leaves(source.value) if _find_apart(leaf.lower(), spelling, beside) >= 0
                )
                return source.path.below(next(holds, ()))
        return None

    def _find(self, part: str) -> int:
        if self._index is None:
            try:
                return find_part(self._whole, part)
            except _TooManyTriesError:
                self._index = _Index(self._whole)
        return self._index.find(part)


class _TooManyTriesError(Exception):
    """The text of a part occurs often, but not as a part."""


def find_part(text: str, part: str) -> int:
    """Return the offset of a part in a text in lower case, or -1: by itself, with separators between thousands, or, if
    it has four or more digits, as the end of an identifier."""
    at = _find_bare(text, part)
    if at < 0 and (number := _THOUSANDS.fullmatch(part)):
        grouped = f"{int(number[1]):,}" if len(number[1]) < 20 else ""
        for separator in _SEPARATORS if grouped else "":
            at = _find_grouped(text, grouped.replace(",", separator) + (number[2] or ""), part)
            if at >= 0:
                break
    return at


def _find_bare(text: str, part: str) -> int:
    tries = 0
    at = text.find(part)
    while at >= 0:
        start = at
        while start > 0 and _continues(text, start - 1):
            start -= 1
        token = PART.match(text, start)
        if token is not None:
            if _is_part_of(token[0], part):
                return at
            at = max(at, token.end() - 1)
        tries += 1
        if tries > _MAX_TRIES:
            raise _TooManyTriesError
        at = text.find(part, at + 1)
    return -1


def _continues(text: str, at: int) -> bool:
    """Return whether the character at an offset belongs to a part that continues after it."""
    character = text[at]
    if character == ".":
        return at > 0 and text[at - 1] in "0123456789" and text[at + 1] in "0123456789"
    return PART.match(character) is not None


def _is_part_of(token: str, part: str) -> bool:
    if token == part or part in plain_parts(token):
        return True
    return len(part) >= MIN_TAIL and part.isdecimal() and token.endswith(part) and "." not in token


def _find_grouped(text: str, grouped: str, part: str) -> int:
    tries = 0
    at = text.find(grouped)
    while at >= 0:
        begins = at == 0 or not (_continues(text, at - 1) or (text[at - 1] in _SEPARATORS and text[at - 2].isdecimal()))
        number = _GROUPED.match(text, at)
        if begins and number is not None and part in plain_parts(_joined(number[0])):
            return at
        tries += 1
        if tries > _MAX_TRIES:
            raise _TooManyTriesError
        at = text.find(grouped, at + 1)
    return -1


def _joined(number: str) -> str:
    return "".join(character for character in number if character not in _SEPARATORS)


def _find_apart(text: str, spelling: str, beside: re.Pattern[str]) -> int:
    """Return the offset of the first spelling in a text that has no character of a pattern beside it, or -1."""
    at = -1
    for _ in range(_MAX_TRIES):
        at = text.find(spelling, at + 1)
        end = at + len(spelling)
        if at < 0 or not ((at > 0 and beside.match(text[at - 1])) or (end < len(text) and beside.match(text[end]))):
            return at
    return -1


def _has_part(part: str, text: str) -> bool:
    try:
        return find_part(text, part) >= 0
    except _TooManyTriesError:
        return _Index(text).find(part) >= 0


class _Index:
    """All parts of a text, each with its first offset."""

    def __init__(self, text: str) -> None:
        self._parts: dict[str, int] = {}
        for token in PART.finditer(text):
            for part in plain_parts(token[0]):
                self._parts.setdefault(part, token.start())
        for number in _GROUPED.finditer(text):
            for part in plain_parts(_joined(number[0])):
                self._parts.setdefault(part, number.start())
        self._tails: dict[int, dict[str, int]] = {}

    def find(self, part: str) -> int:
        """Return the first offset of a part, or -1."""
        at = self._parts.get(part, -1)
        if at >= 0 or len(part) < MIN_TAIL or not part.isdecimal():
            return at
        tails = self._tails.get(len(part))
        if tails is None:
            tails = self._tails[len(part)] = {
                token[-len(part) :]: offset
                for token, offset in self._parts.items()
                if len(token) > len(part) and "." not in token
            }
        return tails.get(part, -1)


def _to_text(value: JSON) -> str:
    """Return a payload as text, each value on a line of its own, so that neighbours are not joined."""
    if isinstance(value, str):
        return value
    try:
        text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # what orjson cannot write: integers beyond 64 bits, lone surrogates
        text = json.dumps(value, indent=2, ensure_ascii=False)
    if "\\" in text:
        for escape in ("\\\\", "\\n", "\\t", "\\r", "\\b", "\\f", '\\"'):
            text = text.replace(escape, " ")
    return text


def _steps_to(part: str, value: JSON) -> tuple[Step, ...]:
    """Return the steps to the first scalar of a payload with a part, or no steps if the part is in a key."""
    may_be_grouped = _THOUSANDS.fullmatch(part) is not None
    for steps, leaf in _leaves(value):
        text = leaf.lower()
        if (part in text or may_be_grouped) and _has_part(part, text):
            return steps
    return ()


def _leaves(value: JSON) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Yield each scalar of a payload as text, with the steps that lead to it."""
    pending: list[tuple[tuple[Step, ...], JSON]] = [((), value)]
    while pending:
        steps, node = pending.pop()
        if isinstance(node, dict):
            pending.extend(((*steps, key), inner) for key, inner in reversed(node.items()))
        elif isinstance(node, list):
            pending.extend(((*steps, i), node[i]) for i in range(len(node) - 1, -1, -1))
        elif node is not None:
            yield steps, node if isinstance(node, str) else _to_text(node)
