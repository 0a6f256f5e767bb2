"""Folders: which of their files are read (R41). Symbolic links never lead out of the folder that a person named."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from trace_store.readers.files.names import Kind, kind_of


@dataclass(slots=True)
class Listing:
    """The files of a folder that are read, in the order of their names, and those that are passed over. A folder that
    cannot be listed is among the files, for whoever reads it to say so."""

    files: list[Path] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)


def files_of(folder: Path) -> Listing:
    """The files below a folder. Hidden ones do not count; links to folders are not followed. Raises OSError where the
    folder itself cannot be read."""
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
