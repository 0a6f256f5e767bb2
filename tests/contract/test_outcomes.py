"""R18, R19, R22, R23, R26 and R39: what became of a call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.bodies_of import OK, one_call
from trace_store.contract.envelopes import CLASS_OF_CODE, ENVELOPE_CLASSES, RETRYABLE_CODES, STAGES
from trace_store.contract.outcomes import error_text, has_no_answer, probably_timed_out
from trace_store.contract.vocabulary import CALL_CLASSES, STALE_TOKEN_CLASSES

ENVELOPE = {"error_class": "timeout", "error_code": "request_timeout", "stage": "provider", "retryable": True}


@pytest.mark.parametrize(
    ("fields", "error_class"),
    [
        ({"error_class": "a", "error": {"error_class": "b"}}, "a"),
        ({"error_class": "", "error": {"error_class": "b"}}, "b"),
        ({"error": {"detail": {"error_class": "b"}, "error_class": "c"}}, "b"),
        ({"error": {"detail": {"error_class": ""}, "error_class": "c"}}, "c"),
        ({"error": {"detail": "text", "error_class": "c"}}, "c"),
        ({"error": "text", "error_body": {"error_class": "b"}}, "b"),
        ({"error": {}, "body": {"detail": {"error_class": "b"}}, "detail": {"error_class": "c"}}, "b"),
        ({"detail": {"error_class": "b"}}, "b"),
        ({"detail": "lock_contention"}, None),
        ({"error": {"message": "lock_contention"}}, None),
        ({"error": {"error_class": 5}}, None),
        ({"error": ["a"]}, None),
        ({"error": ENVELOPE}, None),
        ({"error": ENVELOPE, "body": {"error_class": "b"}}, "b"),
        ({"error": {"detail": ENVELOPE, "error_class": "b"}}, "b"),
        ({"error": {"detail": ENVELOPE}}, None),
        ({"status_code": 400, "response": {"detail": {"error_class": "b"}}}, "b"),
        ({"status_code": 503, "response": {"error_class": "b"}}, "b"),
        ({"status_code": 503, "response": ENVELOPE}, None),
        ({"status_code": 503, "error": {"error_class": "a"}, "response": {"error_class": "b"}}, "a"),
        ({"status_code": 399, "response": {"error_class": "b"}}, None),
        ({"status_code": 200, "response": {"detail": {"error_class": "b"}}}, None),
        ({"response": {"error_class": "b"}}, None),
    ],
)
def test_the_error_class_is_the_first_that_is_stated(fields: dict[str, Any], error_class: str | None) -> None:
    assert one_call(**fields).error_class == error_class


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"source": "injected"}, "injected_failure"),
        ({"source": "injected", "status_code": 503, "error_class": "lock_contention"}, "injected_failure"),
        ({"source": "error", "status_code": 200}, "failed"),
        ({"source": "transport_error"}, "failed"),
        ({"source": "odyssey", "status_code": 400}, "failed"),
        ({"source": "odyssey", "status_code": 399}, "ok"),
        ({"source": "odyssey", "status_code": 200, "error_class": "x"}, "failed"),
        ({"error": "text"}, "failed"),
        ({"source": "odyssey", "error": {"a": 1}}, "failed"),
        ({"source": "odyssey", "error": ENVELOPE}, "failed"),
        ({"error": ""}, "ok"),
        ({"error": {}}, "ok"),
        ({"error": []}, "ok"),
        ({"error": False}, "ok"),
        ({"status_code": 200, "error": "text"}, "ok"),
        ({"source": "odyssey", "response": {"error": "no stock"}}, "application_error"),
        ({"source": "passthrough", "status_code": 200, "response": {"error": False}}, "application_error"),
        ({"source": "odyssey", "status_code": 200, "response": {"error": ENVELOPE}}, "application_error"),
        ({"source": "odyssey", "status_code": 200, "response": ENVELOPE}, "application_error"),
        ({"source": "odyssey", "status_code": 200, "response": {"error": None}}, "ok"),
        ({"source": "odyssey", "status_code": 200, "response": [{"error": "x"}]}, "ok"),
        ({"source": "odyssey", "status_code": 200, "response": "error"}, "ok"),
        ({"source": "odyssey", "status_code": 204, "response": {"error": "x"}}, "ok"),
        ({"source": None, "status_code": 200, "response": {"error": "x"}}, "ok"),
        ({"source": "cache", "response": {"error": "x"}}, "ok"),
        ({}, "ok"),
    ],
)
def test_the_outcome_is_the_first_that_holds(fields: dict[str, Any], outcome: str) -> None:
    assert one_call(**fields).outcome == outcome


@pytest.mark.parametrize(
    ("fields", "retryable"),
    [
        ({"status_code": 429}, True),
        ({"status_code": 429, "error_class": "other"}, True),
        ({"status_code": 503, "error_class": "lock_contention"}, True),
        ({"status_code": 503, "error_class": "context_store_unavailable"}, True),
        ({"status_code": 503, "error_class": "trace_sequence_contended"}, True),
        ({"status_code": 503, "error_class": "trace_sequence_contended", "lane": "data"}, True),
        ({"status_code": 503, "error_class": "telemetry_sequence_contended"}, False),
        ({"status_code": 503, "error_class": "telemetry_sequence_contended", "lane": "telemetry"}, True),
        ({"status_code": 503, "error_class": "lock_contention", "lane": "telemetry"}, True),
        ({"status_code": 503}, False),
        ({"status_code": 503, "error_class": "other"}, False),
        ({"status_code": 503, "error_class": "routing_gap"}, False),
        ({"status_code": 500, "error_class": "lock_contention"}, False),
        ({"error_class": "lock_contention"}, False),
        ({"status_code": 503, "error_class": "lock_contention", "source": "injected"}, False),
        ({"status_code": 401, "error_class": "run_token_expired"}, False),
        ({"source": "transport_error"}, False),
        (OK, False),
    ],
)
def test_retryable_needs_outcome_status_and_class(fields: dict[str, Any], retryable: bool) -> None:
    assert one_call(**fields).retryable is retryable


@pytest.mark.parametrize(
    ("status", "error_class", "stale"),
    [
        (401, "run_token_expired", True),
        (401, "run_token_invalid", True),
        (401, "run_token_rejected", True),
        (401, "run_token_missing", False),
        (401, None, False),
        (403, "run_token_expired", False),
    ],
)
def test_a_stale_token_is_a_401_with_one_of_three_classes(status: int, error_class: str | None, stale: bool) -> None:
    assert one_call(status_code=status, error_class=error_class).stale_token is stale


@pytest.mark.parametrize(
    ("fields", "unanswered"),
    [
        ({"source": "transport_error"}, True),
        ({"source": "transport_error", "status_code": 502}, True),
        ({"error": "connection reset"}, True),
        ({"error": "e", "error_class": "lock_contention"}, False),
        ({"error": "e", "status_code": 500}, False),
        ({"error": "e", "source": "odyssey"}, False),
        ({}, False),
    ],
)
def test_no_answer(fields: dict[str, Any], unanswered: bool) -> None:
    assert has_no_answer(one_call(**fields)) is unanswered


@pytest.mark.parametrize(
    ("latency_ms", "timed_out"), [(119_000, True), (121_000, True), (118_999, False), (121_001, False), (None, False)]
)
def test_a_call_that_took_the_default_time_out_probably_met_it(latency_ms: float | None, timed_out: bool) -> None:
    assert probably_timed_out(one_call(source="transport_error", latency_ms=latency_ms)) is timed_out
    assert not probably_timed_out(one_call(source="odyssey", latency_ms=latency_ms))


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"error": "boom"}, "boom"),
        ({"error": {"detail": "legacy text"}}, "legacy text"),
        ({"error": {"detail": {"error_class": "a", "message": "m"}}}, "m"),
        ({"error": {"message": "m"}}, "m"),
        ({"error": {"a": 1}, "detail": "d"}, "d"),
        ({"error": " ", "body": {"message": "m"}}, "m"),
        ({"status_code": 500, "response": {"detail": "d"}}, "d"),
        ({"status_code": 200, "response": {"detail": "d"}}, None),
        ({}, None),
    ],
)
def test_the_text_of_an_error_is_there_to_be_read(fields: dict[str, Any], text: str | None) -> None:
    assert error_text(one_call(**fields)) == text


@pytest.mark.parametrize(
    ("fields", "envelope"),
    [
        ({"error": ENVELOPE}, ENVELOPE),
        ({"response": ENVELOPE}, ENVELOPE),
        ({"response": {"error": ENVELOPE}}, ENVELOPE),
        ({"error": ENVELOPE, "response": ENVELOPE | {"stage": 5}}, ENVELOPE),
        ({"error": {"error_class": "a"}, "body": ENVELOPE}, None),
    ],
)
def test_a_call_has_its_envelope_at_hand(fields: dict[str, Any], envelope: Any) -> None:
    assert one_call(**fields).envelope == envelope


def test_the_known_classes_of_calls() -> None:
    assert len(CALL_CLASSES) == 12
    assert {"run_token_expired", "run_token_invalid", "run_token_rejected"} == STALE_TOKEN_CLASSES
    assert {name: known.status for name, known in CALL_CLASSES.items() if known.retryable} == {
        "lock_contention": "503",
        "context_store_unavailable": "503",
        "trace_sequence_contended": "503",
        "telemetry_sequence_contended": "503",
    }


def test_each_code_of_an_envelope_belongs_to_one_class() -> None:
    assert sum(len(known.codes) for known in ENVELOPE_CLASSES.values()) == len(CLASS_OF_CODE) == 20
    assert CLASS_OF_CODE.keys() >= RETRYABLE_CODES
    assert all("tool_call" in known.stages for known in ENVELOPE_CLASSES.values())
    assert ENVELOPE_CLASSES["internal"].stages == set(STAGES)
