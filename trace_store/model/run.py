"""The run document: what one agent run is, after the contract has been applied.

Plain dataclasses, because an import builds dozens a run, and without slots, because orjson then writes them three times
as fast; pydantic validates those that come back from JSON.
Field names are the public JSON keys (`trace-store show --format json`): programs rest on them. Opaque payloads are
`JSON`. Nothing here reads files, databases or the clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeAlias, get_args

import orjson
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from trace_store.model.path import Path
from trace_store.model.review import Review

JSON: TypeAlias = Any
"""Any JSON value: None, bool, int, float, str, list or dict with string keys. Opaque to us."""

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Lane: TypeAlias = Literal["tool", "data", "telemetry"]
Family: TypeAlias = Literal["simulated", "live"]
Outcome: TypeAlias = Literal["ok", "application_error", "failed", "injected_failure", "unreadable"]
ChainOutcome: TypeAlias = Literal[
    "succeeded", "recovered", "exhausted", "gave_up", "failed", "application_error", "unreadable"
]
ActorStatus: TypeAlias = Literal["declared", "undeclared", "unchecked", "unattributed", "malformed"]
NodeStatus: TypeAlias = Literal["declared", "undeclared", "unchecked", "unattributed", "malformed", "structural"]
Severity: TypeAlias = Literal["error", "warning", "info"]
View: TypeAlias = Literal["rich", "thin"]
Stage: TypeAlias = Literal["transport", "generation", "arguments", "authorization", "receipt", "answer"]
WarningKind: TypeAlias = Literal["dropped", "nulled", "changed", "noted"]

BOUNDARY_STAGES: tuple[Stage, ...] = get_args(Stage)
"""The stages of the first failed boundary in the order in which one is passed (R38)."""


@dataclass
class SoftWarning:
    """One soft warning: `export` carried it in, or this `import` found it (R14).

    `kind` says what the import did at `path`: an entry was `dropped`, a field `nulled`, a value `changed`, or only
    `noted`, with nothing lost. Path and kind are null for the export's.
    """

    origin: Literal["export", "import"]
    path: Path | None
    reason: str
    kind: WarningKind | None = None


@dataclass
class ToolCall:
    """A tool call as the transcript claims it (R11). `receipt` is the sequence of the logged call that answers it;
    `index` is its place in the original array, which paths name; calls of content parts come after it (R45)."""

    id: str | None
    name: str
    arguments: JSON
    arguments_decoded: bool = True
    receipt: int | None = None
    index: int = 0
    extra: dict[str, JSON] = field(default_factory=dict)


@dataclass
class ToolResult:
    """The result of a tool call in a content part (R45). `part` is its place in the content; `answers` is the path of
    the tool call that it answers; with `is_error` it says an error, whatever its content."""

    part: int
    tool_call_id: str | None = None
    content: str | list[JSON] | None = None
    is_error: bool = False
    answers: Path | None = None


@dataclass
class Message:
    """One message that survived normalisation (R8-R12, R45). `index` is its place in the original array (R15);
    `answers` is the path of the tool call that a tool message answers; `tool_results` are those in its content."""

    index: int
    role: Role
    content: str | list[JSON] | None = None
    tool_call_id: str | None = None
    tool_calls: list[ToolCall] | None = None
    tool_results: list[ToolResult] = field(default_factory=list)
    answers: Path | None = None
    thinking: list[dict[str, JSON]] | None = None
    extra: dict[str, JSON] = field(default_factory=dict)


@dataclass
class Call:
    """One entry of the proxy log (R16-R23). `sequence` is its place in the log, from 0; `chain` indexes `Run.chains`;
    `attempt` counts within the chain, from 1. `tool_name` is null for a call that cannot be read."""

    sequence: int
    lane: Lane
    tool_name: str | None
    arguments: JSON
    arguments_decoded: bool
    response: JSON
    source: str | None
    family: Family | None
    latency_ms: float | None
    matched_rule_index: int | None
    validation: JSON
    status_code: int | None
    error: JSON
    error_class: str | None
    envelope: dict[str, JSON] | None
    outcome: Outcome
    retryable: bool
    stale_token: bool
    actor_id: str | None
    actor_status: ActorStatus
    started_at: str | None
    idempotency_key: str | None
    chain: int
    attempt: int
    extra: dict[str, JSON] = field(default_factory=dict)


@dataclass
class Chain:
    """One logical call with its attempts (R24-R27). `calls` are sequences; `waits_ms` has one entry a retry, null
    where times do not tell; `repeats` is the earlier chain that the model tried again."""

    chain: int
    tool_name: str | None
    actor_id: str | None
    calls: list[int]
    outcome: ChainOutcome
    overcome: bool = False
    error_classes: list[str] = field(default_factory=list)
    waits_ms: list[float | None] = field(default_factory=list)
    wasted_ms: float = 0.0
    repeats: int | None = None


@dataclass
class Actor:
    """A node of the attribution tree (R31). `path` is null for unattributed calls. `failed` counts `failed` and
    `injected_failure` calls; the `subtree_` figures include the node's own; latencies are sums in milliseconds."""

    path: str | None
    parent: str | None
    status: NodeStatus
    calls: int = 0
    failed: int = 0
    subtree_calls: int = 0
    subtree_failed: int = 0
    tools: list[str] = field(default_factory=list)
    silent: bool = False
    suggestion: str | None = None
    error_classes: dict[str, int] = field(default_factory=dict)
    subtree_error_classes: dict[str, int] = field(default_factory=dict)
    latency_ms: float = 0.0
    subtree_latency_ms: float = 0.0


Edge = TypedDict("Edge", {"from": str, "to": str, "kind": Literal["declared", "observed"], "reason": str | None})
"""A hand-off between actors: declared in the topology, or observed as a trace event (R31)."""


@dataclass
class Topology:
    """How the actors are wired: the declared entry, and edges."""

    entry: str | None = None
    edges: list[Edge] = field(default_factory=list)


@dataclass
class Event:
    """A trace event or a telemetry record, shown on the timeline beside the calls (R31)."""

    lane: Literal["trace", "telemetry"]
    kind: str | None
    at: str | None = None
    sequence: int | None = None
    actor_id: str | None = None
    step_ref: str | None = None
    payload: JSON = None
    extra: dict[str, JSON] = field(default_factory=dict)


@dataclass
class Tool:
    """A declared tool (R33): `mode` in the public vocabulary, `stored_mode` as it stands on the wire."""

    name: str | None
    mode: str | None
    stored_mode: str | None
    description: str | None
    has_output_schema: bool
    requires_human_approval: bool | None = None


@dataclass
class Finding:
    """One thing a reviewer should know: a stable kind, where it stands, one sentence, and the rule behind it."""

    kind: str
    severity: Severity
    path: Path
    message: str
    rule: str


@dataclass
class GroundedFact:
    """A fact of the final answer (R37): its text and where it stands there, in characters. `receipt` is the path at
    which it was found, null where it was found nowhere."""

    text: str
    start: int
    end: int
    receipt: Path | None


@dataclass
class Grounding:
    """The facts of the final answer, in its order."""

    facts: list[GroundedFact]


@dataclass
class Boundary:
    """The first failed boundary of a run (R38): the stage, the path of what failed, and what may safely be done.

    `confirmed` are the paths of the successful calls before it. `corrected_by` is the path of the call by which the
    model corrected the failed one; `deliberate` is true for an injected failure. `call` is the sequence of the logged
    call that failed, `tool_name` the tool of that call or of the tool call without a receipt; null where there is none.
    """

    stage: Stage
    path: Path
    reason: str
    recovery: str
    confirmed: list[Path]
    corrected_by: Path | None
    deliberate: bool
    call: int | None
    tool_name: str | None


@dataclass
class Run:
    """One agent run: the run document. Absent values are null. Lists stand in the order of the original."""

    run_id: str
    format: str
    final_response: str | None
    final_response_cut: int | None
    response_error: str | None
    view: View
    failed: bool
    import_id: int | None = None
    file: str | None = None
    place: str | None = None
    task_id: str | None = None
    check_id: str | None = None
    scenario: str | None = None
    agent_id: str | None = None
    status: str | None = None
    judge_passed: bool | None = None
    started_at: str | None = None
    run_token_jti: str | None = None
    task_input: JSON = None
    error: JSON = None
    error_class: str | None = None
    messages: list[Message] | None = None
    metadata: dict[str, JSON] | None = None
    warnings: list[SoftWarning] = field(default_factory=list)
    has_log: bool = False
    calls: list[Call] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    actors: list[Actor] = field(default_factory=list)
    declared_actors: list[str] | None = None
    topology: Topology = field(default_factory=Topology)
    tools: list[Tool] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    grounding: Grounding | None = None
    boundary: Boundary | None = None
    findings: list[Finding] = field(default_factory=list)
    review: Review | None = None
    extra: dict[str, JSON] = field(default_factory=dict)

    def to_json(self) -> bytes:
        """Return the run document as UTF-8 JSON, keys in the order of the fields."""
        return orjson.dumps(self)

    @staticmethod
    def from_json(document: bytes) -> Run:
        """Return the inverse of `to_json`. Raises pydantic.ValidationError on anything else."""
        return _adapter().validate_python(orjson.loads(document))


@cache
def _adapter() -> TypeAdapter[Run]:
    return TypeAdapter(Run)  # not at once: most commands read no run document, and would wait for it all the same
