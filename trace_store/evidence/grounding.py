"""Whether the facts of the final answer stand in what the run could rest on (R37). A hint for the reviewer, never a
verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

import orjson

from trace_store.evidence.facts import Fact, facts_of, parts_of
from trace_store.evidence.pairing import Claim
from trace_store.evidence.paths import below, call_path, message_path
from trace_store.evidence.told import text_of
from trace_store.model import JSON, Run

MIN_TAIL = 4
"""How many digits may stand for the identifier that they end."""

_MANY_PARTS = 64


class _Source(NamedTuple):
    """A place that facts may be found in: a payload or a text."""

    path: str
    value: JSON


class GroundedFact(NamedTuple):
    """A fact, and the path at which it was found; None: nowhere."""

    fact: Fact
    path: str | None


def ground(run: Run, claims: list[Claim], executed: frozenset[str]) -> list[GroundedFact] | None:
    """The facts of the answer with where each was found, or None where there is no answer or nothing to ground on.

    `executed` names the tools whose code ran in the sandbox: their receipts are the tool messages.
    """
    if run.final_response is None:
        return None
    sources = _sources(run, claims, executed)
    first = next(sources, None)
    if first is None:
        return None
    facts = facts_of(run.final_response)
    search = _Search(facts)
    search.look_into(first)
    for source in sources:
        if search.is_done():
            break
        search.look_into(source)
    return [GroundedFact(fact, search.path_of(fact)) for fact in facts]


def _sources(run: Run, claims: list[Claim], executed: frozenset[str]) -> Iterator[_Source]:
    """What the answer may rest on: first the receipts, then what the run was told from outside."""
    for call in run.calls:
        if call.outcome == "ok" and call.response is not None:
            yield _Source(f"{call_path(call.sequence)}.response", call.response)
            if call.arguments is not None:
                yield _Source(f"{call_path(call.sequence)}.arguments", call.arguments)
    standing_in = {claim.answer.index for claim in claims if claim.answer is not None and claim.call.name in executed}
    for message in run.messages or ():
        is_source = message.role in ("user", "system") or (
            message.role == "tool" and (not run.has_log or message.index in standing_in)
        )
        if is_source and message.content:
            yield _Source(message_path(message.index), text_of(message.content))
    if run.task_input:
        yield _Source("task_input", run.task_input)


class _Search:
    """Looks for parts in one source after the other. Most sources hold none of those still missing, which a search
    for the bare text tells fast; only the others are split."""

    def __init__(self, facts: list[Fact]) -> None:
        self._missing = {part for fact in facts if not fact.together for part in fact.parts}
        self._missing_together = {fact.parts for fact in facts if fact.together}
        self._found: dict[str, str] = {}
        self._found_together: dict[tuple[str, ...], str] = {}

    def is_done(self) -> bool:
        """Whether everything is found."""
        return not self._missing and not self._missing_together

    def path_of(self, fact: Fact) -> str | None:
        """Where a fact was found: with several parts, the place of the longest, which says most."""
        if fact.together:
            return self._found_together.get(fact.parts)
        if not all(part in self._found for part in fact.parts):
            return None
        return self._found[max(fact.parts, key=len)]

    def look_into(self, source: _Source) -> None:
        """Takes from the missing what stands in a source."""
        text = _written(source.value)
        if len(self._missing) + len(self._missing_together) <= _MANY_PARTS:
            bare = _bare(text)
            if not any(part in bare for part in self._missing) and not any(
                all(part in bare for part in parts) for parts in self._missing_together
            ):
                return
        tokens = _Tokens(text)
        found = {part for part in self._missing if tokens.hold(part)}
        if found:
            self._missing -= found
            self._found |= _leaf_paths(source, found)
        together = {parts for parts in self._missing_together if all(part in tokens.whole for part in parts)}
        self._missing_together -= together
        self._found_together |= dict.fromkeys(together, source.path)


class _Tokens:
    """The parts of a text: as they stand, and with thousands joined, for `101,102` may be two numbers."""

    __slots__ = ("_tails", "whole")

    def __init__(self, text: str) -> None:
        self.whole = set(parts_of(text))
        if "," in text:
            self.whole.update(parts_of(text.replace(",", " ")))
        self._tails: dict[int, set[str]] = {}

    def hold(self, part: str) -> bool:
        """Whether a part stands in the text, or, of four digits or more, ends an identifier in it."""
        if part in self.whole:
            return True
        length = len(part)
        if length < MIN_TAIL or not part.isdecimal():
            return False
        if length not in self._tails:
            self._tails[length] = {token[-length:] for token in self.whole if len(token) > length and "." not in token}
        return part in self._tails[length]


def _bare(text: str) -> str:
    """A text in which each part of it is found as it is written, among much that is no part."""
    return text.lower().replace(",", "").replace("'", "").replace("’", "")


def _written(value: JSON) -> str:
    """A payload as text. Each value stands on its own line, so that neighbours do not run together."""
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


def _leaf_paths(source: _Source, parts: set[str]) -> dict[str, str]:
    """The path of the first value in a source that each of the parts stands in, or of the source where it is a key."""
    paths: dict[str, str] = {}
    for path, leaf in _leaves(source.path, source.value):
        bare = _bare(leaf)
        near = [part for part in parts if part not in paths and part in bare]
        if near:
            tokens = _Tokens(leaf)
            paths |= dict.fromkeys((part for part in near if tokens.hold(part)), path)
            if len(paths) == len(parts):
                break
    return dict.fromkeys(parts, source.path) | paths


def _leaves(path: str, value: JSON) -> Iterator[tuple[str, str]]:
    open_: list[tuple[tuple[str | int, ...], JSON]] = [((), value)]
    while open_:
        steps, node = open_.pop()
        if isinstance(node, dict):
            open_.extend(((*steps, key), inner) for key, inner in reversed(node.items()))
        elif isinstance(node, list):
            open_.extend(((*steps, i), node[i]) for i in range(len(node) - 1, -1, -1))
        elif node is not None:
            yield below(path, steps), node if isinstance(node, str) else _written(node)
