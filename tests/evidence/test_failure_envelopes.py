"""Broken envelopes (R39), and failed calls written as envelopes (R40)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.runs_of import examined, failed, findings_of, injected, kinds, ok, paths, run_of
from trace_store.contract import normalise
from trace_store.contract.envelopes import CLASS_OF_CODE, ENVELOPE_CLASSES, FIELDS, RETRYABLE_CODES, STAGES
from trace_store.evidence import as_envelope
from trace_store.evidence.envelopes import violations

VALID: dict[str, Any] = {
    "schema_version": "openmed.agent.error.v1",
    "error_class": "timeout",
    "error_code": "request_timeout",
    "stage": "provider",
    "retryable": True,
    "run_id": "r1",
    "action_id": None,
}


def broken(**changes: Any) -> list[tuple[str, str]]:
    return [(violation.name, violation.field) for violation in violations({**VALID, **changes})]


def envelope_of(call: dict[str, Any], run_id: str | None = "r1") -> dict[str, Any] | None:
    return as_envelope(normalise(run_of(call)).run.calls[0], run_id)


class TestViolations:
    def test_a_valid_one_breaks_nothing(self) -> None:
        assert broken() == []

    @pytest.mark.parametrize(
        ("changes", "violation"),
        [
            ({"error_class": "network"}, ("unknown_error_class", "error_class")),
            ({"error_class": None}, ("unknown_error_class", "error_class")),
            ({"error_class": ["timeout"]}, ("unknown_error_class", "error_class")),
            ({"error_code": "boom", "retryable": False}, ("unknown_error_code", "error_code")),
            ({"error_code": {}}, ("unknown_error_code", "error_code")),
            ({"error_code": "policy_denied", "retryable": False}, ("unknown_error_code", "error_code")),
            ({"stage": "cleanup"}, ("unknown_stage", "stage")),
            ({"stage": 5}, ("unknown_stage", "stage")),
            ({"stage": "planning"}, ("invalid_stage_for_class", "stage")),
            ({"retryable": False}, ("retryable_mismatch", "retryable")),
            ({"retryable": "true"}, ("retryable_mismatch", "retryable")),
            ({"retryable": 1}, ("retryable_mismatch", "retryable")),
            ({"schema_version": "openmed.agent.error.v2"}, ("invalid_schema_version", "schema_version")),
            ({"schema_version": None}, ("invalid_schema_version", "schema_version")),
            ({"run_id": "patient Jane Doe"}, ("invalid_identifier", "run_id")),
            ({"run_id": ""}, ("invalid_identifier", "run_id")),
            ({"run_id": 5}, ("invalid_identifier", "run_id")),
            ({"action_id": "a" * 129}, ("invalid_identifier", "action_id")),
            ({"action_id": "a\n"}, ("invalid_identifier", "action_id")),
            ({"message": "m"}, ("unexpected_field", "message")),
        ],
    )
    def test_each_rule(self, changes: dict[str, Any], violation: tuple[str, str]) -> None:
        assert broken(**changes) == [violation]

    @pytest.mark.parametrize("field", ["schema_version", "run_id", "action_id"])
    def test_a_missing_field(self, field: str) -> None:
        envelope = {key: value for key, value in VALID.items() if key != field}
        assert [(v.name, v.field) for v in violations(envelope)] == [("missing_field", field)]

    @pytest.mark.parametrize("identifier", [None, "a", "a" * 128, "A.b_c:d-9"])
    def test_good_identifiers(self, identifier: str | None) -> None:
        assert broken(run_id=identifier, action_id=identifier) == []

    @pytest.mark.parametrize("code", sorted(CLASS_OF_CODE))
    @pytest.mark.parametrize("stage", STAGES)
    def test_every_code_at_every_stage(self, code: str, stage: str) -> None:
        error_class = CLASS_OF_CODE[code]
        envelope = broken(error_class=error_class, error_code=code, stage=stage, retryable=code in RETRYABLE_CODES)
        allowed = stage in ENVELOPE_CLASSES[error_class].stages
        assert envelope == ([] if allowed else [("invalid_stage_for_class", "stage")])

    def test_several_at_once(self) -> None:
        assert len(broken(error_class="x", error_code="y", stage="z", retryable=None, run_id=" ", extra=1)) == 6


BAD = {**VALID, "stage": "cleanup"}


class TestWhereEnvelopesStand:
    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"final_response": "x", "error": BAD}, "error.stage"),
            (run_of(ok(error=BAD)), "calls[0].error.stage"),
            (run_of(ok(response=BAD)), "calls[0].response.stage"),
            (run_of(ok(response={"error": BAD})), "calls[0].response.error.stage"),
        ],
    )
    def test_each_place(self, body: dict[str, Any], path: str) -> None:
        run = examined(body)
        assert paths(run, "envelope_invalid") == [path]
        assert "unknown_stage" in findings_of(run, "envelope_invalid")[0].message

    @pytest.mark.parametrize("missing", ["error_class", "error_code", "stage", "retryable"])
    def test_without_one_of_the_four_marks_it_is_none(self, missing: str) -> None:
        almost = {key: value for key, value in BAD.items() if key != missing}
        assert "envelope_invalid" not in kinds(examined({"final_response": "x", "error": almost}))

    def test_an_identifier_is_not_repeated_in_the_finding(self) -> None:
        run = examined({"final_response": "x", "error": {**VALID, "run_id": "patient Jane Doe"}})
        assert "Jane" not in findings_of(run, "envelope_invalid")[0].message


class TestAsEnvelope:
    @pytest.mark.parametrize(
        ("call", "code"),
        [
            (failed(429), "resource_exhausted"),
            (failed(503, "lock_contention"), "resource_exhausted"),
            ({"tool_name": "f", "error_class": "lock_contention"}, "resource_exhausted"),
            (failed(503, "context_store_unavailable"), "provider_unavailable"),
            (failed(503, "trace_sequence_contended"), "provider_unavailable"),
            (failed(503, "telemetry_sequence_contended", lane="telemetry"), "provider_unavailable"),
            (failed(503, "telemetry_sequence_contended"), "internal_error"),
            (failed(503), "internal_error"),
            (failed(401, "run_token_missing"), "capability_missing"),
            (failed(401, "run_token_expired"), "capability_expired"),
            (failed(401, "run_token_invalid"), "audience_mismatch"),
            (failed(401), "audience_mismatch"),
            (failed(403), "policy_denied"),
            (failed(400), "schema_violation"),
            (failed(422), "schema_violation"),
            (failed(404, "run_not_registered"), "invalid_configuration"),
            ({"tool_name": "f", "source": "transport_error"}, "provider_unavailable"),
            ({"tool_name": "f", "error": "reset"}, "provider_unavailable"),
            ({"tool_name": "f", "error": "reset", "timed_out": True}, "request_timeout"),
            ({"tool_name": "f", "source": "transport_error", "error_type": "timeout"}, "request_timeout"),
            ({"tool_name": "f", "error": {"error_type": "timeout"}}, "request_timeout"),
            ({"tool_name": "f", "error": "timed out", "timed_out": "yes"}, "provider_unavailable"),
            (injected(), "provider_failed"),
            (injected(status_code=None), "provider_failed"),
            (failed(200), "provider_failed"),
            (failed(None), "provider_failed"),
            (failed(502, response="<html>bad gateway</html>"), "provider_protocol_error"),
            (failed(502, body="<html>"), "provider_protocol_error"),
            (failed(500, response='"json"'), "internal_error"),
            (failed(500), "internal_error"),
        ],
    )
    def test_codes(self, call: dict[str, Any], code: str) -> None:
        envelope = envelope_of(call)
        assert envelope is not None
        assert envelope["error_code"] == code
        assert list(violations(envelope)) == []

    def test_the_whole_of_one(self) -> None:
        assert as_envelope(normalise(run_of(ok(), failed(429))).run.calls[1], "run:1") == {
            "schema_version": "openmed.agent.error.v1",
            "error_class": "resource",
            "error_code": "resource_exhausted",
            "stage": "tool_call",
            "retryable": True,
            "run_id": "run:1",
            "action_id": "call-1",
        }

    @pytest.mark.parametrize("call", [ok(), ok(response={"error": "no"})])
    def test_a_call_that_did_not_fail_has_none(self, call: dict[str, Any]) -> None:
        assert envelope_of(call) is None

    @pytest.mark.parametrize("run_id", [None, "", "two words", "é", "a" * 129, "a\n"])
    def test_a_run_id_that_is_no_identifier_is_null(self, run_id: str | None) -> None:
        envelope = envelope_of(failed(), run_id)
        assert envelope is not None and envelope["run_id"] is None

    @given(st.text(min_size=3), st.sampled_from([None, 200, 401, 429, 500, 503, 600]))
    def test_no_free_text_gets_through(self, text: str, status: int | None) -> None:
        secret = f"§{text}§"
        places = ("error_class", "error", "response", "arguments", "body", "detail", "error_type", "actor_id", "source")
        call = {"tool_name": secret, "status_code": status, **dict.fromkeys(places, secret), "extra": secret}
        run = normalise(
            {"final_response": secret, "run_id": secret, "proxy_calls": [call, {**call, "source": "error"}]}
        ).run
        for entry in run.calls:
            envelope = as_envelope(entry, run.run_id)
            assert envelope is None or "§" not in json.dumps(envelope, ensure_ascii=False)
            assert envelope is None or tuple(envelope) == FIELDS
