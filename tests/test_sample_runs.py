"""The sample runs are what their script writes, agree with themselves, and show what they promise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from sample_runs.make import FOLDER, contents, samples
from sample_runs.story import Story

STORIES = [story for stories in samples().values() for story in stories]
LOGS = [story for story in STORIES if story.log]

CALL_CLASSES = {
    "run_token_missing",
    "run_token_expired",
    "run_token_invalid",
    "run_token_rejected",
    "run_not_registered",
    "lock_contention",
    "context_store_unavailable",
    "trace_sequence_contended",
    "telemetry_sequence_contended",
    "routing_gap",
    "trace_payload_invalid",
    "trace_event_type_invalid",
}
RUN_CLASSES = {
    "auth_failed",
    "agent_timeout",
    "agent_5xx",
    "agent_4xx",
    "agent_bad_response",
    "agent_unreachable",
    "proxy_misconfigured",
    "contract_error",
    "response_contract_violation",
    "transport_error",
    "internal_error",
}


def _entries() -> Iterator[dict[str, Any]]:
    for story in STORIES:
        yield from (entry for entry in story.log if isinstance(entry, dict))


@pytest.mark.parametrize("name", sorted(contents()))
def test_committed_files_are_what_the_script_writes(name: str) -> None:
    assert (FOLDER / name).read_bytes() == contents()[name].encode()


def test_there_is_no_file_that_the_script_does_not_write() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.suffix in {".json", ".jsonl", ".md"}} == set(contents())


def test_names_of_runs_are_unique_and_enough() -> None:
    names = [story.run_id for story in STORIES]
    assert len(names) == len(set(names))
    assert len(names) >= 28


@pytest.mark.parametrize("story", [story for story in STORIES if isinstance(story.body, dict)], ids=lambda s: s.run_id)
def test_a_body_goes_by_the_name_of_its_story(story: Story) -> None:
    body = story.body
    assert (body.get("run_id") or body.get("id") or body["env"]["DYSTOPIC_RUN_ID"]) == story.run_id


@pytest.mark.parametrize("story", LOGS, ids=lambda story: story.run_id)
def test_calls_are_logged_as_they_end_and_after_the_run_began(story: Story) -> None:
    ends = []
    for entry in story.log:
        if isinstance(entry, dict) and isinstance(entry.get("latency_ms"), float):
            started = datetime.fromisoformat(entry["started_at"])
            assert started >= story.began
            ends.append(round(started.timestamp() * 1000) + entry["latency_ms"])
    # Starts are written to the millisecond.
    assert all(later >= earlier - 1 for earlier, later in itertools.pairwise(ends))
    assert not ends or ends[-1] <= story.now.timestamp() * 1000 + 1


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.run_id)
def test_the_answer_is_the_last_thing_said(story: Story) -> None:
    body = story.body
    if isinstance(body, dict) and isinstance(body.get("messages"), list) and body.get("final_response"):
        said = [message for message in body["messages"] if isinstance(message, dict)][-1]
        assert said.get("content") == body["final_response"] or story.run_id == "coding-all-dropped"


def test_every_source_is_shown() -> None:
    sources = {entry.get("source") for entry in _entries()}
    assert sources == {"odyssey", "injected", "error", "passthrough", "transport_error", "cache"}
    legacy = next(story for story in STORIES if story.run_id == "support-legacy-log")
    assert all("source" not in call for call in legacy.body["calls"])


def test_every_error_class_of_a_call_is_shown() -> None:
    details = [entry["error"]["detail"] for entry in _entries() if "detail" in (entry.get("error") or {})]
    assert {detail["error_class"] for detail in details if isinstance(detail, dict)} == CALL_CLASSES | {"maintenance"}


def test_every_error_class_of_a_run_is_shown() -> None:
    shown = set()
    for story in STORIES:
        body = story.body if isinstance(story.body, dict) else {}
        places = [body, body.get("error"), body.get("error_json")]
        shown |= {place["error_class"] for place in places if isinstance(place, dict) and "error_class" in place}
    assert shown - {"timeout"} == RUN_CLASSES


def test_rule_zero_fires_too() -> None:
    assert {entry["matched_rule_index"] for entry in _entries() if entry["source"] == "injected"} == {0, 3, None}


def test_every_execution_mode_is_declared_under_both_names() -> None:
    bodies = [story.body for story in STORIES if isinstance(story.body, dict)]
    tools = [tool for body in bodies for tool in body.get("tools_schema", ())]
    assert {tool.get("default_execution_mode") for tool in tools} == {
        None, "simulated", "executed", "live", "sandbox", "code_intercepted", "passthrough", "turbo",
    }  # fmt: skip


def test_one_answer_is_over_the_cap_and_one_was_cut_before() -> None:
    bodies = {story.run_id: story.body for story in STORIES}
    assert 50_000 < len(bodies["research-long-report"]["final_response"]) < 52_000
    assert bodies["research-platform-cut"]["final_response"].endswith("…[truncated]")
