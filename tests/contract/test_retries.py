"""R24-R27: attempts of one logical call, what the model tried again, and what it cost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.bodies_of import LOCK, OK, REFUSED, at, logged
from trace_store.contract.retries import RetryDelay, is_off_policy, retry_delays, wait_window_ms

APPLICATION_ERROR = {"source": "odyssey", "status_code": 200, "response": {"error": "no stock"}}
INJECTED = {"source": "injected", "matched_rule_index": 0, "status_code": 503, "error_class": "lock_contention"}
LIMITED = {"status_code": 429}


def chains_of(*calls: Any) -> list[list[int]]:
    return [chain.calls for chain in logged(*calls).chains]


def outcomes_of(*calls: Any) -> list[str]:
    return [chain.outcome for chain in logged(*calls).chains]


def test_a_call_continues_the_chain_while_the_one_before_was_retryable() -> None:
    run = logged(LOCK, LIMITED, OK, OK)
    assert [chain.calls for chain in run.chains] == [[0, 1, 2], [3]]
    assert [(call.chain, call.attempt) for call in run.calls] == [(0, 1), (0, 2), (0, 3), (1, 1)]


@pytest.mark.parametrize("first", [OK, REFUSED, APPLICATION_ERROR, INJECTED, {"source": "transport_error"}])
def test_nothing_else_is_continued(first: dict[str, Any]) -> None:
    assert chains_of(first, OK) == [[0], [1]]


@pytest.mark.parametrize(
    "other",
    [{"tool_name": "g"}, {"arguments": {"n": 2}}, {"actor_id": "b"}, {"lane": "telemetry"}, {"arguments": '{"n": 1'}],
)
def test_calls_that_are_not_equal_stand_between_without_breaking_the_chain(other: dict[str, Any]) -> None:
    assert chains_of(LOCK, OK | other, OK) == [[0, 2], [1]]


@pytest.mark.parametrize(
    "equal",
    [
        {"arguments": {"n": 1.0}},
        {"arguments": '{"n": 1}'},
        {"actor_id": " "},
        {"lane": "tool"},
        {"args": {"n": 1}, "arguments": None},
    ],
)
def test_calls_that_are_equal_in_other_words(equal: dict[str, Any]) -> None:
    assert chains_of(LOCK, OK | equal) == [[0, 1]]


def test_in_the_data_lane_what_it_does_is_part_of_the_call() -> None:
    data = {"tool_name": None, "lane": "data", "kind": "read", "intent": "orders", "operation": "list"}
    assert chains_of(LOCK | data, OK | data) == [[0, 1]]
    for key in ("kind", "intent", "operation"):
        assert chains_of(LOCK | data, OK | data | {key: "other"}) == [[0], [1]]


def test_the_kind_of_a_tool_call_is_not_part_of_it() -> None:
    assert chains_of(LOCK | {"kind": "a"}, OK | {"kind": "b"}) == [[0, 1]]


def test_without_numbers_a_chain_has_four_attempts() -> None:
    assert chains_of(*[LIMITED] * 9) == [[0, 1, 2, 3], [4, 5, 6, 7], [8]]


def test_one_idempotency_key_is_one_chain_whatever_else() -> None:
    key = {"idempotency_key": "k"}
    run = logged(OK | key, LOCK, OK | key | {"actor_id": "b", "tool_name": "g"}, REFUSED | key | {"lane": "data"})
    assert [chain.calls for chain in run.chains] == [[0, 2, 3], [1]]
    assert (run.chains[0].actor_id, run.chains[0].tool_name) == (None, "get_order")


def test_a_call_with_a_key_is_not_compared_with_those_without() -> None:
    assert chains_of(LOCK, OK | {"idempotency_key": "k"}, OK) == [[0, 2], [1]]


def test_a_number_joins_the_failed_chain_that_has_the_number_before() -> None:
    assert chains_of(REFUSED | {"attempt": 1}, OK | {"attempt": 2}) == [[0, 1]]
    assert chains_of(LOCK | {"attempt": 0}, OK | {"attempt": 1}) == [[0, 1]]
    assert chains_of(LOCK | {"attempt": 1}, OK | {"attempt": 3}) == [[0], [1]]
    assert chains_of(OK | {"attempt": 1}, OK | {"attempt": 2}) == [[0], [1]]
    assert chains_of(APPLICATION_ERROR | {"attempt": 1}, OK | {"attempt": 2}) == [[0], [1]]
    assert chains_of(LOCK | {"attempt": 1}, OK | {"attempt": 1}) == [[0], [1]]


def test_numbers_see_an_injected_failure_as_one() -> None:
    assert chains_of(INJECTED | {"attempt": 1}, OK | {"attempt": 2}) == [[0, 1]]


def test_a_number_joins_the_earliest_chain_that_was_retryable() -> None:
    first = {"attempt": 1}
    assert chains_of(REFUSED | first, LOCK | first, LOCK | first, OK | {"attempt": 2}) == [[0], [1, 3], [2]]


def test_a_number_joins_else_the_latest_that_failed() -> None:
    first = {"attempt": 1}
    assert chains_of(REFUSED | first, REFUSED | first, OK | {"attempt": 2}) == [[0], [1, 2]]


def test_numbers_of_parallel_calls_interleave() -> None:
    numbers = [
        LOCK | {"attempt": 1},
        LOCK | {"attempt": 1},
        LOCK | {"attempt": 2},
        OK | {"attempt": 2},
        OK | {"attempt": 3},
    ]
    assert chains_of(*numbers) == [[0, 2, 4], [1, 3]]


def test_numbers_may_go_over_the_budget() -> None:
    run = logged(*[LIMITED | {"attempt": n} for n in range(1, 7)])
    assert [(chain.calls, chain.outcome) for chain in run.chains] == [([0, 1, 2, 3, 4, 5], "exhausted")]


def test_a_call_without_a_number_follows_the_one_before() -> None:
    assert chains_of(LOCK | {"attempt": 1}, LOCK, OK | {"attempt": 2}) == [[0, 1], [2]]


def test_a_number_does_not_follow_a_call_without() -> None:
    assert chains_of(LOCK, OK | {"attempt": 2}) == [[0], [1]]


def test_a_call_that_began_before_the_one_before_ended_is_no_retry() -> None:
    first = LOCK | {"started_at": at(0), "latency_ms": 100}
    assert chains_of(first, OK | {"started_at": at(99)}) == [[0], [1]]
    assert chains_of(first, OK | {"started_at": at(100)}) == [[0, 1]]
    assert chains_of(first, OK) == [[0, 1]]
    assert chains_of(LOCK | {"started_at": at(50)}, OK | {"started_at": at(49)}) == [[0], [1]]
    assert chains_of(LOCK | {"started_at": at(50)}, OK | {"started_at": at(50)}) == [[0, 1]]


def test_an_overlapping_number_looks_for_another_chain() -> None:
    first = LOCK | {"attempt": 1, "started_at": at(0)}
    calls = [first | {"latency_ms": 500}, first | {"latency_ms": 100}, OK | {"attempt": 2, "started_at": at(300)}]
    assert chains_of(*calls) == [[0], [1, 2]]


_NUMBERED = st.builds(
    lambda attempt, kind, start, latency: {"attempt": attempt, "latency_ms": latency} | kind | start,
    st.integers(0, 3),
    st.sampled_from([OK, REFUSED, LIMITED, INJECTED]),
    st.sampled_from([{}, *({"started_at": 1_775_000_000_000 + 100 * i} for i in range(8))]),
    st.sampled_from([None, 0, 100, 250]),
)


@given(st.lists(_NUMBERED, max_size=30))
def test_a_number_joins_as_a_look_at_every_chain_would_have_it(calls: list[dict[str, Any]]) -> None:
    log = logged(*calls).calls
    chains: list[list[int]] = []
    for i, call in enumerate(calls):
        fits: dict[bool, list[list[int]]] = {True: [], False: []}
        for chain in chains:
            last = calls[chain[-1]]
            overlap = {"started_at"} <= call.keys() & last.keys() and (
                call["started_at"] < last["started_at"] + (last["latency_ms"] or 0)
            )
            failed = log[chain[-1]].outcome in ("failed", "injected_failure")
            if failed and last["attempt"] == call["attempt"] - 1 and not overlap:
                fits[log[chain[-1]].retryable].append(chain)
        if fits[True]:
            fits[True][0].append(i)
        elif fits[False]:
            fits[False][-1].append(i)
        else:
            chains.append([i])
    assert chains_of(*calls) == chains


def test_many_attempts_in_flight_at_once_are_not_looked_at_one_by_one() -> None:
    # Looked at one by one, these would take minutes.
    half = 20_000
    first = {"attempt": 1, "started_at": 1_775_000_000_000, "latency_ms": 1e6} | LIMITED
    second = first | {"attempt": 2, "started_at": 1_775_000_000_001}
    assert len(chains_of(*[first] * half, *[second] * half)) == 2 * half


def test_offsets_and_units_of_times_are_compared_as_times() -> None:
    first = LOCK | {"started_at": "2026-04-01T02:00:00+02:00", "latency_ms": 100}
    assert chains_of(first, OK | {"started_at": "2026-04-01T00:00:00.050"}) == [[0], [1]]
    assert chains_of(first, OK | {"started_at": 1775001600150}) == [[0, 1]]


def test_unreadable_calls_equal_none() -> None:
    nameless = LOCK | {"tool_name": None}
    run = logged(nameless, nameless, "x", "x")
    assert [chain.calls for chain in run.chains] == [[0], [1], [2], [3]]
    assert [chain.repeats for chain in run.chains] == [None] * 4


@pytest.mark.parametrize(
    ("calls", "outcome"),
    [
        ([OK], "succeeded"),
        ([LOCK, OK], "recovered"),
        ([OK, OK], "recovered"),
        ([REFUSED, OK, REFUSED], "recovered"),
        ([OK, REFUSED], "failed"),
        ([OK, LOCK], "gave_up"),
        ([LIMITED] * 3, "gave_up"),
        ([LIMITED] * 4, "exhausted"),
        ([LIMITED] * 5, "exhausted"),
        ([LIMITED] * 4 + [REFUSED], "failed"),
        ([REFUSED], "failed"),
        ([INJECTED], "failed"),
        ([LOCK, INJECTED], "failed"),
        ([{"source": "transport_error"}], "failed"),
        ([APPLICATION_ERROR], "application_error"),
        ([LOCK, APPLICATION_ERROR], "application_error"),
    ],
)
def test_the_outcome_of_a_chain(calls: list[dict[str, Any]], outcome: str) -> None:
    assert outcomes_of(*[call | {"idempotency_key": "k"} for call in calls]) == [outcome]


def test_a_new_chain_repeats_the_nearest_that_did_not_end_well() -> None:
    run = logged(REFUSED, APPLICATION_ERROR, OK, OK, REFUSED)
    assert [chain.repeats for chain in run.chains] == [None, 0, 1, None, None]


def test_repeats_are_told_by_the_whole_chain() -> None:
    run = logged(*[LIMITED] * 4, OK, LOCK, {"tool_name": "g"}, OK)
    assert [(chain.calls, chain.repeats) for chain in run.chains] == [
        ([0, 1, 2, 3], None),
        ([4], 0),
        ([5, 7], None),
        ([6], None),
    ]


@pytest.mark.parametrize(
    "other", [{"tool_name": "g"}, {"arguments": {"n": 2}}, {"actor_id": "b"}, {"lane": "telemetry"}]
)
def test_another_call_repeats_nothing(other: dict[str, Any]) -> None:
    assert logged(REFUSED, OK | other).chains[1].repeats is None


def test_a_chain_by_key_repeats_and_is_repeated_by_its_first_call() -> None:
    run = logged(REFUSED | {"idempotency_key": "a"}, REFUSED | {"idempotency_key": "b"}, OK)
    assert [chain.repeats for chain in run.chains] == [None, 0, 1]
    assert [chain.overcome for chain in run.chains] == [True, True, False]


def test_a_chain_is_overcome_through_others() -> None:
    run = logged(REFUSED, INJECTED, APPLICATION_ERROR, LOCK, OK, REFUSED)
    assert [(chain.outcome, chain.overcome) for chain in run.chains] == [
        ("failed", True),
        ("failed", True),
        ("application_error", True),
        ("recovered", True),
        ("failed", False),
    ]


def test_a_chain_that_succeeded_had_nothing_to_overcome() -> None:
    assert [chain.overcome for chain in logged(OK, REFUSED).chains] == [False, False]


def test_the_classes_met_are_listed_once_in_order() -> None:
    other = {"status_code": 503, "error_class": "context_store_unavailable"}
    assert logged(LOCK, other, LOCK, OK).chains[0].error_classes == ["lock_contention", "context_store_unavailable"]
    assert logged(REFUSED).chains[0].error_classes == []


def test_waits_run_from_the_end_of_one_attempt_to_the_start_of_the_next() -> None:
    calls = [
        LOCK | {"started_at": at(0), "latency_ms": 100},
        LOCK | {"started_at": at(600), "latency_ms": 0.25},
        LOCK | {"started_at": at(1_700)},
        OK | {"started_at": at(4_000), "latency_ms": 10},
    ]
    chain = logged(*calls).chains[0]
    assert chain.waits_ms == [500.0, 1_099.75, None]
    assert chain.wasted_ms == 4_000.0


def test_without_times_the_waste_is_the_latencies_before_the_last() -> None:
    calls = [LOCK | {"latency_ms": 100}, LOCK, LOCK | {"latency_ms": 50, "started_at": at(0)}, OK | {"latency_ms": 7}]
    chain = logged(*calls).chains[0]
    assert (chain.waits_ms, chain.wasted_ms) == ([None, None, None], 150.0)


def test_a_lone_call_wastes_nothing() -> None:
    chain = logged(REFUSED | {"started_at": at(0), "latency_ms": 100}).chains[0]
    assert (chain.waits_ms, chain.wasted_ms) == ([], 0.0)


def test_clocks_that_run_backwards_waste_nothing() -> None:
    key = {"idempotency_key": "k"}
    chain = logged(LOCK | key | {"started_at": at(100), "latency_ms": 5}, OK | key | {"started_at": at(0)}).chains[0]
    assert (chain.waits_ms, chain.wasted_ms) == ([-105.0], 0.0)


def test_waste_stays_finite() -> None:
    assert logged(LOCK | {"latency_ms": 1.5e308}, LOCK | {"latency_ms": 1.5e308}, OK).chains[0].wasted_ms < float("inf")


@pytest.mark.parametrize(
    ("attempt", "window"),
    [
        (0, (375.0, 625.0)),
        (1, (750.0, 1_250.0)),
        (2, (1_500.0, 2_500.0)),
        (3, (3_000.0, 5_000.0)),
        (9_999, (3_000.0, 5_000.0)),
    ],
)
def test_the_window_of_a_wait(attempt: int, window: tuple[float, float]) -> None:
    assert wait_window_ms(attempt) == window
    shortest, longest = window
    assert not is_off_policy(attempt, shortest - 250) and not is_off_policy(attempt, longest + 250)
    assert is_off_policy(attempt, shortest - 250.1) and is_off_policy(attempt, longest + 250.1)


def test_a_delay_after_a_retryable_failure_is_held_against_its_window() -> None:
    run = logged(LOCK | {"started_at": at(0), "latency_ms": 0}, LIMITED | {"started_at": at(500), "latency_ms": 0},
                 OK | {"started_at": at(9_500)})  # fmt: skip
    assert retry_delays(run.chains[0], run.calls) == [
        RetryDelay(500.0, (375.0, 625.0), is_off_policy=False),
        RetryDelay(9_000.0, (750.0, 1_250.0), is_off_policy=True),
    ]


def test_a_delay_without_times_is_not_off_policy() -> None:
    run = logged(LOCK, OK)
    assert retry_delays(run.chains[0], run.calls) == [RetryDelay(None, (375.0, 625.0), is_off_policy=False)]


def test_the_policy_has_no_window_after_a_terminal_failure() -> None:
    first = REFUSED | {"idempotency_key": "k", "started_at": at(0), "latency_ms": 0}
    run = logged(first, OK | {"idempotency_key": "k", "started_at": at(9_000)})
    assert retry_delays(run.chains[0], run.calls) == [RetryDelay(9_000.0, None, is_off_policy=False)]
