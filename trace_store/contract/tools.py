"""Declared tools (R33): the entries of a `tools_schema`. The checks against their schemas are in `evidence`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from trace_store.contract.fields import as_boolean, as_string
from trace_store.model import JSON, Family, Tool

TOOLS_KEY = "tools_schema"

TOOL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]{0,127}")
"""What the name of a tool matches in full."""


class Mode(NamedTuple):
    """An execution mode: its public word, the word that is stored on the wire, and the family of sources that may
    answer a tool of that mode (None: none may, its code runs in the sandbox; R34)."""

    public: str
    stored: str
    family: Family | None


_MODES = (
    Mode("simulated", "sandbox", "simulated"),
    Mode("executed", "code_intercepted", None),
    Mode("live", "passthrough", "live"),
)

MODES: Mapping[str, Mode] = {word: mode for mode in _MODES for word in (mode.public, mode.stored)}
"""The modes, under both of their words."""

DEFAULT_MODE = _MODES[0]
"""What an absent or null mode means."""


def mode_of(entry: Mapping[str, JSON]) -> Mode | None:
    """Return the mode of a declared tool, or None where it names one that does not exist."""
    stated = entry.get("default_execution_mode")
    if stated is None:
        return DEFAULT_MODE
    return MODES.get(stated) if isinstance(stated, str) else None


def read_tools(entries: list[JSON]) -> list[Tool]:
    """Return one tool for each entry, at its own place; what is malformed is null."""
    return [_read_tool(entry if isinstance(entry, dict) else {}, isinstance(entry, dict)) for entry in entries]


def _read_tool(entry: dict[str, JSON], readable: bool) -> Tool:
    mode = mode_of(entry) if readable else None
    return Tool(
        name=as_string(entry.get("name")),
        mode=None if mode is None else mode.public,
        stored_mode=as_string(entry.get("default_execution_mode")) if mode is None else mode.stored,
        description=as_string(entry.get("description")),
        has_output_schema=entry.get("output_schema") is not None,
        requires_human_approval=as_boolean(entry.get("requires_human_approval")),
    )
