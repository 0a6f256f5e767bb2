"""The sample runs are what their script writes, agree with themselves, and show what they promise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from sample_runs.expected import BOUNDARIES, FINDINGS
from sample_runs.make import FOLDER, contents, samples
from sample_runs.story import Story
from trace_store.contract import normalise
from trace_store.contract.vocabulary import CALL_CLASSES, RUN_CLASSES
from trace_store.evidence import KINDS
from trace_store.importing.files import check_paths
from trace_store.model import Run

STORIES = [story for stories in samples().values() for story in stories]
LOGS = [story for story in STORIES if story.log]
RUNS = {story.run_id: normalise(story.body).run for story in STORIES}
OFF_POLICY = {"travel-rate-limited"}


def _entries() -> Iterator[dict[str, Any]]:
    for story in STORIES:
        yield from (entry for entry in story.log if isinstance(entry, dict))


READ = list(check_paths([FOLDER / "runs"]))
# The note has no id, and goes by its digest.
EXAMINED = {run.run_id if run.run_id in RUNS else "research-note": run for run in READ if isinstance(run, Run)}


def test_nothing_in_them_looks_like_evidence_that_is_not_read() -> None:
    reasons = [warning.reason for run in EXAMINED.values() for warning in run.warnings]
    assert [reason for reason in reasons if "is not read" in reason or "is not understood" in reason] == []


@pytest.mark.parametrize("name", sorted(contents()))
def test_committed_files_are_what_the_script_writes(name: str) -> None:
    assert (FOLDER / name).read_bytes() == contents()[name].encode()


def test_there_is_no_file_that_the_script_does_not_write() -> None:
    there = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.suffix not in {".py", ".pyc"}}
    assert there - {"runs", "__pycache__"} == set(contents())


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
    assert {detail["error_class"] for detail in details if isinstance(detail, dict)} == {*CALL_CLASSES, "maintenance"}


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


def test_every_way_a_chain_can_end_is_shown() -> None:
    ends = {chain.outcome for run in RUNS.values() for chain in run.chains}
    assert ends == {"succeeded", "recovered", "exhausted", "gave_up", "failed", "application_error", "unreadable"}
    assert any(chain.repeats is not None and chain.overcome is False for run in RUNS.values() for chain in run.chains)
    assert [len(chain.calls) for chain in RUNS["coding-keyed-deploy"].chains] == [2, 5]


@pytest.mark.parametrize("run_id", sorted(RUNS))
def test_waits_between_attempts_keep_to_the_policy_unless_that_is_the_point(run_id: str) -> None:
    on_policy = []
    for chain in RUNS[run_id].chains:
        for attempt, wait_ms in enumerate(chain.waits_ms):
            assert wait_ms is not None
            base_ms = min(500 * 2**attempt, 4000)
            on_policy.append(0.75 * base_ms - 1 <= wait_ms <= 1.25 * base_ms + 1)  # starts are cut to the millisecond
    assert all(on_policy) is (run_id not in OFF_POLICY)


def test_every_status_of_an_actor_is_shown() -> None:
    calls = {call.actor_status for run in RUNS.values() for call in run.calls}
    nodes = {actor.status for run in RUNS.values() for actor in run.actors}
    assert calls == {"declared", "undeclared", "unchecked", "unattributed", "malformed"}
    assert nodes == calls | {"structural"}


def test_the_mistyped_actor_has_its_suggestion_and_the_silent_one_is_told() -> None:
    actors = {actor.path: actor for actor in RUNS["support-refund-typo-actor"].actors}
    assert actors["supervisor/refund_agnt"].suggestion == "refund_agent"
    assert actors["escalation_agent"].silent


def test_every_kind_of_trace_event_and_telemetry_is_shown() -> None:
    kinds = {(event.lane, event.kind) for event in RUNS["travel-deep-delegation"].events}
    trace = "assistant_message thinking system_prompt custom llm_payload handoff subagent_message subagent_final"
    telemetry = "guardrail_decision handoff_traversal state_snapshot note"
    assert kinds == {("trace", k) for k in trace.split()} | {("telemetry", k) for k in telemetry.split()}


def test_every_sort_of_dropped_message_leaves_its_warning() -> None:
    paths = [warning.path for warning in RUNS["coding-dropped-messages"].warnings]
    assert paths == [
        "messages[1].tool_calls[1]",
        "messages[1].tool_calls[2]",
        "messages[1].tool_calls[3].id",
        "messages[1].thinking",
        "messages[3]",
        "messages[4]",
        "messages[5]",
        "messages[6]",
        "messages[7]",
        "messages[8].tool_call_id",
        "messages[9].tool_calls",
        "metadata.model",
        "metadata.total_input_tokens",
    ]
    assert [w.path for w in RUNS["coding-no-transcript"].warnings] == [None, None, "messages", "metadata"]


def test_no_document_is_rejected() -> None:
    assert [item for item in READ if not isinstance(item, Run)] == []
    assert EXAMINED.keys() == RUNS.keys()
    assert len(READ) == len(RUNS)


@pytest.mark.parametrize("run_id", sorted(RUNS))
def test_a_sample_has_the_findings_that_it_is_there_for_and_no_others(run_id: str) -> None:
    run = EXAMINED[run_id]
    assert " ".join(sorted({finding.kind for finding in run.findings})) == FINDINGS.get(run_id, "")
    assert (run.boundary.stage if run.boundary else None) == BOUNDARIES.get(run_id)


def test_every_kind_of_finding_is_shown() -> None:
    assert {kind for kinds in FINDINGS.values() for kind in kinds.split()} == set(KINDS)
