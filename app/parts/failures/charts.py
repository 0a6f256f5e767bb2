"""Charts of the Failures page: bars of counts, and runs over time. A click on a bar opens what it counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Literal, LiteralString, TypeAlias

import pandas as pd
import streamlit as st

from app import render, session_keys
from app.glossary import Colour
from app.parts.table.query_bar import set_query
from trace_store.store.query.editing import add_query, clear_field

BAR_PX, AXES_PX = 30, 46

# Plotly draws on a canvas of its own and does not know the theme's names of colours.
LIGHT: dict[Colour, str] = {
    "red": "#c0362c", "orange": "#b3501d", "yellow": "#b8860b", "green": "#1a7f4b", "blue": "#3457d5",
    "violet": "#7a3fc0", "gray": "#8a939d",
}  # fmt: skip
DARK: dict[Colour, str] = {
    "red": "#ff8078", "orange": "#ffa06b", "yellow": "#e2b340", "green": "#4cc38a", "blue": "#8ea6ff",
    "violet": "#c4a1ff", "gray": "#7d8691",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its word, its number, its colour, what stands beside the number, and the term that it opens."""

    word: str
    number: int
    colour: Colour
    beside: str
    term: str


def theme_colours() -> dict[Colour, str]:
    """Return the colours of the current theme."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def show_bars(key: str, bars: Sequence[Bar], on_click: Callable[[str], None], *, alt: str) -> None:
    """Draw horizontal bars with their numbers, the first on top. Words are our own: Plotly reads them as markup."""
    from plotly import graph_objects  # half a second that only this page should pay

    shades = theme_colours()
    turned = list(reversed(bars))
    figure = graph_objects.Figure(
        graph_objects.Bar(
            x=[bar.number for bar in turned],
            y=[bar.word for bar in turned],
            orientation="h",
            marker_color=[shades[bar.colour] for bar in turned],
            text=[f"{bar.number:,}{bar.beside}" for bar in turned],
            textposition="outside",
            cliponaxis=False,
            customdata=[bar.term for bar in turned],
            hovertemplate="%{y}: %{x}<extra></extra>",
        )
    )
    most = max((bar.number for bar in bars), default=1)
    figure.update_layout(
        height=AXES_PX + BAR_PX * len(bars),
        margin={"l": 0, "r": 12, "t": 6, "b": 0},
        bargap=0.35,
        dragmode=False,
        showlegend=False,
        font={"size": 13},
    )
    # Room on the right for the numbers that stand outside their bars.
    figure.update_xaxes(range=[0, most * 1.45], visible=False, fixedrange=True)
    figure.update_yaxes(fixedrange=True, ticksuffix="  ")
    turn = session_keys.turn(key)
    st.plotly_chart(
        figure,
        key=f"{key}-{turn}",
        on_select=partial(_on_bar_clicked, key, f"{key}-{turn}", on_click),
        selection_mode="points",
        config={"displayModeBar": False},
        alt=alt,
    )


def _on_bar_clicked(key: str, widget: str, on_click: Callable[[str], None]) -> None:
    points = st.session_state[widget]["selection"]["points"]
    session_keys.next_turn(key)
    if points:
        clicked = points[0]["customdata"]
        on_click(clicked if isinstance(clicked, str) else clicked[0])


Step: TypeAlias = Literal["hour", "day", "week", "month"]

# The longest span that is drawn in each step, in days: some hundred bars at most can be told apart and clicked.
LONGEST_DAYS: dict[Step, float] = {"hour": 4, "day": 120, "week": 730}

_TICKS: dict[Step, str] = {"hour": "%H:%M<br>%b %d", "day": "%b %d", "week": "%b %d, %Y", "month": "%b %Y"}
MOST_TICKS = 10
"""Bars that each get their own words below; with more, the chart chooses which do."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PERIODS = "over-time"
PERIODS_PX = 170


@dataclass(frozen=True, slots=True)
class Period:
    """The runs that started from `start` until before `end`; `failed` of them at a boundary."""

    start: datetime
    end: datetime
    runs: int
    failed: int


def show_runs_over_time(query: str, hours: pd.DataFrame) -> None:
    """Draw the chart of `hours`, as `Failures.over_time` has them."""
    render.heading("Over time", help="Runs by start time, UTC; red: runs that failed at a boundary.")
    if hours.empty:
        render.note("None of these runs has a start time, so there is nothing to draw.")
        return
    step, periods = group_hours(hours)
    if len(periods) == 1:
        _show_single_period(step, periods[0])
    else:
        _show_periods(query, step, periods)


def _show_single_period(step: LiteralString, only: Period) -> None:
    when = render.literal(_as_query_time(only.start))
    render.note(
        f"All of them started in the same {step}, {when} UTC; {only.failed:,d} of {only.runs:,d} failed at a boundary."
    )


def group_hours(hours: pd.DataFrame) -> tuple[Step, list[Period]]:
    """Return the hours put together into steps that suit how much time they span; steps without runs are left out."""
    starts = [_EPOCH + timedelta(microseconds=int(value)) for value in hours["hour_us"]]
    days = (starts[-1] - starts[0]) / timedelta(days=1)
    step: Step = next((name for name, longest in LONGEST_DAYS.items() if days <= longest), "month")
    sums: dict[datetime, list[int]] = {}
    for start, runs, failed in zip(starts, hours["runs"], hours["failed"], strict=True):
        counted = sums.setdefault(_BEGINS[step](start), [0, 0])
        counted[0] += int(runs)
        counted[1] += int(failed)
    return step, [Period(start, _ENDS[step](start), runs, failed) for start, (runs, failed) in sums.items()]


def narrow_to_time(query: str, start: datetime, end: datetime) -> str:
    """`query` for the runs that started in that time, in the place of any other that it asked for."""
    return add_query(clear_field(query, "started"), f"started>={_as_query_time(start)} started<{_as_query_time(end)}")


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


def _as_query_time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M" if moment.hour else "%Y-%m-%d")


def _show_explanation(step: LiteralString) -> None:
    render.note(f"Runs by the {step} in which they started, UTC. Click a bar to see only that {step}.")


def _show_periods(query: str, step: Step, periods: list[Period]) -> None:
    from plotly import graph_objects  # half a second that only charts should pay

    shades = theme_colours()
    width_ms = [0.86 * (period.end - period.start) / timedelta(milliseconds=1) for period in periods]
    middles = [period.start + (period.end - period.start) / 2 for period in periods]
    spans = [[period.start.isoformat(), period.end.isoformat()] for period in periods]
    figure = graph_objects.Figure()
    series: tuple[tuple[str, Colour, float, list[int]], ...] = (
        ("failed at a boundary", "red", 1.0, [period.failed for period in periods]),
        ("other runs", "gray", 0.45, [period.runs - period.failed for period in periods]),
    )
    for name, colour, opacity, numbers in series:
        figure.add_bar(
            x=middles, y=numbers, width=width_ms, name=name, marker_color=shades[colour], marker_opacity=opacity,
            customdata=spans, hovertemplate="%{x|%Y-%m-%d %H:%M}: %{y} " + name + "<extra></extra>",
        )  # fmt: skip
    figure.update_layout(
        height=PERIODS_PX,
        barmode="stack",
        margin={"l": 0, "r": 0, "t": 26, "b": 0},
        dragmode=False,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
        font={"size": 13},
    )
    figure.update_xaxes(fixedrange=True, tickformat=_TICKS[step])
    if len(periods) <= MOST_TICKS:
        words = [period.start.strftime(_TICKS[step].replace("<br>", " ")) for period in periods]
        figure.update_xaxes(tickvals=middles, ticktext=words)
    figure.update_yaxes(fixedrange=True, nticks=4, rangemode="tozero")
    turn = session_keys.turn(_PERIODS)
    st.plotly_chart(
        figure,
        key=f"{_PERIODS}-{turn}",
        on_select=partial(_on_period_clicked, query, f"{_PERIODS}-{turn}"),
        selection_mode="points",
        config={"displayModeBar": False},
        alt=f"Runs by the {step} in which they started, split by whether they failed at a boundary",
    )
    _show_explanation(step)


def _on_period_clicked(query: str, widget: str) -> None:
    clicked = [point["customdata"] for point in st.session_state[widget]["selection"]["points"]]
    session_keys.next_turn(_PERIODS)
    if clicked:
        start, end = map(datetime.fromisoformat, clicked[0])
        set_query(narrow_to_time(query, start, end))
