"""Waits against the policy's window."""

from __future__ import annotations

from app.components.transcript import build_transcript
from app.waits import Wait, waits_of
from tests.app.runs import a_call, a_run
from trace_store.model import Chain


def test_a_wait_after_a_retryable_failure_is_held_against_its_window() -> None:
    calls = [a_call(n, outcome="failed", retryable=True) for n in range(3)]
    chain = Chain(0, "t", None, [0, 1, 2], "gave_up", waits_ms=[500.0, 9_000.0])
    assert waits_of(chain, calls) == [
        Wait(500.0, (375.0, 625.0), is_off=False),
        Wait(9_000.0, (750.0, 1_250.0), is_off=True),
    ]


def test_a_wait_that_no_times_tell_is_not_off_policy() -> None:
    calls = [a_call(0, outcome="failed", retryable=True), a_call(1)]
    assert waits_of(Chain(0, "t", None, [0, 1], "recovered"), calls) == [Wait(None, (375.0, 625.0), is_off=False)]


def test_the_policy_has_no_window_after_a_terminal_failure() -> None:
    calls = [a_call(0, outcome="failed", retryable=False), a_call(1)]
    chain = Chain(0, "t", None, [0, 1], "recovered", waits_ms=[9_000.0])
    assert waits_of(chain, calls) == [Wait(9_000.0, None, is_off=False)]


def test_the_transcript_names_the_waits_that_are_off() -> None:
    calls = [a_call(n, chain=0, outcome="failed", retryable=True) for n in range(2)]
    chain = Chain(0, "get_order", None, [0, 1], "gave_up", waits_ms=[9_000.0])
    wire = build_transcript(a_run(calls=calls, chains=[chain], has_log=True))["chains"]["0"]
    assert (wire["windows_ms"], wire["off_policy"]) == ([(375.0, 625.0)], [0])
