"""The published schema of a run body: it is what the contract's tables say, and it agrees with the reader."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from jsonschema import Draft202012Validator

from sample_runs.make import samples
from trace_store.contract import normalise
from trace_store.contract.body_schema import run_body_schema
from trace_store.model import JSON

PUBLISHED = Path(__file__).parents[1] / "docs" / "run-body.schema.json"
VALIDATOR = Draft202012Validator(run_body_schema())
BODIES = {story.run_id: story.body for stories in samples().values() for story in stories}
# Declarations of tools that are wrong become findings, not warnings; another format is read by another reader.
NOT_OF_THIS_SCHEMA = {
    "billing-schema-faults",
    "research-responses",
    "research-responses-incomplete",
    "research-responses-refused",
}


def test_the_published_file_is_the_schema() -> None:
    assert PUBLISHED.read_bytes() == orjson.dumps(run_body_schema(), option=orjson.OPT_INDENT_2) + b"\n"


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(run_body_schema())


@pytest.mark.parametrize("run_id", sorted(BODIES.keys() - NOT_OF_THIS_SCHEMA))
def test_what_validates_is_read_without_a_warning_and_what_does_not_with_one(run_id: str) -> None:
    run = normalise(BODIES[run_id])
    set_aside = run.response_error is not None or any(warning.origin == "import" for warning in run.warnings)
    assert VALIDATOR.is_valid(BODIES[run_id]) is not set_aside


@pytest.mark.parametrize(
    "body",
    [
        "",
        {},
        {"final_response": None},
        {"final_response": "a" * 50_001},
        {"final_response": "x", "messages": {}},
        {"final_response": "x", "messages": [{"role": "user", "content": 7}]},
        {"final_response": "x", "messages": [{"role": "assistant", "tool_calls": [{"id": "c1"}]}]},
        {"final_response": "x", "metadata": {"total_input_tokens": True}},
        {"final_response": "x", "metadata": {"agent_runtime_ms": -1}},
        {"final_response": "x", "calls": [{"source": "odyssey"}]},
        {"final_response": "x", "proxy_log": [{"tool_name": "f", "latency_ms": "12"}]},
        {"final_response": "x", "started_at": "2026-04-01T09:00:00"},
        {"final_response": "x", "trace_events": [{"event_type": 3}]},
    ],
)
def test_what_the_reader_sets_aside_does_not_validate(body: JSON) -> None:
    run = normalise(body)
    assert run.response_error is not None or run.warnings
    assert not VALIDATOR.is_valid(body)


@pytest.mark.parametrize(
    "body",
    [
        "done",
        {"final_response": 42},
        {"final_response": "a" * 50_000},
        {"final_response": "a" * 50_000 + "…[truncated]"},
        {"final_response": "x", "messages": None, "calls": [], "anything": {"else": 1}},
        {"final_response": "x", "calls": [{"kind": "table", "intent": "read", "operation": "list"}]},
        {"final_response": "x", "started_at": 1774858804},
    ],
)
def test_what_the_reader_takes_as_it_is_validates(body: JSON) -> None:
    assert normalise(body).warnings == []
    assert VALIDATOR.is_valid(body)
