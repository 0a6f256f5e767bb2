"""Which tool message, or which result in a content part (R45), answers which tool call of the transcript (R35).

By order, never by a map over the run: in real transcripts ids recur.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field

from trace_store.model import JSON, Chain, Message, Path, Run, ToolCall, ToolResult


@dataclass(slots=True)
class Receipt:
    """The attempts that answer a tool call of the transcript: those of a chain or, if the caller retried by itself,
    some of them."""

    chain: Chain
    calls: list[int]

    @property
    def sequence(self) -> int:
        """The sequence of the last attempt: the `receipt` of the run document."""
        return self.calls[-1]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result that the model received for a tool call: a tool message, or a result in a content part (R45)."""

    message: Message
    result: ToolResult | None = None

    @property
    def path(self) -> Path:
        """The path of the message, on which findings about the answer rest."""
        return Path.message(self.message.index)

    @property
    def content(self) -> str | list[JSON] | None:
        """The content that the model received."""
        return self.message.content if self.result is None else self.result.content

    @property
    def tool_call_id(self) -> str | None:
        """The id of the call that it answers. A part without one has that of its tool message."""
        own = self.result.tool_call_id if self.result is not None else None
        return own or self.message.tool_call_id

    @property
    def is_error(self) -> bool:
        """Whether it is marked as an error, whatever its content (R45)."""
        return self.result is not None and self.result.is_error

    def set_call(self, path: Path) -> None:
        """Note the path of the tool call that it answers in the run document."""
        if self.result is None:
            self.message.answers = path
        else:
            self.result.answers = path


@dataclass(slots=True)
class TranscriptCall:
    """A tool call of the transcript: its path and position, its answer, and its receipt (R36)."""

    tool_call: ToolCall
    path: Path
    position: tuple[int, int]
    answer: Answer | None = None
    receipt: Receipt | None = None

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.tool_call.name


@dataclass(slots=True)
class Pairing:
    """The tool calls of a transcript in order, the answers to none of them, and the first missing id."""

    calls: list[TranscriptCall] = field(default_factory=list)
    orphans: list[Answer] = field(default_factory=list)
    first_missing_id: Path | None = None


def pair_results(run: Run) -> Pairing:
    """Pair tool calls with tool messages and results in parts, and note in each the path of the call it answers."""
    pairing = Pairing()
    unanswered: deque[TranscriptCall] = deque()
    without_id: deque[TranscriptCall] = deque()
    by_id: defaultdict[str, deque[TranscriptCall]] = defaultdict(deque)  # the nearest message first
    for message in run.messages or ():
        with_id: list[TranscriptCall] = []
        for tool_call in message.tool_calls or ():
            path = Path.tool_call(message.index, tool_call.index)
            call = TranscriptCall(tool_call, path, (message.index, tool_call.index))
            pairing.calls.append(call)
            unanswered.append(call)
            if tool_call.id:
                with_id.append(call)
            else:
                without_id.append(call)
                pairing.first_missing_id = pairing.first_missing_id or path
        for call in reversed(with_id):  # R35: of one message that holds an id twice, the earliest call goes first
            by_id[call.tool_call.id or ""].appendleft(call)
        for answer in _answers_in(message):
            if id_ := answer.tool_call_id:
                answered = _take_unanswered(by_id[id_]) or _take_unanswered(without_id)
            else:
                answered = _take_unanswered(unanswered)
                pairing.first_missing_id = pairing.first_missing_id or answer.path
            if answered is None:
                pairing.orphans.append(answer)
            else:
                answered.answer = answer
                answer.set_call(answered.path)
    return pairing


def _answers_in(message: Message) -> list[Answer]:
    """Return the results in the parts of a message; a tool message without such parts is itself one (R45)."""
    if message.tool_results:
        return [Answer(message, result) for result in message.tool_results]
    return [Answer(message)] if message.role == "tool" else []


def _take_unanswered(calls: deque[TranscriptCall]) -> TranscriptCall | None:
    """Remove calls from the left up to the first that has no answer yet, and return that one."""
    while calls:
        if (call := calls.popleft()).answer is None:
            return call
    return None
