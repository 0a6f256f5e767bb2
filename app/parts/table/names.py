"""Long names in a column, shortened so that those of one page stay distinguishable.

A cell shows the beginning of a text and cuts the rest, and names out of one export often begin alike. So the part that
they share gives way to an ellipsis, and what differs stays. Pure: no Streamlit, no store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile

CHARACTER_PX = 7.5
"""Of a table's text, on average."""
PADDING_PX = 18
"""Of a cell, both sides together."""
LEAST = 9
"""Characters below which an ellipsis leaves nothing legible on its sides."""


def characters_in(width_px: int) -> int:
    """Return how many characters a cell of this width shows."""
    return max(LEAST, int((width_px - PADDING_PX) / CHARACTER_PX))


def shorten_names(names: Sequence[str], limit: int) -> list[str]:
    """Return the names with at most `limit` characters each; different ones stay different where there is room for the
    parts in which they differ."""
    short = {name: name for name in names if len(name) <= limit}
    _shorten({name for name in names if len(name) > limit}, limit, (), short)
    return [short[name] for name in names]


def _shorten(names: Iterable[str], limit: int, places: tuple[int, ...], short: dict[str, str]) -> None:
    """Fill `short`. Names that come out alike are shortened again, showing the place where they begin to differ too:
    later than `places`, where they were told apart from others."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[_excerpt(name, limit, places)].append(name)
    for text, alike in groups.items():
        place = _common_length(alike) if len(alike) > 1 else 0
        if place > max(places, default=0):
            _shorten(alike, limit, (*places, place), short)
        else:
            short.update(dict.fromkeys(alike, text))


def _common_length(names: Sequence[str]) -> int:
    """Return how many characters all names begin with."""
    first, last = min(names), max(names)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))


def _excerpt(name: str, limit: int, places: tuple[int, ...]) -> str:
    """Return both ends of the name; with `places`, its beginning, two characters at each, and more at the last."""
    tail = (limit - 1) // 2
    head = limit - 1 - tail
    if not places or places[-1] <= head:
        return f"{name[:head]}…{name[-tail:]}"
    *earlier, last = places
    marks = "".join(f"…{name[place : place + 2]}" for place in earlier)[: limit // 2]
    shown = f"{name[: min(last, limit // 4)]}{marks}…"
    room = limit - len(shown)
    if len(name) - last <= room:
        return f"{shown}{name[len(name) - room :]}"
    return f"{shown}{name[last : last + room - 1]}…"
