"""The published JSON Schema of a run body: it is the file in `docs`, and it agrees with the import."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.contract.bodies_of import warned_paths
from tests.contract.matching import Case, read_cases
from trace_store.contract import normalise
from trace_store.contract.run_body_schema import run_body_schema

PUBLISHED = Path(__file__).resolve().parents[2] / "docs" / "run-body.schema.json"
CASES = [case for chapter in ("bodies", "messages", "calls", "retries", "actors") for case in read_cases(chapter)]
VALIDATOR = jsonschema.Draft202012Validator(run_body_schema())


def is_imported_whole(case: Case) -> bool:
    """Whether nothing is missing, dropped or nulled, and the arguments are objects or texts."""
    run = normalise(case.document).run
    messages = run.messages or []
    arguments = [call.arguments for call in run.calls]
    arguments += [call.arguments for message in messages for call in message.tool_calls or []]
    return (
        run.response_error is None
        and set(warned_paths(run)) <= {"final_response"}  # a cut answer was whole when it was written
        and all(entry is None or isinstance(entry, dict | str) for entry in arguments)
    )


def test_the_published_file_is_the_schema() -> None:
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == run_body_schema(), (
        "write it anew: trace-store schema > docs/run-body.schema.json"
    )


def test_the_schema_is_one_and_says_what_it_is() -> None:
    schema = run_body_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"] == "Run body"
    assert schema["$defs"]["RunBody"]["required"] == ["final_response"]


@pytest.mark.parametrize("case", [case for case in CASES if is_imported_whole(case)], ids=str)
def test_what_is_imported_whole_is_valid(case: Case) -> None:
    VALIDATOR.validate(case.document)


@pytest.mark.parametrize("case", [case for case in CASES if not is_imported_whole(case)], ids=str)
def test_what_is_not_imported_whole_is_invalid(case: Case) -> None:
    assert not VALIDATOR.is_valid(case.document)


@pytest.mark.parametrize(
    "body",
    [
        "",
        5,
        [],
        {},
        {"final_response": ""},
        {"final_response": None},
        {"final_response": "x", "messages": [{"role": "developer"}]},
        {"final_response": "x", "messages": [{"role": "user", "content": {"type": "text"}}]},
        {"final_response": "x", "messages": [{"role": "assistant", "tool_calls": [{"id": "c"}]}]},
        {"final_response": "x", "metadata": {"total_input_tokens": True}},
        {"final_response": "x", "proxy_calls": [{"source": "odyssey"}]},
        {"final_response": "x", "proxy_calls": [{"tool_name": "f", "latency_ms": -1}]},
        {"final_response": "x", "judge_passed": 1},
        {"final_response": "x", "started_at": "2026-04-01T00:00:00"},
        {"final_response": "x", "tools_schema": [{"name": "9", "input_schema": {}}]},
    ],
)
def test_wrong_bodies_are_invalid(body: Any) -> None:
    assert not VALIDATOR.is_valid(body)


@pytest.mark.parametrize(
    "body",
    [
        "Done.",
        {"final_response": 42},
        {"final_response": "x", "anything": {"else": 1}, "messages": None, "run_id": 0},
        {
            "final_response": "x",
            "messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f"}}], "more": 1}],
        },
        {
            "final_response": "x",
            "started_at": "2026-04-01T00:00:00.5+02:00",
            "trace_events": [{"event_type": "x", "__occurred_at": 5}],
        },
        {"final_response": "x", "proxy_calls": [{"lane": "telemetry"}, {"kind": 1, "intent": 2, "operation": 3}]},
        {
            "final_response": "x",
            "sub_agents": ["a", {"actor_id": "b", "talks_to": ["a"]}],
            "trace_events": [{"event_type": "x"}],
        },
    ],
)
def test_right_bodies_are_valid(body: Any) -> None:
    VALIDATOR.validate(body)
