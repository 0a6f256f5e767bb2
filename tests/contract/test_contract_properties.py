"""What holds of every JSON value, and of every log."""

from __future__ import annotations

import copy
import json
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.bodies_of import at
from trace_store.contract import find_run_id, is_envelope, is_run_body, normalise
from trace_store.contract.actor_tree import edit_distance
from trace_store.contract.actors import CATALOG_KEYS
from trace_store.contract.arguments import canonical, decode_arguments
from trace_store.contract.calls import (
    ACTOR_KEYS,
    ARGUMENTS_KEYS,
    DATA_KEYS,
    LOG_KEYS,
    STARTED_KEYS,
    STATUS_ALIASES,
    TOOL_NAME_KEYS,
)
from trace_store.contract.events import OCCURRED_KEYS, TELEMETRY_KEY, TRACE_KEYS
from trace_store.contract.outcomes import OTHER_ERROR_BODIES, error_text
from trace_store.contract.times import instant_us, read_time
from trace_store.model import Run

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | st.sampled_from(
        ["tool", "data", "odyssey", "injected", "error", "user", "assistant", at(5), "a/b", "lock_contention"]
    )
)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6
)


def objects(keys: list[str], values: st.SearchStrategy[Any] = JSON) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have some of those keys, and what they hold."""
    return st.dictionaries(st.sampled_from(keys), values, max_size=6)


def some_of(entries: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A list of those, of anything, or no list."""
    return st.lists(entries | JSON, max_size=4) | JSON


ERRORS = JSON | objects(
    ["detail", "error_class", "error_code", "stage", "retryable", "message"], JSON | objects(["error_class", "message"])
)
CALLS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(
            [*TOOL_NAME_KEYS, *ARGUMENTS_KEYS, *ACTOR_KEYS, *STARTED_KEYS, *STATUS_ALIASES, *DATA_KEYS], JSON
        ),
        **dict.fromkeys(["error", "response", *OTHER_ERROR_BODIES], ERRORS),
        "headers": objects(["X-Pipelines-Actor-Id"]),
        "status_code": st.sampled_from([200, 401, 429, 500, 503]) | JSON,
        "error_class": st.sampled_from(["lock_contention", "run_token_expired"]) | JSON,
        "attempt": st.integers(0, 4) | JSON,
        "idempotency_key": st.sampled_from(["k", "l"]) | JSON,
        **dict.fromkeys(["lane", "source", "latency_ms", "matched_rule_index", "validation", "unknown"], JSON),
    },
)
TOOL_CALLS = objects(["id", "name", "type", "arguments", "function"], JSON | objects(["name", "arguments", "strict"]))
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["user", "assistant", "tool"]) | JSON,
        "tool_calls": some_of(TOOL_CALLS),
        **dict.fromkeys(["content", "tool_call_id", "thinking", "name"], JSON),
    },
)
EVENTS = objects([*OCCURRED_KEYS, "event_type", "kind", "payload", "sequence", "actor_id", "step_ref"])
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "messages": some_of(MESSAGES),
        "metadata": objects(["model", "total_input_tokens", "agent_runtime_ms", "soft_warnings"]) | JSON,
        "error": ERRORS,
        "topology": objects(["entry"]) | JSON,
        "env": objects(["DYSTOPIC_RUN_ID", "DYSTOPIC_RUN_TOKEN_JTI"]) | JSON,
        "tools_schema": some_of(objects(["name", "default_execution_mode", "output_schema"])),
        **dict.fromkeys(LOG_KEYS, some_of(CALLS)),
        **dict.fromkeys([*TRACE_KEYS, TELEMETRY_KEY], some_of(EVENTS)),
        **dict.fromkeys(CATALOG_KEYS, some_of(objects(["actor_id", "tools", "talks_to"]))),
        **dict.fromkeys(["final_response", "final_output", "output", "message", "error_json", "error_class"], JSON),
        **dict.fromkeys(
            ["run_id", "id", "task_id", "status", "judge_passed", "started_at", "soft_warnings", "unknown"], JSON
        ),
    },
)
EQUAL_CALLS = st.lists(
    st.fixed_dictionaries(
        {"tool_name": st.just("f"), "status_code": st.sampled_from([200, 429, 500])},
        optional={
            "attempt": st.integers(0, 4),
            "started_at": st.integers(0, 50).map(lambda ms: at(ms * 100)),
            "latency_ms": st.integers(0, 300),
            "idempotency_key": st.sampled_from(["k", "l"]),
            "actor_id": st.sampled_from(["a", "b"]),
        },
    ),
    max_size=12,
)


def read(document: Any) -> Run:
    """The run of a document, after a look at everything else that is told of it."""
    run = normalise(document).run
    for call in run.calls:
        error_text(call)
    return run


@given(JSON | BODIES)
def test_any_json_value_comes_to_a_run_that_goes_around(document: Any) -> None:
    before = copy.deepcopy(document)
    run = read(document)
    assert document == before
    assert Run.from_json(run.to_json()) == run == normalise(document).run
    assert run.run_id == (find_run_id(document) or "")
    assert is_run_body(document) in (True, False)
    assert is_envelope(document) in (True, False)


@given(BODIES)
def test_every_entry_keeps_its_place(document: dict[str, Any]) -> None:
    run = read(document)
    log = next((document[key] for key in LOG_KEYS if isinstance(document.get(key), list)), None)
    assert run.has_log is (log is not None)
    assert [call.sequence for call in run.calls] == list(range(len(log or [])))
    indexes = [message.index for message in run.messages or []]
    assert indexes == sorted(set(indexes))
    assert (run.view == "rich") is bool(indexes)
    assert all(warning.path for warning in run.warnings if warning.origin == "import")


@given(BODIES)
def test_the_figures_of_the_tree_add_up(document: dict[str, Any]) -> None:
    run = read(document)
    roots = [actor for actor in run.actors if actor.parent is None]
    failures = sum(call.outcome in ("failed", "injected_failure") for call in run.calls)
    assert sum(actor.calls for actor in run.actors) == sum(root.subtree_calls for root in roots) == len(run.calls)
    assert sum(actor.failed for actor in run.actors) == sum(root.subtree_failed for root in roots) == failures


@given(EQUAL_CALLS)
def test_chains_share_out_the_calls(log: list[dict[str, Any]]) -> None:
    run = read({"final_response": "x", "proxy_calls": log})
    assert sorted(sequence for chain in run.chains for sequence in chain.calls) == list(range(len(log)))
    assert [chain.calls[0] for chain in run.chains] == sorted(chain.calls[0] for chain in run.chains)
    for number, chain in enumerate(run.chains):
        members = [run.calls[sequence] for sequence in chain.calls]
        assert chain.chain == number
        assert [(call.chain, call.attempt) for call in members] == [(number, k) for k in range(1, len(members) + 1)]
        assert len(chain.waits_ms) == len(members) - 1
        assert chain.repeats is None or chain.repeats < number
        assert (chain.outcome == "succeeded") is (len(members) == 1 and members[0].outcome == "ok")
        if members[0].idempotency_key is None:
            assert len({(call.actor_id, call.tool_name) for call in members}) == 1
            assert all(call.outcome == "failed" for call in members[:-1])
        else:
            assert {call.idempotency_key for call in members} == {members[0].idempotency_key}
    keys = [call.idempotency_key for call in run.calls if call.attempt == 1 and call.idempotency_key]
    assert len(keys) == len(set(keys))


@given(JSON)
def test_canonical_text_does_not_depend_on_the_order_of_keys(value: Any) -> None:
    assert canonical(value) == canonical(json.loads(json.dumps(value, sort_keys=True)))
    assert decode_arguments(orjson.dumps({"a": value}).decode()) == ({"a": value}, True)


@given(st.integers() | st.floats() | st.text())
def test_what_is_read_as_a_time_reads_back_as_the_same(value: Any) -> None:
    instant = read_time(value)
    if instant is not None:
        again = read_time(instant.text)
        assert again is not None
        assert (again.text, again.naive) == (instant.text, False)
        assert abs((instant_us(instant.text) or 0) - instant.us) <= 1


@given(*[st.text("abc", max_size=6)] * 3)
def test_the_edit_distance_is_a_metric(one: str, two: str, three: str) -> None:
    assert (edit_distance(one, two) == 0) is (one == two)
    assert edit_distance(one, two) == edit_distance(two, one)
    assert edit_distance(one, three) <= edit_distance(one, two) + edit_distance(two, three)
