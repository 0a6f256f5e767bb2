"""The JSON Schema of a run body, made from the contract's own tables. It is published in `docs/`.

It describes a body of which nothing has to be set aside: what validates is read without an import warning. What does
not validate is read all the same (R3, R7-R13), and the warnings say why.
"""

from __future__ import annotations

from collections.abc import Collection

from trace_store.contract.bodies import CUT_MARKER, MAX_RESPONSE
from trace_store.contract.calls import DATA_KEYS, LANES, LOG_KEYS, STARTED_KEYS, STATUS_ALIASES, TOOL_NAME_KEYS
from trace_store.contract.classes import CALL_CLASSES, RUN_CLASSES, SOURCES
from trace_store.contract.events import TELEMETRY_KEY, TELEMETRY_KINDS, TRACE_EVENT_TYPES, TRACE_KEYS
from trace_store.contract.identity import CONTEXT_VARIABLES, ENVIRONMENT_KEYS
from trace_store.contract.messages import ROLES
from trace_store.contract.tools import MODES, TOOL_NAME, TOOLS_KEY
from trace_store.model import JSON

Schema = dict[str, JSON]

_OFFSET_TIME = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$"

_COUNT: Schema = {"type": ["integer", "null"], "minimum": 0}
_DURATION: Schema = {"type": ["number", "null"], "minimum": 0}
_TEXT: Schema = {"type": ["string", "null"]}
_FLAG: Schema = {"type": ["boolean", "null"]}
_ID: Schema = {"type": ["string", "number", "null"]}
_TIME: Schema = {"description": "ISO 8601 with an offset, or the epoch in s, ms, µs or ns (R31).",
                 "anyOf": [{"type": "string", "pattern": _OFFSET_TIME}, {"type": ["number", "null"]}]}  # fmt: skip
_TEXTS: Schema = {"type": ["array", "null"], "items": {"type": "string"}}
_OBJECT: Schema = {"type": ["object", "null"]}


def _object(properties: Schema, *required: str, **more: JSON) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    return schema | ({"required": list(required)} if required else {}) | more


def _array(items: Schema, description: str) -> Schema:
    return {"type": ["array", "null"], "items": items, "description": description}


def _open(known: Collection[str], description: str) -> Schema:
    """A text of which some values are known; others are kept under their own name."""
    return _TEXT | {"examples": sorted(known), "description": description}


_ANSWER: Schema = {
    "description": "The final answer, the only required field. Anything that is no string becomes its text (R1-R4).",
    "anyOf": [
        {"type": "string", "minLength": 1, "maxLength": MAX_RESPONSE},
        {"type": "string", "maxLength": MAX_RESPONSE + len(CUT_MARKER), "pattern": "…\\[truncated\\]$"},
        {"type": ["number", "boolean", "object", "array"]},
    ],
}

_TOOL_CALL = {
    "description": "Flat, or nested as chat completions have it (R11).",
    "anyOf": [
        _object({"id": _TEXT, "name": {"type": "string", "minLength": 1}, "arguments": {}}, "name"),
        _object({"id": _TEXT, "function": _object({"name": {"type": "string", "minLength": 1}}, "name")}, "function"),
    ],
}

_MESSAGE = _object(
    {
        "role": {"enum": list(ROLES)},
        "content": {"type": ["string", "array", "null"]},
        "tool_call_id": _TEXT,
        "tool_calls": {"type": ["array", "null"], "items": _TOOL_CALL},
        "thinking": {"type": ["array", "null"], "items": {"type": "object"}},
    },
    "role",
)

_METADATA = _OBJECT | {
    "description": "Five known keys, the rest opaque (R13).",
    "properties": {
        "model": _TEXT,
        "system_prompt_id": _TEXT,
        "total_input_tokens": _COUNT,
        "total_output_tokens": _COUNT,
        "agent_runtime_ms": _DURATION,
    },
}

_CALL = _object(
    {
        **dict.fromkeys(TOOL_NAME_KEYS, _TEXT),
        "arguments": {"description": "An object, or a string that holds one."},
        "response": {},
        "source": _open(SOURCES, "Where the payload came from (R17); absent in legacy logs."),
        "latency_ms": _DURATION,
        "matched_rule_index": {"type": ["integer", "null"], "description": "Of the failure rule that fired; 0 is one."},
        "validation": {},
        "status_code": {"type": ["integer", "null"]},
        **{name: {} for name in STATUS_ALIASES},
        "error": {},
        "error_class": _open(CALL_CLASSES, "Of the call; classes of the run layer are another vocabulary (R22)."),
        "actor_id": _TEXT | {"description": "A call path of sub-agents, like supervisor/refund_agent (R28)."},
        **dict.fromkeys(STARTED_KEYS, _TIME),
        "attempt": _COUNT,
        "idempotency_key": _ID,
        "lane": {"enum": [*LANES, None]},
    },
    anyOf=[
        *({"required": [name], "properties": {name: {"type": "string", "minLength": 1}}} for name in TOOL_NAME_KEYS),
        {"required": ["lane"], "properties": {"lane": {"enum": ["data", "telemetry"]}}},
        {"required": list(DATA_KEYS), "not": {"required": ["lane"]}},
    ],
)

_ACTOR = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        _object({"actor_id": {"type": "string", "minLength": 1}, "tools": _TEXTS, "talks_to": _TEXTS}, "actor_id"),
    ]
}

_TOOL = _object(
    {
        "name": {"type": "string", "pattern": f"^{TOOL_NAME.pattern}$"},
        "description": _TEXT,
        "input_schema": {"type": "object"},
        "output_schema": _OBJECT,
        "default_execution_mode": {"enum": [*MODES, None]},
        "passthrough_binding": {},
        "requires_human_approval": _FLAG,
    },
    "name",
    "input_schema",
)

_TRACE_EVENT = _object(
    {
        "event_type": _open(TRACE_EVENT_TYPES, "These types are reserved."),
        "payload": {},
        "sequence": {"type": ["integer", "null"]},
        "__occurred_at": _TIME,
    }
)

_TELEMETRY = _object(
    {
        "kind": _open(TELEMETRY_KINDS, "These kinds are reserved."),
        "payload": {},
        "step_ref": _ID,
        "actor_id": _TEXT,
        "occurred_at": _TIME,
    }
)


def run_body_schema() -> Schema:
    """The schema, as a JSON value."""
    shared = {
        "log": _array(_CALL, "The proxy log, in its order (R16). Of its keys, proxy_calls is canonical."),
        "trace_events": _array(_TRACE_EVENT, "Trace events (R31)."),
    }
    log, trace = ({"$ref": f"#/$defs/{name}"} for name in shared)
    properties = {
        "final_response": _ANSWER,
        "run_id": _ID,
        "id": _ID,
        "task_id": _ID,
        "check_id": _ID,
        "agent_id": _ID,
        "scenario": _TEXT,
        "status": _TEXT,
        "judge_passed": _FLAG,
        "started_at": _TIME,
        "run_token_jti": _ID | {"description": "The id of the token that is safe to log."},
        "task_input": {},
        "error": {"description": "What ended the run: text, an object with an error_class, or an error envelope."},
        "error_json": {},
        "error_class": _open(RUN_CLASSES, "Of the run (R22)."),
        "messages": _array(_MESSAGE, "The transcript; a run with one is rich, without one thin (R5, R7-R12)."),
        "metadata": _METADATA,
        **dict.fromkeys(LOG_KEYS, log),
        "sub_agents": _array(_ACTOR, "The declared actors (R29)."),
        "declared_actor_ids": _TEXTS,
        "topology": _OBJECT | {"properties": {"entry": _TEXT}},
        TOOLS_KEY: _array(_TOOL, "The declared tools (R33)."),
        **dict.fromkeys(TRACE_KEYS, trace),
        TELEMETRY_KEY: _array(_TELEMETRY, "Telemetry records (R31)."),
        "soft_warnings": {"type": ["array", "string", "null"], "items": {"type": "string"}},
        **{key: _OBJECT | {"properties": dict.fromkeys(CONTEXT_VARIABLES.values(), _ID)} for key in ENVIRONMENT_KEYS},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Run body",
        "description": "One agent run. A body that validates is read without an import warning; any other is read too, "
        "with warnings. Keys that are not named here are kept.",
        "anyOf": [_object(properties, "final_response"), {"type": "string", "minLength": 1}],
        "$defs": shared,
    }
