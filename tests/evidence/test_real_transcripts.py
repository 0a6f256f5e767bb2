"""On real transcripts: no false alarm, and each entry taken out of a log is missed (R36)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evidence.runs_of import examined, findings_of, kinds, paths, receipts
from trace_store.contract.arguments import canonical
from trace_store.model import Run, ToolCall

FILE = Path(__file__).parent / "transcripts" / "tau-airline.jsonl"
BODIES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
REMOVALS = [(body, n) for body in BODIES for n in range(len(body["proxy_calls"]))]


def claimed(run: Run, path: str) -> ToolCall:
    return next(
        call
        for message in run.messages or ()
        for call in message.tool_calls or ()
        if path == f"messages[{message.index}].tool_calls[{call.index}]"
    )


def test_there_are_enough_of_them() -> None:
    assert len(BODIES) >= 20
    assert len(REMOVALS) >= 100
    assert FILE.stat().st_size < 300_000


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body["run_id"])
def test_every_claim_has_its_receipt_and_every_receipt_its_claim(body: dict[str, Any]) -> None:
    run = examined(body)
    assert None not in receipts(run)
    assert {"call_without_receipt", "receipt_without_call", "tool_result_differs", "failure_hidden"}.isdisjoint(
        kinds(run)
    )
    assert {"tool_result_orphan", "tool_call_unanswered", "arguments_undecoded"}.isdisjoint(kinds(run))


@pytest.mark.parametrize(
    ("body", "n"), REMOVALS, ids=lambda value: value["run_id"] if isinstance(value, dict) else value
)
def test_an_entry_taken_out_of_the_log_is_missed(body: dict[str, Any], n: int) -> None:
    log = body["proxy_calls"]
    run = examined({**body, "proxy_calls": log[:n] + log[n + 1 :]})
    (finding,) = findings_of(run, "call_without_receipt")
    call = claimed(run, finding.path)
    assert call.name == log[n]["tool_name"]
    assert canonical(call.arguments) == canonical(log[n]["arguments"])
    assert "receipt_without_call" not in kinds(run)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body["run_id"])
def test_an_entry_added_to_the_log_is_told(body: dict[str, Any]) -> None:
    added = {**body["proxy_calls"][0], "arguments": {"never": "said"}}
    run = examined({**body, "proxy_calls": [*body["proxy_calls"], added]})
    assert paths(run, "receipt_without_call") == [f"calls[{len(body['proxy_calls'])}]"]
    assert "call_without_receipt" not in kinds(run)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body["run_id"])
def test_a_changed_response_is_noticed(body: dict[str, Any]) -> None:
    first, *rest = body["proxy_calls"]
    run = examined({**body, "proxy_calls": [{**first, "response": {"changed": True}}, *rest]})
    assert len(findings_of(run, "tool_result_differs")) == 1
