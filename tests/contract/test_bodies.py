"""R1-R6, R13, R14, R22 and R41: what an answer is, where it is cut, and what a body says of its run."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.bodies_of import exported, import_warning, warned_paths
from trace_store.contract import normalise
from trace_store.contract.bodies import CUT_MARKER, MAX_RESPONSE, is_typed_output

ENVELOPE = {"error_class": "timeout", "error_code": "request_timeout", "stage": "provider", "retryable": True}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (42, "42"),
        (0, "0"),
        (1.5, "1.5"),
        (True, "True"),
        (False, "False"),
        ([], "[]"),
        ({}, "{}"),
        ([None, "a"], "[None, 'a']"),
        ({"a": {"b": 1.0}}, "{'a': {'b': 1.0}}"),
    ],
)
def test_what_is_no_text_becomes_the_text_that_python_writes(value: Any, text: str) -> None:
    run = normalise({"final_response": value}).run
    assert (run.final_response, run.response_error, run.final_response_cut) == (text, None, 0)


@pytest.mark.parametrize("body", [{}, {"final_response": None}, {"final_response": ""}, "", {"output": ""}])
def test_no_answer_is_a_failed_run(body: Any) -> None:
    run = normalise(body).run
    assert (run.final_response, run.response_error, run.failed) == (None, "ResponseShapeError", True)
    assert run.final_response_cut == 0


def test_a_null_final_response_ends_the_search() -> None:
    run = normalise({"final_response": None, "output": "x"}).run
    assert run.final_response is None
    assert run.extra == {"output": "x"}
    assert warned_paths(run) == []


def test_probing_passes_over_nulls() -> None:
    run = normalise({"final_output": None, "output": None, "message": "third"}).run
    assert run.final_response == "third"
    assert warned_paths(run) == ["message"]
    assert "message" not in run.extra


def test_probing_stops_at_an_empty_text() -> None:
    run = normalise({"final_output": "", "message": "third"}).run
    assert run.response_error == "ResponseShapeError"
    assert warned_paths(run) == ["final_output"]


def test_a_probed_value_is_coerced_too() -> None:
    assert normalise({"output": {"a": 1}}).run.final_response == "{'a': 1}"


def test_a_typed_output_is_no_answer() -> None:
    run = normalise({"output": [{"type": "message"}], "message": "m"}).run
    assert run.final_response == "m"
    assert run.extra == {"output": [{"type": "message"}]}


@pytest.mark.parametrize(
    ("output", "typed"),
    [([{"type": "a"}, {"type": "b"}], True), ([], False), ([{"type": 1}], False), ([{"type": "a"}, "b"], False)],
)
def test_a_typed_output_has_typed_objects_only(output: Any, typed: bool) -> None:
    assert is_typed_output(output) is typed


def test_an_answer_of_just_the_cap_is_not_cut() -> None:
    run = normalise("é" * MAX_RESPONSE).run
    assert (run.final_response_cut, len(run.final_response or "")) == (0, MAX_RESPONSE)


def test_a_cut_answer_counts_characters_and_warns() -> None:
    run = normalise("é" * MAX_RESPONSE + "abc").run
    assert run.final_response == "é" * MAX_RESPONSE + CUT_MARKER
    assert run.final_response_cut == 3
    assert warned_paths(run) == ["final_response"]


@pytest.mark.parametrize("length", [0, 3, MAX_RESPONSE])
def test_an_answer_that_the_platform_cut_is_shown_as_it_is(length: int) -> None:
    run = normalise("a" * length + CUT_MARKER).run
    assert run.final_response == "a" * length + CUT_MARKER
    assert run.final_response_cut is None
    assert warned_paths(run) == []


def test_a_marker_after_too_many_characters_is_cut_with_the_rest() -> None:
    run = normalise("a" * (MAX_RESPONSE + 1) + CUT_MARKER).run
    assert run.final_response == "a" * MAX_RESPONSE + CUT_MARKER
    assert run.final_response_cut == 1 + len(CUT_MARKER)


def test_a_coerced_answer_is_cut_too() -> None:
    run = normalise({"final_response": ["a" * MAX_RESPONSE]}).run
    assert run.final_response_cut == 4


@pytest.mark.parametrize("status", ["failed", "error", "timeout", "timed_out", "cancelled"])
def test_a_failed_status_fails_the_run(status: str) -> None:
    assert normalise({"final_response": "x", "status": status}).run.failed


@pytest.mark.parametrize(
    "body", [{"status": "completed"}, {"judge_passed": False}, {"error": "text"}, {"error": ENVELOPE}]
)
def test_what_does_not_fail_a_run(body: dict[str, Any]) -> None:
    assert not normalise({"final_response": "x", **body}).run.failed


@pytest.mark.parametrize(
    "body",
    [
        {"error_class": "agent_timeout"},
        {"error": {"error_class": "agent_timeout"}},
        {"error": {"detail": {"error_class": "agent_timeout"}}},
        {"error_json": {"error_class": "agent_timeout"}},
        {"error_json": '{"error_class": "agent_timeout"}'},
        {"error_class": "agent_timeout", "error": {"error_class": "other"}},
        {"error_class": "", "error": "text", "error_json": {"error_class": "agent_timeout"}},
    ],
)
def test_the_run_class_stands_on_the_body_or_in_its_error(body: dict[str, Any]) -> None:
    run = normalise({"final_response": "x", **body}).run
    assert run.error_class == "agent_timeout"
    assert run.failed
    assert run.calls == []


def test_the_class_of_an_envelope_is_not_the_class_of_the_run() -> None:
    run = normalise({"final_response": "x", "error": ENVELOPE}).run
    assert run.error_class is None
    assert run.error == ENVELOPE


def test_error_json_stands_in_for_an_absent_error_only() -> None:
    assert normalise({"final_response": "x", "error_json": {"a": 1}}).run.error == {"a": 1}
    both = normalise({"final_response": "x", "error": "boom", "error_json": {"a": 1}}).run
    assert (both.error, both.extra) == ("boom", {"error_json": {"a": 1}})


def test_ids_that_are_numbers_become_text() -> None:
    run = normalise({"final_response": "x", "run_id": 0, "task_id": 7, "check_id": 8.0, "agent_id": 1.5}).run
    assert (run.run_id, run.task_id, run.check_id, run.agent_id) == ("0", "7", "8", "1.5")


def test_context_ids_are_read_from_the_environment_where_the_body_is_silent() -> None:
    env = {"DYSTOPIC_RUN_ID": "r", "DYSTOPIC_TASK_ID": "t", "DYSTOPIC_AGENT_ID": "a", "DYSTOPIC_RUN_TOKEN_JTI": "j"}
    run = normalise({"final_response": "x", "env": env, "task_id": "own"}).run
    assert (run.run_id, run.task_id, run.agent_id, run.run_token_jti) == ("r", "own", "a", "j")
    assert run.extra["env"] == env


def test_the_facts_of_a_body_are_no_extras() -> None:
    facts = {
        "scenario": "s",
        "status": "done",
        "judge_passed": True,
        "task_input": {"a": 1},
        "started_at": "2026-04-01T00:00:00Z",
    }
    run = normalise({"final_response": "x", **facts}).run
    assert {name: getattr(run, name) for name in facts} == facts
    assert run.extra == {}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("run_id", ["r"]),
        ("task_id", True),
        ("scenario", 5),
        ("status", 500),
        ("judge_passed", 1),
        ("started_at", "yesterday"),
        ("error_class", 5),
        ("messages", "hi"),
        ("metadata", ["m"]),
        ("soft_warnings", 5),
        ("sub_agents", {"a": 1}),
        ("declared_actor_ids", "a"),
        ("tools_schema", {}),
        ("topology", []),
        ("trace_events", 5),
        ("telemetry", "t"),
    ],
)
def test_a_known_key_of_the_wrong_type_warns_and_is_kept(key: str, value: Any) -> None:
    run = normalise({"final_response": "x", key: value}).run
    assert warned_paths(run) == [key]
    assert run.extra == {key: value}


def test_unknown_keys_are_kept() -> None:
    assert normalise({"final_response": "x", "debug": {"a": 1}, "n": None}).run.extra == {"debug": {"a": 1}, "n": None}


def test_the_body_is_left_as_it_was() -> None:
    body = {
        "final_response": "x",
        "metadata": {"model": "m"},
        "messages": [{"role": "user"}],
        "proxy_calls": [{"tool": "f"}],
    }
    before = {**body, "messages": [{"role": "user"}], "proxy_calls": [{"tool": "f"}]}
    normalise(body)
    assert body == before


def test_a_metadata_key_of_the_wrong_type_stays_where_it_is() -> None:
    metadata = {
        "model": 5,
        "system_prompt_id": [],
        "total_input_tokens": -1,
        "total_output_tokens": 1.5,
        "agent_runtime_ms": True,
    }
    run = normalise({"final_response": "x", "metadata": metadata}).run
    assert run.metadata == metadata
    assert warned_paths(run) == [f"metadata.{key}" for key in metadata]


def test_metadata_that_fits_does_not_warn() -> None:
    metadata = {"model": None, "total_input_tokens": 3.0, "total_output_tokens": 0, "agent_runtime_ms": 0.5, "x": [1]}
    run = normalise({"final_response": "x", "metadata": metadata}).run
    assert (run.metadata, warned_paths(run), run.view) == (metadata, [], "thin")


def test_warnings_of_the_export_come_from_both_places_in_order() -> None:
    run = normalise({"final_response": "x", "soft_warnings": ["b", "a"], "metadata": {"soft_warnings": "b"}}).run
    assert exported(run) == ["b", "a", "b"]
    assert run.metadata == {"soft_warnings": "b"}
    assert run.extra == {}


def test_warnings_that_are_no_texts_warn_at_their_place() -> None:
    run = normalise({"final_response": "x", "soft_warnings": ["a", 5], "metadata": {"soft_warnings": {}}}).run
    assert exported(run) == ["a"]
    assert warned_paths(run) == ["soft_warnings[1]", "metadata.soft_warnings"]


def test_warnings_of_the_reader_stand_between_those_of_export_and_contract() -> None:
    run = normalise(
        {"output": "x", "soft_warnings": ["a"]}, format="other", warnings=[import_warning("metadata.n")]
    ).run
    assert [warning.path for warning in run.warnings] == [None, "metadata.n", "output"]
    assert run.format == "other"


def test_a_warning_that_export_and_import_both_found_is_shown_for_each() -> None:
    reason = normalise({"output": "x"}).run.warnings[0].reason
    run = normalise({"output": "x", "soft_warnings": [reason]}).run
    assert [(warning.origin, warning.reason) for warning in run.warnings] == [("export", reason), ("import", reason)]
