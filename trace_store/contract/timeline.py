"""The order of everything in a run that has a time or a place: calls, trace events, telemetry (R31)."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Literal, NamedTuple

from trace_store.contract.scalars import integer
from trace_store.contract.times import instant_us, read_time
from trace_store.model import Call, Run

OCCURRED_KEY = "__occurred_at"


class Moment(NamedTuple):
    """One entry of the timeline: the call of that sequence, or the event at that place in `Run.events`, and its own
    time in microseconds since the epoch, None where it has none."""

    lane: Literal["call", "trace", "telemetry"]
    position: int
    us: int | None


def timeline(run: Run) -> list[Moment]:
    """Calls and events in the order of their times; equal times by `sequence`, then as they stand in the file.

    What has no time stays behind the one before it in its own list.
    """
    keyed: list[tuple[tuple[float, int, int, int], Moment]] = []
    for lane, entries in enumerate((_calls(run), _events(run, "trace"), _events(run, "telemetry"))):
        effective = float("-inf")
        for place, (moment, sequence) in enumerate(entries):
            effective = effective if moment.us is None else moment.us
            keyed.append(((effective, place if sequence is None else sequence, lane, place), moment))
    keyed.sort(key=itemgetter(0))
    return [moment for _, moment in keyed]


def _calls(run: Run) -> Iterator[tuple[Moment, int | None]]:
    for call in run.calls:
        yield Moment("call", call.sequence, _call_us(call)), integer(call.extra.get("sequence"))


def _call_us(call: Call) -> int | None:
    occurred = read_time(call.extra.get(OCCURRED_KEY))
    return instant_us(call.started_at) if occurred is None else occurred.us


def _events(run: Run, lane: Literal["trace", "telemetry"]) -> Iterator[tuple[Moment, int | None]]:
    for i, event in enumerate(run.events):
        if event.lane == lane:
            yield Moment(lane, i, instant_us(event.at)), event.sequence
