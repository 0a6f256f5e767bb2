"""Every kind of finding: where it appears, and where it must not (chapter 10 of the contract)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evidence.findings_shown import CATALOG, CLEAN, LOCK, SHOWN, STALE, USER, Shown, at
from tests.evidence.runs_of import claim, examined, failed, findings_of, kinds, ok, paths, result, run_of, without_log
from trace_store.contract import normalise
from trace_store.evidence import KINDS, SchemaCache, examine
from trace_store.model import Path, SoftWarning

SHOWN_CASES = [
    pytest.param(kind, case, id=f"{kind}-{n}") for kind, cases in SHOWN.items() for n, case in enumerate(cases)
]
CLEAN_CASES = [
    pytest.param(kind, body, id=f"{kind}-{n}") for kind, bodies in CLEAN.items() for n, body in enumerate(bodies)
]


def test_every_kind_is_shown_and_is_missing_somewhere() -> None:
    by_the_reader = {"secret_redacted"}
    assert set(SHOWN) | by_the_reader == set(KINDS)
    assert set(CLEAN) | by_the_reader == set(KINDS)


@pytest.mark.parametrize(("kind", "case"), SHOWN_CASES)
def test_where_it_appears(kind: str, case: Shown) -> None:
    run = examined(case.body)
    assert paths(run, kind) == case.paths
    assert case.words in findings_of(run, kind)[0].message


@pytest.mark.parametrize(("kind", "body"), CLEAN_CASES)
def test_where_it_must_not(kind: str, body: Any) -> None:
    assert kind not in kinds(examined(body))


def test_a_redacted_secret_is_told_by_whoever_read_the_file() -> None:
    body = {"final_response": "x"}
    assert paths(examined(body, redacted_at="env.DYSTOPIC_RUN_TOKEN"), "secret_redacted") == ["env.DYSTOPIC_RUN_TOKEN"]
    assert "secret_redacted" not in kinds(examined(body))


def test_a_readers_warning_at_such_a_place_is_nothing_dropped() -> None:
    body = {**without_log({**USER, "tool_call_id": "c"}), "metadata": {"agent_runtime_ms": None}}
    places = [
        "messages[0].tool_call_id",
        "messages[0]",
        "messages",
        "metadata",
        "metadata.agent_runtime_ms",
        "metadata.x.y",
    ]
    normalised = normalise(body, warnings=[SoftWarning("import", Path(path), "NaN", "changed") for path in places])
    examine(normalised, schemas=SchemaCache())
    assert "rich_mode_dropped" not in kinds(normalised.run)


def test_severity_and_rule_are_those_of_the_registry() -> None:
    for cases in SHOWN.values():
        for finding in examined(cases[0].body).findings:
            assert (finding.severity, finding.rule) == KINDS[finding.kind][1:3]


def test_messages_are_one_short_line_each_even_of_hostile_values() -> None:
    nasty = "<b>\n" + "x" * 5_000
    call = ok(nasty, {"a": nasty}, {"error": nasty}, actor_id=nasty, source=nasty)
    messages = [claim(nasty, nasty, nasty), result(nasty, nasty), result("zz", nasty)]
    run = examined(
        run_of(
            call,
            {**call, "source": "error", "error": nasty},
            messages=messages,
            answer="4521 " * 500,
            status="failed",
            error_class=nasty,
            tools_schema=[{"name": nasty}],
            **CATALOG,
        )
    )
    assert len(run.findings) > 10
    for finding in run.findings:
        assert "\n" not in finding.message
        assert len(finding.message) < 500


def test_findings_stand_in_the_order_of_the_registry_and_then_of_the_run() -> None:
    run = examined(run_of(failed(), failed(tool_name="g"), STALE, messages=[claim(), result(), claim("b", "h")]))
    order = list(KINDS)
    assert [order.index(kind) for kind in kinds(run)] == sorted(order.index(kind) for kind in kinds(run))
    assert paths(run, "call_failed") == sorted(paths(run, "call_failed"))


def test_calls_that_held_the_lock_are_named() -> None:
    times = {"started_at": at(0), "latency_ms": 100}
    log = [{**LOCK, **times}, ok("g", started_at=at(0.05), latency_ms=100), ok("h", started_at=at(0.1), latency_ms=100)]
    (finding,) = findings_of(examined(run_of(*log)), "retry_gave_up")
    assert finding.message.endswith("in flight at the same time: g (calls[1])")
