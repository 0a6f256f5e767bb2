"""Paths in a run document, as findings and the boundary name them."""

from __future__ import annotations

from collections.abc import Iterable


def call_path(sequence: int) -> str:
    """The path of a logged call, whatever key the log stood under."""
    return f"calls[{sequence}]"


def message_path(index: int) -> str:
    """The path of a message, by its place in the original array (R15)."""
    return f"messages[{index}]"


def below(path: str, steps: Iterable[str | int]) -> str:
    """A path that goes on from another, over keys and places."""
    return path + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
