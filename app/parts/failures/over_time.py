"""Runs over time, those that failed at a boundary apart. A click on a bar narrows the query to its time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Literal, LiteralString, TypeAlias

import pandas as pd
import streamlit as st

from app import render
from app.glossary import Colour
from app.parts.failures import bars
from app.parts.table import query_bar
from trace_store.store.query.editing import clear, narrow

Step: TypeAlias = Literal["hour", "day", "week", "month"]

# The longest span that is drawn in each step, in days: some hundred bars at most can be told apart and clicked.
LONGEST_DAYS: dict[Step, float] = {"hour": 4, "day": 120, "week": 730}

_TICKS: dict[Step, str] = {"hour": "%H:%M<br>%b %d", "day": "%b %d", "week": "%b %d, %Y", "month": "%b %Y"}
MOST_TICKS = 10
"""Bars that each get their own words below; with more, the chart chooses which do."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_KEY = "over-time"
HEIGHT_PX = 170


@dataclass(frozen=True, slots=True)
class Stretch:
    """The runs that started from `start` until before `end`; `failed` of them at a boundary."""

    start: datetime
    end: datetime
    runs: int
    failed: int


def show(query: str, hours: pd.DataFrame) -> None:
    """The chart of `hours`, as `Failures.over_time` has them."""
    render.heading("Over time", help="Runs by their start, UTC. Failed: at a boundary (R38).")
    if hours.empty:
        render.note("No run here says when it started, so nothing can be drawn.")
        return
    step, stretches = folded(hours)
    if len(stretches) == 1:
        _tell(step, stretches[0])
    else:
        _chart(query, step, stretches)


def _tell(step: LiteralString, only: Stretch) -> None:
    when = render.literal(_written(only.start))
    render.note(f"All started in one {step}, {when} UTC; {only.failed:,d} of {only.runs:,d} failed at a boundary.")


def folded(hours: pd.DataFrame) -> tuple[Step, list[Stretch]]:
    """The hours put together into steps that suit how much time they span; steps without runs are left out."""
    starts = [_EPOCH + timedelta(microseconds=int(value)) for value in hours["hour_us"]]
    days = (starts[-1] - starts[0]) / timedelta(days=1)
    step: Step = next((name for name, longest in LONGEST_DAYS.items() if days <= longest), "month")
    sums: dict[datetime, list[int]] = {}
    for start, runs, failed in zip(starts, hours["runs"], hours["failed"], strict=True):
        counted = sums.setdefault(_BEGINS[step](start), [0, 0])
        counted[0] += int(runs)
        counted[1] += int(failed)
    return step, [Stretch(start, _ENDS[step](start), runs, failed) for start, (runs, failed) in sums.items()]


def narrowed(query: str, start: datetime, end: datetime) -> str:
    """`query` for the runs that started in that time, in the place of any other that it asked for."""
    return narrow(clear(query, "started"), f"started>={_written(start)} started<{_written(end)}")


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0)


_BEGINS: dict[Step, Callable[[datetime], datetime]] = {
    "hour": lambda hour: hour,
    "day": _midnight,
    "week": lambda hour: _midnight(hour) - timedelta(days=hour.weekday()),
    "month": lambda hour: _midnight(hour).replace(day=1),
}
_ENDS: dict[Step, Callable[[datetime], datetime]] = {
    "hour": lambda start: start + timedelta(hours=1),
    "day": lambda start: start + timedelta(days=1),
    "week": lambda start: start + timedelta(days=7),
    "month": lambda start: (start + timedelta(days=31)).replace(day=1),
}


def _written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M" if moment.hour else "%Y-%m-%d")


def _explain(step: LiteralString) -> None:
    render.note(f"Runs by the {step} of their start, UTC. A click on a bar shows that {step} alone.")


def _chart(query: str, step: Step, stretches: list[Stretch]) -> None:
    from plotly import graph_objects  # half a second that only charts should pay

    colours = bars.colours()
    width_ms = [0.86 * (stretch.end - stretch.start) / timedelta(milliseconds=1) for stretch in stretches]
    middles = [stretch.start + (stretch.end - stretch.start) / 2 for stretch in stretches]
    spans = [[stretch.start.isoformat(), stretch.end.isoformat()] for stretch in stretches]
    figure = graph_objects.Figure()
    series: tuple[tuple[str, Colour, float, list[int]], ...] = (
        ("failed at a boundary", "red", 1.0, [stretch.failed for stretch in stretches]),
        ("other runs", "gray", 0.45, [stretch.runs - stretch.failed for stretch in stretches]),
    )
    for name, colour, opacity, numbers in series:
        figure.add_bar(
            x=middles, y=numbers, width=width_ms, name=name, marker_color=colours[colour], marker_opacity=opacity,
            customdata=spans, hovertemplate="%{x|%Y-%m-%d %H:%M}: %{y} " + name + "<extra></extra>",
        )  # fmt: skip
    figure.update_layout(
        height=HEIGHT_PX,
        barmode="stack",
        margin={"l": 0, "r": 0, "t": 26, "b": 0},
        dragmode=False,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
        font={"size": 13},
    )
    figure.update_xaxes(fixedrange=True, tickformat=_TICKS[step])
    if len(stretches) <= MOST_TICKS:
        words = [stretch.start.strftime(_TICKS[step].replace("<br>", " ")) for stretch in stretches]
        figure.update_xaxes(tickvals=middles, ticktext=words)
    figure.update_yaxes(fixedrange=True, nticks=4, rangemode="tozero")
    turn = st.session_state.setdefault(f"{_KEY}-turn", 0)
    st.plotly_chart(
        figure,
        key=f"{_KEY}-{turn}",
        on_select=partial(_selected, query, f"{_KEY}-{turn}"),
        selection_mode="points",
        config={"displayModeBar": False},
        alt=f"Runs by the {step} of their start, those that failed at a boundary apart",
    )
    _explain(step)


def _selected(query: str, widget: str) -> None:
    chosen = [point["customdata"] for point in st.session_state[widget]["selection"]["points"]]
    st.session_state[f"{_KEY}-turn"] += 1
    if chosen:
        start, end = map(datetime.fromisoformat, chosen[0])
        query_bar.set_query(narrowed(query, start, end))
