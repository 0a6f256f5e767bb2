"""Failures as envelopes: which calls have one, and that no text of a run gets into it (R40)."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_store.contract import normalise
from trace_store.contract.envelopes import FIELDS, SCHEMA_VERSION
from trace_store.evidence.envelopes import violations
from trace_store.exports.documents import write_envelopes
from trace_store.importing.files import import_stream
from trace_store.store import Store
from trace_store.store.lists.documents import RunRecord

SENTINEL = "Jane Doe, MRN 0042, /home/jane: 'say hello'"
STATUSES = (None, 200, 400, 401, 403, 404, 410, 422, 429, 500, 503)
SOURCES = (None, "odyssey", "injected", "error", "passthrough", "transport_error", SENTINEL)


def stored(body: dict[str, Any]) -> RunRecord:
    run = normalise(body).run
    return RunRecord(run.run_id, 1, None, None, None, raw=b"", document=run.to_json())


def exported(*bodies: dict[str, Any]) -> list[dict[str, Any]]:
    out = io.BytesIO()
    count = write_envelopes(map(stored, bodies), out)
    lines = out.getvalue().splitlines()
    assert count == len(lines)
    return [json.loads(line) for line in lines]


def call(**fields: Any) -> dict[str, Any]:
    return {"tool_name": "f", "arguments": {}, "source": "odyssey", "status_code": 200, "response": {}, **fields}


def nasty_call(status: int | None, source: str | None) -> dict[str, Any]:
    """A call with the sentinel in every field that can hold a text, and in fields and keys that nobody knows."""
    error = {"detail": {"error_class": SENTINEL, "message": SENTINEL}, "error_type": SENTINEL, SENTINEL: SENTINEL}
    return {
        "tool_name": SENTINEL,
        "arguments": {SENTINEL: SENTINEL},
        "source": source,
        "response": {"error": SENTINEL, SENTINEL: [SENTINEL]},
        "latency_ms": 5.0,
        "matched_rule_index": 0,
        "validation": {SENTINEL: SENTINEL},
        "status_code": status,
        "error": error,
        "error_class": SENTINEL,
        "error_body": error,
        "body": SENTINEL,
        "detail": SENTINEL,
        "error_type": SENTINEL,
        "timed_out": SENTINEL,
        "actor_id": SENTINEL,
        "started_at": SENTINEL,
        "idempotency_key": SENTINEL,
        "attempt": SENTINEL,
        "headers": {"X-Pipelines-Actor-Id": SENTINEL},
        SENTINEL: SENTINEL,
    }


def nasty_body() -> dict[str, Any]:
    return {
        "run_id": SENTINEL,
        "task_id": SENTINEL,
        "agent_id": SENTINEL,
        "status": SENTINEL,
        "final_response": SENTINEL,
        "error": {"error_class": SENTINEL, "message": SENTINEL},
        "metadata": {"model": SENTINEL, SENTINEL: SENTINEL},
        "messages": [
            {"role": "user", "content": SENTINEL},
            {"role": "assistant", "tool_calls": [{"id": SENTINEL, "name": SENTINEL, "arguments": SENTINEL}]},
            {"role": "tool", "tool_call_id": SENTINEL, "content": SENTINEL},
        ],
        "tools_schema": [{"name": SENTINEL, "input_schema": {"type": SENTINEL}}],
        "sub_agents": [SENTINEL],
        "proxy_calls": [nasty_call(status, source) for status in STATUSES for source in SOURCES],
        SENTINEL: SENTINEL,
    }


def test_each_failed_or_injected_call_is_a_line_in_the_order_of_runs_and_logs() -> None:
    first = {
        "run_id": "run_1",
        "final_response": "x",
        "proxy_calls": [
            call(),
            call(source="error", status_code=429),
            call(response={"error": "no stock"}),
            call(source="injected", matched_rule_index=0),
        ],
    }
    second = {"run_id": "run 2", "final_response": "x", "proxy_calls": [call(source="transport_error", timed_out=True)]}
    clean = {"run_id": "run_3", "final_response": "x", "proxy_calls": [call()]}
    stage: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "stage": "tool_call"}
    assert exported(first, clean, second) == [
        stage
        | {"error_class": "resource", "error_code": "resource_exhausted", "retryable": True}
        | {"run_id": "run_1", "action_id": "call-1"},
        stage
        | {"error_class": "provider", "error_code": "provider_failed", "retryable": False}
        | {"run_id": "run_1", "action_id": "call-3"},
        stage
        | {"error_class": "timeout", "error_code": "request_timeout", "retryable": True}
        | {"run_id": None, "action_id": "call-0"},
    ]


def test_an_envelope_has_the_seven_fields_in_order_and_breaks_no_rule() -> None:
    envelopes = exported(nasty_body())
    assert len(envelopes) > 60
    for envelope in envelopes:
        assert tuple(envelope) == FIELDS
        assert list(violations(envelope)) == []


def test_no_text_of_a_run_gets_through_from_the_file_to_the_line(tmp_path: Path) -> None:
    out = io.BytesIO()
    with Store.open(f"sqlite:///{tmp_path / 'traces.db'}") as store:
        report = import_stream(store, f"{SENTINEL}.jsonl", io.BytesIO(json.dumps(nasty_body()).encode()))
        assert report.imported == 1
        assert write_envelopes(store.each(), out) > 60
    text = out.getvalue().decode()
    for word in ("Jane", "Doe", "MRN", "0042", "home", "hello"):
        assert word not in text


@pytest.mark.parametrize("field", ["run_id", "action_id"])
def test_the_only_open_fields_are_identifiers(field: str) -> None:
    for envelope in exported(nasty_body(), {**nasty_body(), "run_id": "run_81"}):
        assert envelope[field] in (None, "run_81") or envelope[field].startswith("call-")


WORDS = st.text(alphabet="☃é", min_size=1)  # characters that no word of the vocabulary has
VALUES = st.recursive(
    WORDS | st.none() | st.booleans() | st.integers(-9, 999),
    lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner),
)
FIELDS_OF_A_CALL = (
    "tool_name", "arguments", "source", "response", "validation", "error", "error_class", "error_body", "body",
    "detail", "actor_id", "started_at", "idempotency_key", "lane", "timed_out", "error_type", "operation",
)  # fmt: skip


@given(
    st.text(alphabet="☃é"),
    st.lists(
        st.builds(
            lambda fields, status, source: {**fields, "status_code": status, "source": source},
            st.dictionaries(st.sampled_from(FIELDS_OF_A_CALL) | WORDS, VALUES),
            st.sampled_from(STATUSES),
            st.sampled_from(SOURCES[:-1]) | WORDS,
        ),
        max_size=4,
    ),
)
def test_whatever_a_call_holds_its_envelope_is_plain(run_id: str, calls: list[dict[str, Any]]) -> None:
    out = io.BytesIO()
    write_envelopes([stored({"run_id": run_id, "final_response": "x", "proxy_calls": calls})], out)
    assert not any(word in out.getvalue().decode() for word in ("☃", "é", "\\u2603", "\\u00e9"))
