"""Which files of a folder or an archive are read: selected by name, while their format is detected by content (R41).

Symbolic links never lead out of the folder that a person named.
"""

from __future__ import annotations

import enum
import os
import re
from dataclasses import dataclass, field
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


def display_path(path: Path) -> str:
    """Return the path as text. Bytes of it that are not UTF-8, which neither JSON nor a database holds, are U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")


def kind_of(name: str) -> Kind:
    """Return what kind of file this is, by its name relative to the folder or archive it is in."""
    if _HIDDEN.search(name):
        return Kind.HIDDEN
    if _RUNS.search(name):
        return Kind.RUNS
    return Kind.ARCHIVE if _ARCHIVE.search(name) else Kind.OTHER


@dataclass(slots=True)
class Listing:
    """The files of a folder that are read, in the order of their names, and those that are passed over. A folder that
    cannot be listed is among the files, for whoever reads it to say so."""

    files: list[Path] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)


def list_files(folder: Path) -> Listing:
    """Return the files below a folder. Hidden ones are left out; links to folders are not followed. Raises OSError
    where the folder itself cannot be read."""
    listing = Listing()
    root = folder.resolve(strict=True)
    with os.scandir(folder):  # `walk` would pass over its error
        pass
    for at, folders, names in os.walk(folder, onerror=lambda error: listing.files.append(Path(error.filename))):
        folders.sort()
        here = Path(at)
        folders[:] = [name for name in folders if kind_of(name) is not Kind.HIDDEN]
        listing.skipped += [here / name for name in folders if (here / name).is_symlink()]
        for name in sorted(names):
            path = here / name
            kind = kind_of(name)
            if kind is Kind.HIDDEN:
                continue
            is_read = kind is not Kind.OTHER and path.is_file() and path.resolve().is_relative_to(root)
            (listing.files if is_read else listing.skipped).append(path)
    listing.files.sort()
    listing.skipped.sort()
    return listing
