"""R31 and R32: times on the wire, and calls that overlap."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.bodies_of import at, logged, warned_paths
from trace_store.contract import normalise
from trace_store.contract.times import Span, call_span, instant_us, overlap, read_time

SECOND = 1_774_973_096
TEXT = "2026-03-31T16:04:56"


@pytest.mark.parametrize(
    "text",
    [
        f"{TEXT}Z",
        f"{TEXT}.000Z",
        f"{TEXT}.123456789Z",
        "2026-03-31T18:04:56+02:00",
        "2026-03-31 18:04:56+0200",
        "20260331T160456Z",
        f"{TEXT.lower()}z",
    ],
)
def test_a_time_with_an_offset_is_kept_as_it_is(text: str) -> None:
    instant = read_time(text)
    assert instant is not None
    assert (instant.text, instant.us // 1_000_000, instant.naive) == (text, SECOND, False)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (TEXT, f"{TEXT}Z"),
        (f"{TEXT}.5", f"{TEXT}.5Z"),
        ("2026-03-31 16:04:56", "2026-03-31 16:04:56Z"),
        ("2026-03-31", "2026-03-31T00:00:00Z"),
        ("20260331", "2026-03-31T00:00:00Z"),
        ("2026-03-31T16", "2026-03-31T16Z"),
    ],
)
def test_a_time_without_an_offset_is_utc(text: str, shown: str) -> None:
    instant = read_time(text)
    assert instant is not None
    assert (instant.text, instant.naive) == (shown, True)
    assert instant_us(shown) == instant.us


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (SECOND, f"{TEXT}Z"),
        (SECOND * 10**3, f"{TEXT}Z"),
        (SECOND * 10**6, f"{TEXT}Z"),
        (SECOND * 10**9, f"{TEXT}Z"),
        (SECOND * 10**3 + 120, f"{TEXT}.12Z"),
        (SECOND * 10**6 + 1, f"{TEXT}.000001Z"),
        (SECOND * 10**9 + 123456789, f"{TEXT}.123456789Z"),
        (SECOND + 0.5, f"{TEXT}.5Z"),
        (SECOND * 10**3 + 0.25, f"{TEXT}.00025Z"),
        (0, "1970-01-01T00:00:00Z"),
        (12.5, "1970-01-01T00:00:12.5Z"),
        (-1, "1969-12-31T23:59:59Z"),
        (f"{SECOND}", f"{TEXT}Z"),
        (f"{SECOND * 10**9 + 1}", f"{TEXT}.000000001Z"),
        (f"{SECOND}.25", f"{TEXT}.25Z"),
        (99_999_999_999, "5138-11-16T09:46:39Z"),
        (100_000_000_000, "1973-03-03T09:46:40Z"),
    ],
)
def test_an_epoch_number_is_told_by_its_size(number: Any, shown: str) -> None:
    instant = read_time(number)
    assert instant is not None
    assert (instant.text, instant.naive) == (shown, False)
    assert instant_us(shown) == instant.us


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        "",
        " ",
        "soon",
        "5",
        "2026-13-01",
        "24:00",
        [],
        {},
        10**20,
        -(10**11) + 1,
        1e300,
        float("nan"),
        "\ud800",
    ],
)
def test_what_is_no_time(value: Any) -> None:
    assert read_time(value) is None


def test_times_without_an_offset_warn_once_a_run_at_the_first() -> None:
    run = logged({}, {"timestamp": at(0).rstrip("Z")}, {"started_at": "2026-04-01T00:00:01"})
    assert warned_paths(run) == ["calls[1].started_at"]
    assert [call.started_at for call in run.calls] == [None, at(0), "2026-04-01T00:00:01Z"]


def test_a_body_without_an_offset_is_the_first_place() -> None:
    event = {"event_type": "note", "__occurred_at": "2026-04-01"}
    run = logged({"started_at": "2026-04-01"}, started_at="2026-04-01T00:00:00", trace_events=[event])
    assert warned_paths(run) == ["started_at"]
    assert warned_paths(logged({}, trace_events=[event])) == ["trace_events[0].__occurred_at"]


def test_an_unreadable_time_becomes_null_and_is_kept() -> None:
    run = logged({"timestamp": "soon"}, {"timestamp": "later"})
    assert warned_paths(run) == ["calls[0].started_at", "calls[1].started_at"]
    assert (run.calls[0].started_at, run.calls[0].extra) == (None, {"timestamp": "soon"})


def test_a_body_may_start_at_an_epoch() -> None:
    assert normalise({"final_response": "x", "started_at": SECOND}).run.started_at == f"{TEXT}Z"


def test_the_span_of_a_call() -> None:
    start_us = SECOND * 10**6
    assert call_span(None, 5.0) is None
    span = call_span(start_us, 1.5)
    assert span == (start_us, start_us + 1_500)
    assert call_span(start_us, None) == (start_us, start_us)
    endless = call_span(start_us, 1e308)
    assert endless is not None and endless.end_us > span.end_us


def test_the_log_has_the_span_of_each_call() -> None:
    body = {"final_response": "x", "proxy_calls": [{"latency_ms": 5}, {"started_at": SECOND, "latency_ms": 1.5}]}
    assert normalise(body).log.spans == [None, (SECOND * 10**6, SECOND * 10**6 + 1_500)]


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ((0, 10), (5, 15), True),
        ((0, 10), (10, 20), False),
        ((0, 10), (2, 3), True),
        ((0, 10), (5, 5), True),
        ((5, 5), (5, 5), False),
    ],
)
def test_calls_overlap_when_both_are_in_flight(one: tuple[int, int], other: tuple[int, int], both: bool) -> None:
    assert overlap(Span(*one), Span(*other)) is overlap(Span(*other), Span(*one)) is both
