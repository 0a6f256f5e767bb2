"""Which files of a folder or an archive are read: told by name; what is in them is told by content (R41)."""

from __future__ import annotations

import enum
import os
import re
from pathlib import Path

_RUNS = re.compile(r"\.(?:json|jsonl|ndjson)(?:\.gz)?$", re.I)
_ARCHIVE = re.compile(r"\.zip$", re.I)
_HIDDEN = re.compile(r"(?:^|[/\\])(?:\.|__MACOSX(?:[/\\]|$))")


class Kind(enum.Enum):
    """What a name says: runs, an archive of them, something else, or nothing that a person put there."""

    RUNS = enum.auto()
    ARCHIVE = enum.auto()
    OTHER = enum.auto()
    HIDDEN = enum.auto()


def shown(path: Path) -> str:
    """The path as text. Bytes of it that are no UTF-8, which neither JSON nor a database holds, are U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")


def kind_of(name: str) -> Kind:
    """What the name of a file, relative to the folder or archive it is in, says of it."""
    if _HIDDEN.search(name):
        return Kind.HIDDEN
    if _RUNS.search(name):
        return Kind.RUNS
    return Kind.ARCHIVE if _ARCHIVE.search(name) else Kind.OTHER
