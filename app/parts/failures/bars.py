"""Bar charts of aggregates. A bar is an event: a click opens what it counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from app.glossary import Colour

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


def colours() -> dict[Colour, str]:
    """What the colours are in the theme that is shown."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def show(key: str, bars: Sequence[Bar], opened: Callable[[str], None], *, alt: str) -> None:
    """Horizontal bars with their numbers, the first on top. Words are our own: Plotly reads them as markup."""
    from plotly import graph_objects  # half a second that only this page should pay

    shades = colours()
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
    turn = st.session_state.setdefault(f"{key}-turn", 0)
    st.plotly_chart(
        figure,
        key=f"{key}-{turn}",
        on_select=partial(_selected, key, f"{key}-{turn}", opened),
        selection_mode="points",
        config={"displayModeBar": False},
        alt=alt,
    )


def _selected(key: str, widget: str, opened: Callable[[str], None]) -> None:
    points = st.session_state[widget]["selection"]["points"]
    st.session_state[f"{key}-turn"] += 1
    if points:
        chosen = points[0]["customdata"]
        opened(chosen if isinstance(chosen, str) else chosen[0])
