"""What holds for the examination of any run."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from trace_store.contract import normalise
from trace_store.evidence import KINDS, SchemaCache, examine
from trace_store.evidence.boundary import RECOVERY
from trace_store.model import Run

SCHEMAS = SchemaCache()
WORDS = st.sampled_from(["", "a", "f", "4521", "$79.50", "error", "{", '{"n": 1}', "[1]", "ok", "x/y", "a//b", "é"])
SCALARS = st.none() | st.booleans() | st.integers(-9, 500) | st.floats(-9, 9) | WORDS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=6
)
ERRORS = VALUES | st.fixed_dictionaries(
    {"error_class": VALUES, "error_code": VALUES, "stage": VALUES, "retryable": VALUES}, optional={"run_id": VALUES}
)
CALLS = VALUES | st.fixed_dictionaries(
    {"tool_name": st.sampled_from(["f", "g"])},
    optional={
        "arguments": VALUES,
        "response": VALUES | ERRORS,
        "error": ERRORS,
        "source": st.sampled_from(["odyssey", "injected", "error", "passthrough", "transport_error", "cache", None]),
        "status_code": st.sampled_from([200, 400, 401, 404, 429, 500, 503, None, "x"]),
        "error_class": st.sampled_from(["lock_contention", "run_token_expired", "run_token_missing", "other"]),
        "actor_id": WORDS,
        "attempt": st.integers(0, 3),
        "idempotency_key": st.sampled_from(["k", None]),
        "started_at": st.sampled_from(["2026-04-01T00:00:00Z", "2026-04-01T00:00:01Z", 5]),
        "latency_ms": st.sampled_from([0, 100, 2_000, 120_000, None]),
        "matched_rule_index": SCALARS,
        "validation": SCALARS,
        "lane": st.sampled_from(["tool", "data", "telemetry"]),
    },
)
TOOL_CALLS = VALUES | st.fixed_dictionaries(
    {"name": st.sampled_from(["f", "g"])},
    optional={"id": st.sampled_from(["a", "b", "", None, 5]), "arguments": VALUES},
)
PARTS = VALUES | st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            ["tool_use", "tool_call", "function_call", "tool_result", "thinking", "reasoning", "text"]
        )
    },
    optional={
        "id": st.sampled_from(["a", "b", "", None, 5]),
        "name": st.sampled_from(["f", "g", ""]),
        "input": VALUES,
        "tool_use_id": st.sampled_from(["a", "b", "", None, 5]),
        "content": VALUES,
        "is_error": SCALARS,
    },
)
MESSAGES = VALUES | st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool", "other"])},
    optional={
        "content": VALUES | st.lists(PARTS, max_size=3),
        "tool_calls": st.lists(TOOL_CALLS, max_size=3),
        "tool_call_id": st.sampled_from(["a", "b", "", None, 5]),
        "status": WORDS,
        "refusal": SCALARS,
    },
)
TOOLS = VALUES | st.fixed_dictionaries(
    {"name": st.sampled_from(["f", "h", "2 words"]), "input_schema": VALUES | st.just({"required": ["a"]})},
    optional={"output_schema": VALUES, "default_execution_mode": st.sampled_from(["live", "executed", "turbo"])},
)
BODIES = VALUES | st.fixed_dictionaries(
    {},
    optional={
        "final_response": VALUES,
        "messages": VALUES | st.lists(MESSAGES, max_size=6),
        "proxy_calls": VALUES | st.lists(CALLS, max_size=6),
        "tools_schema": VALUES | st.lists(TOOLS, max_size=3),
        "sub_agents": VALUES
        | st.lists(WORDS | st.fixed_dictionaries({"actor_id": WORDS}, optional={"tools": VALUES}), max_size=3),
        "metadata": VALUES,
        "error": ERRORS,
        "error_class": WORDS,
        "status": st.sampled_from(["failed", "timeout", "completed", "refused"]),
        "task_input": VALUES,
    },
)


def examined(body: Any) -> Run:
    normalised = normalise(body)
    examine(normalised, schemas=SCHEMAS)
    return normalised.run


def resolves(path: str, run: Run) -> bool:
    """Whether a path that goes into the transcript or the log leads to a message or call that is there."""
    for root, there in (
        ("messages[", {m.index for m in run.messages or ()}),
        ("calls[", {c.sequence for c in run.calls}),
    ):
        if path.startswith(root):
            return int(path[len(root) : path.index("]")]) in there
    return True


@given(BODIES)
def test_any_body_is_examined_and_the_result_holds_together(body: Any) -> None:
    before = json.dumps(body)
    run = examined(body)
    assert json.dumps(body) == before
    assert Run.from_json(run.to_json()).to_json() == run.to_json()
    for finding in run.findings:
        known = KINDS[finding.kind]
        assert (finding.severity, finding.rule) == (known.severity, known.rule)
        assert finding.message and "\n" not in finding.message
        assert finding.kind == "rich_mode_dropped" or resolves(finding.path, run)
    if run.boundary is not None:
        assert run.boundary.stage in RECOVERY
        assert run.boundary.corrected_by is None or resolves(run.boundary.corrected_by, run)
        assert all(resolves(path, run) for path in run.boundary.confirmed)
    for fact in run.grounding.facts if run.grounding else []:
        assert fact.receipt is None or resolves(fact.receipt, run)
        assert 0 <= fact.start < fact.end <= len(run.final_response or "")


@given(BODIES)
def test_the_same_body_always_shows_the_same(body: Any) -> None:
    assert examined(body).to_json() == examined(json.loads(json.dumps(body))).to_json()


@given(BODIES)
def test_each_receipt_answers_one_claim_and_each_answer_one_call(body: Any) -> None:
    run = examined(body)
    receipts = [c.receipt for m in run.messages or () for c in m.tool_calls or () if c.receipt is not None]
    answers = [m.answers for m in run.messages or () if m.answers is not None]
    answers += [r.answers for m in run.messages or () for r in m.tool_results if r.answers is not None]
    assert len(receipts) == len(set(receipts))
    assert len(answers) == len(set(answers))
    for message in run.messages or ():
        for call in message.tool_calls or ():
            if call.receipt is not None:
                assert run.calls[call.receipt].tool_name == call.name
                assert run.calls[call.receipt].lane == "tool"


CONTENTS = st.none() | WORDS | st.lists(VALUES, max_size=2) | st.sampled_from(['{"status": 1}', "an error"])
CLAIMS = st.fixed_dictionaries(
    {
        "role": st.just("assistant"),
        "tool_calls": st.lists(
            st.fixed_dictionaries(
                {"id": st.sampled_from(["a", "b", "", None]), "name": st.sampled_from(["f", "g", ""])},
                optional={"arguments": VALUES},
            ),
            min_size=1,
            max_size=3,
        ),
    }
)
RESULTS = st.fixed_dictionaries(
    {"role": st.just("tool"), "tool_call_id": st.sampled_from(["a", "b", "", None]), "content": CONTENTS}
)
TRANSCRIPTS = st.fixed_dictionaries(
    {"messages": st.lists(CLAIMS | RESULTS, max_size=6), "final_response": st.just("4521 and 1.50 at x/y.")},
    optional={"proxy_calls": st.lists(CALLS, max_size=5), "tools_schema": st.lists(TOOLS, max_size=2)},
)


def in_parts(message: dict[str, Any]) -> dict[str, Any]:
    """The message with its calls, or the result that it is, in parts of its content (R45)."""
    if message["role"] == "tool":
        part = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
        return {"role": "user", "content": [part]}
    parts = [
        {"type": "tool_use", "id": call["id"], "name": call["name"], "input": call.get("arguments")}
        for call in message["tool_calls"]
    ]
    return {"role": "assistant", "content": parts}


@given(TRANSCRIPTS)
def test_a_run_written_in_parts_shows_the_same(body: dict[str, Any]) -> None:
    plain = examined(body)
    parted = examined({**body, "messages": [in_parts(message) for message in body["messages"]]})

    def claims(run: Run) -> list[Any]:
        return [(m.index, c.index, c.id, c.receipt) for m in run.messages or () for c in m.tool_calls or ()]

    def findings(run: Run) -> list[Any]:
        # The path of what is dropped for its form is that of the part, and stands in the message.
        return [
            (f.kind, f.rule) if f.kind == "rich_mode_dropped" else (f.kind, f.rule, f.path, f.message)
            for f in run.findings
        ]

    assert claims(parted) == claims(plain)
    assert findings(parted) == findings(plain)
    assert parted.boundary == plain.boundary
