"""Whether the facts of the final answer stand in what the run could rest on (R37): a hint for the reviewer."""

from __future__ import annotations

from collections.abc import Iterator

from trace_store.evidence.fact_search import Source, SourceTexts
from trace_store.evidence.facts import Fact, facts_of
from trace_store.evidence.pairing import TranscriptCall
from trace_store.evidence.tool_results import text_of
from trace_store.model import GroundedFact, Grounding, Path, Run


def ground_answer(run: Run, calls: list[TranscriptCall], executed: frozenset[str]) -> Grounding | None:
    """Return the facts of the answer with where each was found; None without an answer, or anything to ground on.

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
    """Yield what the answer may rest on: first the receipts, then what the run was given from outside."""
    for call in run.calls:
        if call.outcome == "ok" and call.response is not None:
            yield Source(Path.call(call.sequence) / "response", call.response)
            if call.arguments is not None:
                yield Source(Path.call(call.sequence) / "arguments", call.arguments)
    results = {call.answer.index for call in calls if call.answer is not None and call.name in executed}
    for message in run.messages or ():
        is_source = message.role in ("user", "system") or (
            message.role == "tool" and (not run.has_log or message.index in results)
        )
        if is_source and message.content:
            yield Source(Path.message(message.index), text_of(message.content))
    if run.task_input:
        yield Source(Path("task_input"), run.task_input)


class _Search:
    """The search for the facts of one answer, each part once."""

    def __init__(self, sources: list[Source], facts: list[Fact]) -> None:
        self._texts = SourceTexts(sources, sum(len(reading) for fact in facts for reading in fact.readings))
        self._paths: dict[str | tuple[str, ...], Path | None] = {}

    def path_of(self, fact: Fact) -> Path | None:
        """Return where a fact was found: with several parts, the path of the longest, which says most."""
        for reading in fact.readings:
            if fact.together:
                return self._path_of_all(reading)
            paths = {part: self._path_of(part) for part in reading}
            if all(path is not None for path in paths.values()):
                return paths[max(reading, key=len)]
        return None

    def _path_of(self, part: str) -> Path | None:
        if part not in self._paths:
            self._paths[part] = self._texts.path_of(part)
        return self._paths[part]

    def _path_of_all(self, parts: tuple[str, ...]) -> Path | None:
        if parts not in self._paths:
            self._paths[parts] = self._texts.path_of_all(parts)
        return self._paths[parts]
