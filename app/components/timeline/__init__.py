"""The timeline of a run: lanes by actor, chains folded into one bar with their waits, and idle time compressed.

Times are milliseconds from the first thing that has a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypedDict

import streamlit as st

from app import glossary
from app.components.frontend import encode_payload, read_files, read_script
from app.formatting import is_number, utc_time
from trace_store.contract.times import instant_us
from trace_store.model import Call, NodeStatus, Outcome, Run

_component = st.components.v2.component(
    "trace_timeline",
    html=read_files("timeline/timeline.html"),
    css=read_files("shared/theme.css", "timeline/timeline.css"),
    js=read_script(
        "shared/dom.js",
        "shared/text.js",
        "shared/format.js",
        "timeline/scale.js",
        "timeline/model.js",
        "timeline/bars.js",
        "timeline/timeline.js",
        outcome=glossary.OUTCOME,
        actor=glossary.ACTOR,
    ),
)

ROUNDING_MS = 50.0
"""Two durations that differ by no more are the same in seconds with one decimal."""

UNKNOWN_MS = 50.0
"""Width of a call whose latency is not logged, where only the order is known."""

_TIME_KEYS = ("timestamp", "created_at", "occurred_at", "started_at")


class Lane(TypedDict, total=False):
    """An actor that has calls or events, in the order of the tree. `path` is "" for those that name none."""

    path: str
    status: NodeStatus
    suggestion: str


class Bar(TypedDict, total=False):
    """A call. `at` and `ms` (its latency; absent where none is logged) in milliseconds; `untimed`: it carries no time,
    and is drawn after the one before it."""

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


class Mark(TypedDict, total=False):
    """A message or an event that has a time, in words."""

    at: float
    lane: int
    word: str


class Figures(TypedDict, total=False):
    """In milliseconds. `wall`: from the first start to the last end; `calls`: while at least one call was open;
    `parallel`: saved because several were; `waits`: between attempts, where known, whatever else ran meanwhile;
    `idle`: while no call was open, nor a chain waiting. Without times only `calls` is known, the latencies together.
    `runtime` is the agent's own figure, where `wall` is another."""

    wall: float
    runtime: float
    calls: float
    parallel: float
    waits: float
    idle: float


class TimelineData(TypedDict):
    """Everything the component shows. `waits` has, by chain, those before its second and further attempts, null
    where times do not tell. `began` is when the first thing happened, null where nothing carries a time."""

    began: str | None
    lanes: list[Lane]
    bars: list[Bar]
    waits: dict[str, list[float | None]]
    marks: list[Mark]
    figures: Figures


def draw_timeline(
    data: TimelineData,
    *,
    run: str,
    height: int = 620,
    key: str = "timeline",
    on_jump: Callable[[], None] | None = None,
) -> None:
    """Draw the timeline of the run with the id `run` in at most `height` pixels. `on_jump` runs before the page does,
    when the reader has chosen a call: `frontend.get_jump` then tells which."""
    _component(data=encode_payload(data, run=run, height=height), key=key, on_jump_change=on_jump or (lambda: None))


def build_timeline(run: Run) -> TimelineData:
    """Return the timeline of the run's log, with the messages and events that have a time.

    Where no call carries a time they stand one after the other, in the order of the log, each as wide as its latency.
    """
    lanes = _build_lanes(run)
    lane_of = {lane["path"]: at for at, lane in enumerate(lanes)}
    started = [instant_us(call.started_at) for call in run.calls]
    marks = [*_list_messages(run), *_list_events(run)]
    first_us = min((us for us in (*started, *(us for us, _, _ in marks)) if us is not None), default=None)
    timed = any(us is not None for us in started)
    bars = _build_bars(run.calls, started if timed else [None] * len(run.calls), first_us or 0, lane_of)
    return TimelineData(
        began=_find_start(run, first_us) if timed else None,
        lanes=lanes,
        bars=bars,
        waits={str(chain.chain): chain.waits_ms for chain in run.chains if len(chain.calls) > 1},
        marks=[
            _build_mark(us - first_us, lane_of.get(actor) if actor is not None else None, word)
            for us, actor, word in marks
        ]
        if timed and first_us is not None
        else [],
        figures=sum_durations(
            [(bar["at"], _end_of(bar)) for bar in bars],
            [
                (min(bars[n]["at"] for n in chain.calls), max(_end_of(bars[n]) for n in chain.calls))
                for chain in run.chains
            ],
            [wait for chain in run.chains for wait in chain.waits_ms if wait is not None],
            timed=timed,
            runtime_ms=read_runtime_ms(run),
        ),
    )


def read_runtime_ms(run: Run) -> float | None:
    """Return how long the agent ran, as the metadata of the run has it."""
    runtime = (run.metadata or {}).get("agent_runtime_ms")
    return float(runtime) if is_number(runtime) else None


def _end_of(bar: Bar) -> float:
    return bar["at"] + bar.get("ms", 0.0)


def _build_lanes(run: Run) -> list[Lane]:
    """Return a lane for each acting label, in the order of the tree; labels that are not in it at the end."""
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


def _build_bars(calls: list[Call], started: list[int | None], first_us: int, lane_of: dict[str, int]) -> list[Bar]:
    bars: list[Bar] = []
    end = 0.0
    sequence_only = all(us is None for us in started)
    for call, us in zip(calls, started, strict=True):
        at = end if us is None else (us - first_us) / 1000
        bar = Bar(
            sequence=call.sequence,
            at=at,
            lane=lane_of[call.actor_id or ""],
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


def _list_messages(run: Run) -> Iterable[tuple[int, str | None, str]]:
    for message in run.messages or ():
        values = (message.extra.get(key) for key in _TIME_KEYS)
        times = (instant_us(value) for value in values if isinstance(value, str))
        if (us := next((us for us in times if us is not None), None)) is not None:
            yield us, None, f"message {message.index}: {message.role}"


def _list_events(run: Run) -> Iterable[tuple[int, str | None, str]]:
    for event in run.events:
        if (us := instant_us(event.at)) is not None:
            yield us, event.actor_id, f"{event.lane} event: {event.kind or 'without a kind'}"


def _build_mark(since_us: int, lane: int | None, word: str) -> Mark:
    mark = Mark(at=since_us / 1000, word=word)
    if lane is not None:
        mark["lane"] = lane
    return mark


def _find_start(run: Run, us: int | None) -> str | None:
    """Return the earliest start, in UTC."""
    text = next((call.started_at for call in run.calls if instant_us(call.started_at) == us), run.started_at)
    return utc_time(text) if text else None


def sum_durations(
    spans: Sequence[tuple[float, float]],
    chains: Sequence[tuple[float, float]],
    waits_ms: Sequence[float],
    *,
    timed: bool,
    runtime_ms: float | None = None,
) -> Figures:
    """Return the figures of calls and chains that lasted from and to these times, of the waits in the chains, and of
    the agent's own running time."""
    total_ms = sum(end - start for start, end in spans)
    if not timed or not spans:
        return Figures(calls=total_ms)
    wall = max(end for _, end in spans) - min(start for start, _ in spans)
    union_ms = _measure_union(spans)
    figures = Figures(
        wall=wall, calls=union_ms, parallel=total_ms - union_ms, waits=sum(waits_ms), idle=wall - _measure_union(chains)
    )
    if runtime_ms is not None and abs(runtime_ms - wall) > ROUNDING_MS:
        figures["runtime"] = runtime_ms
    return figures


def _measure_union(spans: Sequence[tuple[float, float]]) -> float:
    """Return the time that the spans cover, counted once where they overlap."""
    union_ms, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        union_ms += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return union_ms
