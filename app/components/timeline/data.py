"""A run's calls as the timeline's data: plain JSON, in milliseconds from the first thing that has a time. Pure.

Where no call carries a time they stand one after the other, in the order of the log, each as wide as its latency.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from app.components.timeline.durations import Figures, figures_of
from trace_store.contract.times import instant_us
from trace_store.model import Call, NodeStatus, Outcome, Run

UNKNOWN_MS = 50.0
"""Width of a call whose latency nobody logged, where only the order is known."""

_MOMENTS = ("timestamp", "created_at", "occurred_at", "started_at")


class Lane(TypedDict, total=False):
    """An actor that has calls or events, in the order of the tree. `path` is "" for those that name none."""

    path: str
    status: NodeStatus
    suggestion: str


class Bar(TypedDict, total=False):
    """A call. `at` and `ms` (its latency; absent where none is logged) in milliseconds; `untimed`: it carries no time,
    and stands after the one before it."""

    sequence: int
    at: float
    ms: float
    untimed: bool
    lane: int
    chain: int
    attempt: int
    tool: str
    outcome: Outcome
    error_class: str
    status: int
    stale: bool


class Moment(TypedDict, total=False):
    """A message or an event that has a time; `path` leads to a message."""

    at: float
    lane: int
    word: str
    path: str


class TimelineData(TypedDict):
    """Everything the component shows. `chains` has, by chain, the waits before its second and further attempts, null
    where times do not tell. `began` is when the first thing happened, null where nothing carries a time."""

    began: str | None
    lanes: list[Lane]
    bars: list[Bar]
    waits: dict[str, list[float | None]]
    moments: list[Moment]
    figures: Figures


def timeline_data(run: Run) -> TimelineData:
    """The timeline of the run's log, with the messages and events that have a time."""
    lanes = _lanes(run)
    places = {lane["path"]: place for place, lane in enumerate(lanes)}
    started = [instant_us(call.started_at) for call in run.calls]
    moments = [*_messages(run), *_events(run)]
    first_us = min((us for us in (*started, *(us for us, *_ in moments)) if us is not None), default=None)
    timed = any(us is not None for us in started)
    bars = _bars(run.calls, started if timed else [None] * len(run.calls), first_us or 0, places)
    return TimelineData(
        began=_text_at(run, first_us) if timed else None,
        lanes=lanes,
        bars=bars,
        waits={str(chain.chain): chain.waits_ms for chain in run.chains if len(chain.calls) > 1},
        moments=[_moment(us - first_us, actor, word, path, places) for us, actor, word, path in moments]
        if timed and first_us is not None
        else [],
        figures=figures_of(
            [(bar["at"], _end(bar)) for bar in bars],
            [
                (min(bars[n]["at"] for n in chain.calls), max(_end(bars[n]) for n in chain.calls))
                for chain in run.chains
            ],
            [wait for chain in run.chains for wait in chain.waits_ms if wait is not None],
            timed=timed,
        ),
    )


def _end(bar: Bar) -> float:
    return bar["at"] + bar.get("ms", 0.0)


def _lanes(run: Run) -> list[Lane]:
    """The acting labels, in the order of the tree; any that it does not know at the end."""
    acting = {call.actor_id or "" for call in run.calls}
    lanes: list[Lane] = []
    for actor in run.actors:
        if (actor.path or "") not in acting:
            continue
        lane = Lane(path=actor.path or "", status=actor.status)
        if actor.suggestion:
            lane["suggestion"] = actor.suggestion
        lanes.append(lane)
        acting.discard(actor.path or "")
    lanes += [Lane(path=path, status="unchecked") for path in sorted(acting)]
    return lanes


def _bars(calls: list[Call], started: list[int | None], first_us: int, places: dict[str, int]) -> list[Bar]:
    bars: list[Bar] = []
    end = 0.0
    sequence_only = all(us is None for us in started)
    for call, us in zip(calls, started, strict=True):
        at = end if us is None else (us - first_us) / 1000
        bar = Bar(
            sequence=call.sequence,
            at=at,
            lane=places[call.actor_id or ""],
            chain=call.chain,
            attempt=call.attempt,
            tool=call.tool_name or "",
            outcome=call.outcome,
        )
        if call.latency_ms is not None:
            bar["ms"] = call.latency_ms
        if us is None and not sequence_only:
            bar["untimed"] = True
        if call.error_class:
            bar["error_class"] = call.error_class
        if call.status_code is not None:
            bar["status"] = call.status_code
        if call.stale_token:
            bar["stale"] = True
        bars.append(bar)
        end = at + (call.latency_ms if call.latency_ms is not None else UNKNOWN_MS if sequence_only else 0.0)
    return bars


def _messages(run: Run) -> Iterable[tuple[int, str | None, str, str | None]]:
    for message in run.messages or ():
        for key in _MOMENTS:
            value = message.extra.get(key)
            us = instant_us(value) if isinstance(value, str) else None
            if us is not None:
                yield us, None, f"message {message.index}: {message.role}", f"messages[{message.index}]"
                break


def _events(run: Run) -> Iterable[tuple[int, str | None, str, str | None]]:
    for event in run.events:
        us = instant_us(event.at)
        if us is not None:
            yield us, event.actor_id, f"{event.lane} event: {event.kind or 'without a kind'}", None


def _moment(since_us: int, actor: str | None, word: str, path: str | None, places: dict[str, int]) -> Moment:
    moment = Moment(at=since_us / 1000, word=word)
    if actor is not None and actor in places:
        moment["lane"] = places[actor]
    if path is not None:
        moment["path"] = path
    return moment


def _text_at(run: Run, us: int | None) -> str | None:
    """The earliest start as the log writes it."""
    return next((call.started_at for call in run.calls if instant_us(call.started_at) == us), run.started_at)
