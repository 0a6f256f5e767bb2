"""Which tool message answers which tool call of the transcript (R35).

By order, never by a map over the run: in real transcripts ids recur.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trace_store.model import Message, Path, Run, ToolCall


@dataclass(slots=True)
class Claim:
    """A tool call as the transcript claims it, where it stands, and the tool message that answers it."""

    call: ToolCall
    path: Path
    place: tuple[int, int]
    answer: Message | None = None


@dataclass(slots=True)
class Pairing:
    """The tool calls of a transcript in order, the tool messages that answer none, and where an id is missing first."""

    claims: list[Claim] = field(default_factory=list)
    orphans: list[Message] = field(default_factory=list)
    id_missing_at: Path | None = None


def pair(run: Run) -> Pairing:
    """Pairs calls with their answers, and notes in each tool message the path of the call that it answers."""
    pairer = _Pairer()
    for message in run.messages or ():
        for call in message.tool_calls or ():
            pairer.add(message, call)
        if message.role == "tool":
            pairer.answer(message)
    return pairer.pairing


class _Pairer:
    """The calls that wait for an answer: by id the nearest last, and all of them, the earliest first."""

    def __init__(self) -> None:
        self.pairing = Pairing()
        self._by_id: dict[str, list[Claim]] = {}
        self._unanswered = 0  # no claim before this one waits any more
        self._without_id: list[Claim] = []
        self._without_id_unanswered = 0

    def add(self, message: Message, call: ToolCall) -> None:
        path = Path.of("messages", message.index, "tool_calls", call.index)
        claim = Claim(call, path, (message.index, call.index))
        self.pairing.claims.append(claim)
        if call.id:
            self._by_id.setdefault(call.id, []).append(claim)
        else:
            self._without_id.append(claim)
            self._note_missing(path)

    def answer(self, message: Message) -> None:
        path = Path.message(message.index)
        if message.tool_call_id:
            claim = self._nearest(message.tool_call_id) or self._earliest_without_id()
        else:
            self._note_missing(path)
            claim = self._earliest()
        if claim is None:
            self.pairing.orphans.append(message)
        else:
            claim.answer = message
            message.answers = claim.path

    def _note_missing(self, path: Path) -> None:
        if self.pairing.id_missing_at is None:
            self.pairing.id_missing_at = path

    def _nearest(self, call_id: str) -> Claim | None:
        waiting = self._by_id.get(call_id, [])
        while waiting:
            claim = waiting.pop()
            if claim.answer is None:
                return claim
        return None

    def _earliest(self) -> Claim | None:
        claims = self.pairing.claims
        while self._unanswered < len(claims):
            claim = claims[self._unanswered]
            if claim.answer is None:
                return claim
            self._unanswered += 1
        return None

    def _earliest_without_id(self) -> Claim | None:
        while self._without_id_unanswered < len(self._without_id):
            claim = self._without_id[self._without_id_unanswered]
            if claim.answer is None:
                return claim
            self._without_id_unanswered += 1
        return None
