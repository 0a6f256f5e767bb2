"""The JSON Schema of a run body, for those who write one: what is imported whole, with nothing dropped or nulled.

More than this is read (other names for the answer, malformed entries with a warning), and nothing else is refused: keys
beyond these are kept. Not on the import's path; `normalise` is what decides.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from trace_store.contract.calls import DATA_KEYS, TOOL_NAME_KEYS
from trace_store.model import Role

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_WITH_OFFSET = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})$"

Text: TypeAlias = Annotated[str, Field(min_length=1)]
Id: TypeAlias = str | int | float
Count: TypeAlias = Annotated[int, Field(ge=0)]
Milliseconds: TypeAlias = Annotated[float, Field(ge=0)]
Arguments: TypeAlias = dict[str, Any] | str | None
Time: TypeAlias = Annotated[str, Field(pattern=_WITH_OFFSET)] | int | float


# A call can be read when it names its tool, or is of a lane that needs none.
_READABLE: list[JsonValue] = [
    {"required": [*keys]} for keys in (*((name,) for name in TOOL_NAME_KEYS), ("lane",), DATA_KEYS)
]


class _Open(BaseModel):
    """An object that may hold more than is described."""

    model_config = ConfigDict(extra="allow")


_ARGUMENTS_OF_A_TOOL_CALL = "An object, or a text that holds one as JSON; also `args`, `input` or `parameters`."


class FlatToolCall(_Open):
    """A tool call of the model, in the flat form (R11)."""

    id: str | None = Field(None, description="Joins the call to the tool message that answers it.")
    name: Text = Field(description="The tool.")
    arguments: Arguments = Field(None, description=_ARGUMENTS_OF_A_TOOL_CALL)


class Function(_Open):
    """The inner part of a nested tool call."""

    name: Text = Field(description="The tool.")
    arguments: Arguments = Field(None, description=_ARGUMENTS_OF_A_TOOL_CALL)


class NestedToolCall(_Open):
    """A tool call of the model, in the nested form; it is flattened (R11)."""

    id: str | None = Field(None, description="Joins the call to the tool message that answers it.")
    type: str | None = Field(None, description="`function`.")
    function: Function


class TranscriptMessage(_Open):
    """One message of the transcript (R8-R12, R45)."""

    role: Role = Field(description="Who speaks; matched exactly, a message with any other role is dropped.")
    content: str | list[Any] | None = Field(
        None,
        description="A text, or an array of parts. Parts of the types tool_use, tool_call and function_call are tool "
        "calls of an assistant message, tool_result parts of a user or tool message answer one; thinking, "
        "redacted_thinking and reasoning parts are thinking.",
    )
    tool_call_id: str | None = Field(None, description="In a tool message: the id of the call that it answers.")
    tool_calls: list[FlatToolCall | NestedToolCall] | None = Field(None, description="What the model asked for.")
    thinking: list[dict[str, Any]] | None = Field(
        None, description="Blocks of reasoning; where absent, the text in `reasoning_content` or `reasoning`."
    )


class Metadata(_Open):
    """Facts of the run that have a place of their own in the app; others are shown as they are (R13)."""

    model: str | None = Field(None, description="The model that ran.")
    system_prompt_id: str | None = Field(None, description="The version of the prompt.")
    total_input_tokens: Count | None = Field(None, description="Tokens read, over all model calls.")
    total_output_tokens: Count | None = Field(None, description="Tokens written, over all model calls.")
    agent_runtime_ms: Milliseconds | None = Field(None, description="How long the agent ran, in milliseconds.")
    soft_warnings: list[str] | str | None = Field(None, description="Read like the body's own.")


class LoggedCall(_Open):
    """One call as the proxy logged it: its answer envelope, and what it knows of the request (R16-R23)."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"anyOf": _READABLE})

    tool_name: str | None = Field(None, description="The tool; also `name` or `tool`.")
    arguments: Arguments = Field(None, description="What it was called with; also `args` or `input`.")
    response: Any = Field(None, description="The payload that the tool's caller got.")
    source: str | None = Field(
        None, description="Where the response came from: odyssey, injected, error, passthrough or transport_error."
    )
    latency_ms: Milliseconds | None = Field(None, description="How long the call took, in milliseconds.")
    matched_rule_index: int | None = Field(
        None, description="The failure rule that fired, from 0; null where none did."
    )
    validation: Any = Field(None, description="What the simulator found when it checked its own response.")
    status_code: int | None = Field(None, description="The HTTP status; also `http_status` or `status`.")
    error: Any = Field(None, description="The structured error body of a failed call, or its text.")
    error_class: str | None = Field(None, description="The class of the failure, where the log states it.")
    actor_id: str | None = Field(
        None, description="The acting sub-agent; also `actor`, or the header X-Pipelines-Actor-Id in `headers`."
    )
    started_at: Time | None = Field(
        None, description="ISO 8601 with an offset, or an epoch in s, ms, µs or ns; also `timestamp` or `occurred_at`."
    )
    attempt: int | None = Field(None, description="The number of the attempt, where the caller counted.")
    idempotency_key: Id | None = Field(None, description="Calls with one key are attempts of one logical call.")
    lane: Literal["tool", "data", "telemetry"] | None = Field(None, description="What kind of call; tool where absent.")
    kind: Any = Field(None, description="With `intent` and `operation`: makes it a call of the data lane.")
    intent: Any = Field(None, description="See `kind`.")
    operation: Any = Field(None, description="See `kind`.")


class SubAgent(_Open):
    """A declared actor (R29)."""

    actor_id: Text = Field(description="Its label, as calls carry it: the whole label, or its last segment.")
    tools: list[Any] | None = Field(None, description="The tools it owns; absent or empty: any.")
    talks_to: list[Any] | None = Field(None, description="The actors it hands over to.")


class DeclaredTool(_Open):
    """A declared tool (R33)."""

    name: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_\-]{0,127}$", description="Unique in the list.")
    input_schema: dict[str, Any] = Field(description="A JSON Schema of its arguments.")
    output_schema: dict[str, Any] | None = Field(None, description="A JSON Schema of its response.")
    description: str | None = Field(None, description="What it is for.")
    default_execution_mode: (
        Literal["simulated", "executed", "live", "sandbox", "code_intercepted", "passthrough"] | None
    ) = Field(None, description="Public or stored word; absent: simulated.")
    requires_human_approval: bool | None = Field(None, description="Whether a person must agree first.")


class Topology(_Open):
    """How the actors are wired (R31)."""

    entry: str | None = Field(None, description="The actor that starts.")


class TraceEvent(_Open):
    """An event that the agent reported (R31)."""

    event_type: str = Field(description="One of the reserved types, such as `handoff`, or any other.")
    payload: Any = None
    sequence: int | None = Field(None, description="Orders events of one time.")
    occurred_at: Time | None = Field(None, alias="__occurred_at", description="When, as in `started_at`.")


class TelemetryRecord(_Open):
    """A record of the telemetry lane (R31)."""

    kind: str = Field(description="One of the reserved kinds, such as `note`, or any other.")
    payload: Any = None
    step_ref: Id | None = Field(None, description="The step that it belongs to.")
    actor_id: str | None = Field(None, description="The acting sub-agent.")
    occurred_at: Time | None = Field(None, description="When, as in `started_at`.")


class RunBody(_Open):
    """One run: its answer, and whatever else is known of it."""

    final_response: Text | bool | int | float | list[Any] | dict[str, Any] = Field(
        description="The answer that is graded, not empty. What is no text becomes one; characters past 50,000 are cut."
    )
    run_id: Id | None = Field(None, description="What the run goes by; else `id`, the environment's, the token's jti.")
    id: Id | None = Field(None, description="Stands for `run_id` where that is absent.")
    task_id: Id | None = Field(None, description="The task that was run.")
    check_id: Id | None = Field(None, description="The check that it was part of.")
    agent_id: Id | None = Field(None, description="The agent that ran.")
    scenario: str | None = Field(None, description="The name of the scenario.")
    status: str | None = Field(
        None, description="Open; `failed`, `error`, `timeout`, `timed_out` and `cancelled` mean that the run failed."
    )
    judge_passed: bool | None = Field(None, description="The verdict of the judge.")
    started_at: Time | None = Field(None, description="ISO 8601 with an offset, or an epoch in s, ms, µs or ns.")
    run_token_jti: Id | None = Field(None, description="The id of the run's token; safe to log.")
    task_input: Any = Field(None, description="What the agent was given.")
    error: Any = Field(None, description="The error of the run itself, an object or a text; also `error_json`.")
    error_class: str | None = Field(None, description="The class of that error.")
    messages: list[TranscriptMessage] | None = Field(None, description="The transcript; makes a run rich.")
    metadata: Metadata | None = None
    soft_warnings: list[str] | str | None = Field(None, description="What the platform warned of.")
    proxy_calls: list[LoggedCall] | None = Field(
        None,
        description="The proxy's log; also `calls`, `proxy_log`, `proxy_call_logs`, `tool_call_log`. May be empty.",
    )
    sub_agents: list[SubAgent | str] | None = Field(None, description="The declared actors.")
    declared_actor_ids: list[str] | None = Field(None, description="More declared actors, by label.")
    topology: Topology | None = None
    tools_schema: list[DeclaredTool] | None = Field(None, description="The declared tools.")
    trace_events: list[TraceEvent] | None = Field(None, description="Also `events`.")
    telemetry: list[TelemetryRecord] | None = None
    env: dict[str, Any] | None = Field(None, description="The run's environment; its DYSTOPIC_* ids are read.")


_DOCUMENT: TypeAdapter[Text | RunBody] = TypeAdapter(Annotated[str, Field(min_length=1)] | RunBody)


class _Concise(GenerateJsonSchema):
    """Without the titles that only repeat a key, and without saying of each key that it may be left out as null."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])


def run_body_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a run body that is imported whole."""
    described = _DOCUMENT.json_schema(schema_generator=_Concise)
    return {
        "$schema": DIALECT,
        "title": "Run body",
        "description": "One agent run as JSON: a text, which is its answer, or an object that holds one.",
        **described,
    }
