"""The shape of the transcript component's data: plain JSON, absent keys instead of nulls.

`JsonText` is JSON as compact text: opaque payloads are shown, searched and copied as they are, never parsed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, TypedDict

from app.components.answer import Fact
from trace_store.model import ActorStatus, ChainOutcome, Outcome, Path, Severity

JsonText: TypeAlias = str

Agreement: TypeAlias = Literal["same", "agrees", "differs", "hidden", "reported"]
"""What the model was given, held against its receipt (R36): `same` is equal as JSON, so that the response is not sent
twice; `differs` and `hidden` are findings; `agrees` and `reported` (a failure) are their absence."""


class Block(TypedDict, total=False):
    """A payload: `text` when it is a string, to be shown as such, else `json`."""

    text: str
    json: JsonText


class Note(TypedDict, total=False):
    """A finding, which has a `kind`, or a warning of the import or export."""

    severity: Severity
    kind: str
    title: str
    message: str


Notes: TypeAlias = Mapping[Path, list[Note]]
"""Notes by what they are about: a message, a tool call, a logged call, or the end of the run."""


class ResultData(TypedDict, total=False):
    """A result in a content part (R45). `answers` is a message and a tool call, by index: its card shows the result."""

    id: str
    is_error: bool
    answers: tuple[int, int]


class ToolCallData(TypedDict, total=False):
    """A tool call as the model asked for it. `undecoded`: `text` is the exact text, `value` is JSON but not an object.
    `receipt` is the sequence of a logged call, `answer` the index of the answering message, `answer_part` the number
    of its part that answers, where that is not the whole message (R45)."""

    index: int
    name: str
    id: str
    arguments: str
    undecoded: Literal["text", "value"]
    receipt: int
    answer: int
    answer_part: int
    agreement: Agreement
    extra: JsonText
    notes: list[Note]


class MessageItem(TypedDict, total=False):
    """A message: its `content`, or its `parts` as one JSON text each. Of these, by their number as text, `part_calls`
    has the index of the tool call whose card shows a part, and `results` those that are results (R45); `thinking` is
    what stands in no part. `answers` is a message and a tool call, by index. `name` is who spoke, taken from `extra`;
    with `more`, `extra` holds other fields besides. `facts` are those of the final answer, in the message that holds
    its very text."""

    type: Literal["message"]
    index: int
    role: str
    name: str
    content: str
    parts: list[JsonText]
    part_calls: dict[str, int]
    results: dict[str, ResultData]
    tool_call_id: str
    calls: list[ToolCallData]
    answers: tuple[int, int]
    thinking: list[JsonText]
    extra: JsonText
    more: bool
    facts: list[Fact]
    notes: list[Note]


class DroppedItem(TypedDict, total=False):
    """An entry that did not survive (R15). `entry` is the original, as indented JSON text, where it is known."""

    type: Literal["dropped"]
    index: int
    reason: str
    entry: str
    notes: list[Note]


class LogItem(TypedDict):
    """A chain of the log that no tool call of the transcript pairs with. `apart`: in the section at the end."""

    type: Literal["log"]
    chain: int
    apart: bool


class HeadingItem(TypedDict):
    """Opens the section of the log at the end; `thin` runs show it open."""

    type: Literal["heading"]
    call_count: int
    chain_count: int


class ThinItem(TypedDict):
    """Why a run has no transcript (R5, R7-R9), and the warnings of the export itself (R14)."""

    type: Literal["thin"]
    reason: str
    export_warnings: list[str]


class FinalItem(TypedDict, total=False):
    """The end of the run. `same_as` is the index of the last message when it holds this very text. `cut` counts the
    characters that the judge did not see, null where the platform had cut them before (R4)."""

    type: Literal["final"]
    text: str
    same_as: int
    cut: int | None
    response_error: str
    error_class: str
    error: Block
    status: str
    failed: bool
    facts: list[Fact]
    notes: list[Note]


Item: TypeAlias = MessageItem | DroppedItem | LogItem | HeadingItem | ThinItem | FinalItem


class LogCall(TypedDict, total=False):
    """A call of the log. `arguments` and `response` are left out where the card shows them already."""

    sequence: int
    chain: int
    attempt: int
    tool: str
    lane: str
    outcome: Outcome
    source: str
    status: int
    latency_ms: float
    rule: int
    error_class: str
    error: Block
    stale: bool
    retryable: bool
    actor: str
    actor_status: ActorStatus
    started_at: str
    arguments: str
    undecoded: Literal["text", "value"]
    response: Block
    validation: JsonText
    extra: JsonText
    notes: list[Note]


class LogChain(TypedDict, total=False):
    """A chain of the log: its attempts as sequences, waits and waste in milliseconds (R27). `windows_ms` has the
    policy's window for each wait, where it has one, and `off_policy` the indexes of waits outside of it (R26)."""

    calls: list[int]
    outcome: ChainOutcome
    overcome: bool
    waits_ms: list[float | None]
    windows_ms: list[tuple[float, float] | None]
    off_policy: list[int]
    wasted_ms: float
    repeats: int


class TranscriptData(TypedDict):
    """Everything the component shows. `calls` is in the order of the log, `chains` is keyed by chain number;
    `suggestions` maps an undeclared label to the declared one that it is closest to."""

    run_id: str
    judge_passed: bool | None
    has_log: bool
    items: list[Item]
    calls: list[LogCall]
    chains: dict[str, LogChain]
    suggestions: dict[str, str]
