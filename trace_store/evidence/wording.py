"""Values and numbers of a document in the sentences of findings: short, on one line, never as markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trace_store.model import JSON

MAX_SHOWN = 60
"""Characters of a value that a sentence shows."""

MAX_LISTED = 5
"""Things that a sentence lists before it counts the rest."""


def shown(value: JSON) -> str:
    """A value, short enough for a sentence. Text stands in quotes."""
    text = repr(value[: MAX_SHOWN + 1]) if isinstance(value, str) else str(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def named(name: str) -> str:
    """A tool, an actor, a class: its text as it is, but short and without line breaks."""
    flat = " ".join(name.split())
    return flat if len(flat) <= MAX_SHOWN else f"{flat[: MAX_SHOWN - 1]}…"


def listed(things: Sequence[str] | Iterable[str]) -> str:
    """Several things in a row, and how many more there are."""
    every = list(things)
    rest = len(every) - MAX_LISTED
    return ", ".join(every[:MAX_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def counted(count: int, thing: str) -> str:
    """A number of things: `1 call`, `2,000 calls`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def milliseconds(value: float) -> str:
    """A time in milliseconds, or in seconds from one on."""
    return f"{value:,.0f} ms" if value < 1_000 else f"{value / 1_000:,.2f} s"
