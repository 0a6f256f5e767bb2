"""Which tool message answers which tool call of the transcript (R35).

By order, never by a map over the run: in real transcripts ids recur.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field

from trace_store.model import Chain, Message, Path, Run, ToolCall


@dataclass(slots=True)
class Receipt:
    """The attempts that answer a tool call of the transcript: those of a chain, or, where the caller retried by
    itself, its share of them."""

    chain: Chain
    calls: list[int]

    @property
    def sequence(self) -> int:
        """The sequence of the last attempt, which is the receipt proper."""
        return self.calls[-1]


@dataclass(slots=True)
class TranscriptCall:
    """A tool call of the transcript, where it stands, the tool message that answers it, and its receipt (R36)."""

    tool_call: ToolCall
    path: Path
    position: tuple[int, int]
    answer: Message | None = None
    receipt: Receipt | None = None

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.tool_call.name


@dataclass(slots=True)
class Pairing:
    """The tool calls of a transcript in order, the tool messages that answer none, and the first missing id."""

    calls: list[TranscriptCall] = field(default_factory=list)
    orphans: list[Message] = field(default_factory=list)
    first_missing_id: Path | None = None


def pair_results(run: Run) -> Pairing:
    """Pair tool calls with tool messages, and note in each tool message the path of the call that it answers."""
    pairing = Pairing()
    unanswered: deque[TranscriptCall] = deque()
    without_id: deque[TranscriptCall] = deque()
    by_id: defaultdict[str, deque[TranscriptCall]] = defaultdict(deque)  # the nearest first
    for message in run.messages or ():
        for tool_call in message.tool_calls or ():
            path = Path.tool_call(message.index, tool_call.index)
            call = TranscriptCall(tool_call, path, (message.index, tool_call.index))
            pairing.calls.append(call)
            unanswered.append(call)
            if tool_call.id:
                by_id[tool_call.id].appendleft(call)
            else:
                without_id.append(call)
                pairing.first_missing_id = pairing.first_missing_id or path
        if message.role != "tool":
            continue
        if message.tool_call_id:
            answered = _take_unanswered(by_id[message.tool_call_id]) or _take_unanswered(without_id)
        else:
            answered = _take_unanswered(unanswered)
            pairing.first_missing_id = pairing.first_missing_id or Path.message(message.index)
        if answered is None:
            pairing.orphans.append(message)
        else:
            answered.answer = message
            message.answers = answered.path
    return pairing


def _take_unanswered(calls: deque[TranscriptCall]) -> TranscriptCall | None:
    """Remove calls from the left up to the first that has no answer yet, and return that one."""
    while calls:
        if (call := calls.popleft()).answer is None:
            return call
    return None
