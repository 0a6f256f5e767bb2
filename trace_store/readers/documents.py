"""Files to documents: one JSON value after another, in constant memory, whatever the file's size (R41-R44).

What is not valid JSON becomes a `Rejection` with its place, and reading goes on. This module unpacks and decodes, and
`layout` reads each text.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from trace_store.readers.document import Document
from trace_store.readers.files.archives import ZIP_MAGIC, open_members
from trace_store.readers.files.folders import display_path, list_files
from trace_store.readers.files.unpacking import (
    GZIP_MAGIC,
    LIMITS,
    Limits,
    detect_encoding,
    gunzip,
    read_chunks,
    spool,
    transcode,
)
from trace_store.readers.parsing.layout import Layout, Text
from trace_store.readers.parsing.opening import Item
from trace_store.readers.rejections import MalformedInputError, Rejection, reject

Items = Generator[Item, None, None]

_MAGIC_BYTES = 4
_BUFFER_BYTES = 1 << 18  # lines are mostly longer than the buffer that a file has by default
_HARMLESS = frozenset({"broken_archive"})  # what could be unpacked before the fault is read all the same


def open_documents(source: str | PathLike[str] | BinaryIO, *, limits: Limits = LIMITS) -> Reading:
    """Read a file, a folder of files, or a binary stream. Never raises for what is in them: a path that cannot be read
    is a rejection too."""
    return Reading(Path(source) if isinstance(source, str | PathLike) else source, limits)


@dataclass(slots=True)
class _Progress:
    """How far the text at hand is: its handle and size, the bytes it is packed in, and those of the file before it."""

    handle: BinaryIO
    size: int
    packed: int
    before: int


class Reading:
    """The documents and rejections of a source, in order. Closing it, or reading it to its end, closes the files.

    `size_bytes` counts the source as it lies there, packed; it is 0 until a stream has been read. `skipped` names the
    files and members that were passed over, as they are met.
    """

    def __init__(self, source: Path | BinaryIO, limits: Limits) -> None:
        self.size_bytes = 0
        self.skipped: list[str] = []
        self._limits = limits
        self._progress: _Progress | None = None
        self._items = self._read(source)

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        return next(self._items)

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the files. What was not read is left unread."""
        self._items.close()

    @property
    def bytes_done(self) -> int:
        """Return about how many of the `size_bytes` have been read."""
        at = self._progress
        return 0 if at is None else at.before + (at.packed * at.handle.tell() // at.size if at.size else 0)

    # ---- where it comes from ----

    def _read(self, source: Path | BinaryIO) -> Items:
        is_empty = True
        try:
            for item in self._read_path(source) if isinstance(source, Path) else self._read_stream(source):
                is_empty = False
                yield item
        except OSError as error:
            is_empty = False
            yield _reject_unreadable(error)
        if is_empty:
            yield self._reject_emptiness(is_folder=isinstance(source, Path) and source.is_dir())

    def _reject_emptiness(self, *, is_folder: bool) -> Rejection:
        """Return why nothing came of a source that could be read."""
        if _OFFICE_MEMBER in self.skipped:
            return reject("document", "binary", "an Office document (a spreadsheet or a text), not JSON")
        if is_folder:
            return reject("document", "no_runs", "no file of this folder holds runs by its name")
        if self.skipped:
            return reject("document", "no_runs", "no member of this archive holds runs by its name")
        return reject("document", "no_runs", "it holds no run: the list or archive is empty")

    def _read_path(self, path: Path) -> Items:
        if path.is_dir():
            yield from self._read_folder(path)
            return
        try:
            handle = path.open("rb", buffering=_BUFFER_BYTES)
        except ValueError as error:  # a NUL in the path; later, a ValueError would be a bug of ours
            yield _reject_unreadable(error)
            return
        with handle:
            yield from self._read_stream(handle)

    def _read_folder(self, folder: Path) -> Items:
        listing = list_files(folder)
        self.skipped += [display_path(path.relative_to(folder)) for path in listing.skipped]
        self.size_bytes = sum(path.stat().st_size for path in listing.files)
        bytes_before = 0
        for path in listing.files:
            name = display_path(path.relative_to(folder))
            with Reading(path, self._limits) as reading:
                for item in reading:
                    if reading._progress is not None:
                        self._progress = replace(reading._progress, before=bytes_before + reading._progress.before)
                    yield _under(f"{name}: ", item)
                bytes_before += reading.size_bytes
                self.skipped += [f"{name}: {member}" for member in reading.skipped]
        self._progress = None

    def _read_stream(self, stream: BinaryIO) -> Items:
        if _is_seekable(stream):
            yield from self._read_file(stream)
        else:
            with spool(read_chunks(stream)) as handle:
                yield from self._read_file(handle)

    def _read_file(self, handle: BinaryIO) -> Items:
        self.size_bytes = handle.seek(0, 2)
        if _magic(handle).startswith(ZIP_MAGIC):
            yield from self._read_archive(handle)
        else:
            yield from self._unpack(handle, "", self.size_bytes, 0)
        self._progress = None

    # ---- what it is packed in ----

    def _read_archive(self, handle: BinaryIO) -> Items:
        bytes_before = 0
        try:
            for member in open_members(handle, self._limits):
                if member.skipped:
                    self.skipped.append(member.name)
                elif member.fault is not None:
                    yield reject(member.name, member.fault.kind, member.fault.reason)
                elif member.content is not None:
                    with member.content as content:
                        yield from self._unpack(content, f"{member.name}: ", member.packed_bytes, bytes_before)
                bytes_before += member.packed_bytes
        except MalformedInputError as fault:
            yield reject("document", fault.kind, fault.reason)

    def _unpack(self, handle: BinaryIO, prefix: str, packed: int, before: int) -> Items:
        magic = _magic(handle)
        if not magic.startswith(GZIP_MAGIC):
            yield from self._text(handle, prefix, packed, before)
            return
        faults: list[MalformedInputError] = []
        with spool(_catch_fault(gunzip(handle, self._limits), faults)) as content:
            nothing_came_out = bool(faults) and content.seek(0, 2) == 0
            if all(fault.kind in _HARMLESS for fault in faults) and not nothing_came_out:
                yield from self._text(content, prefix, packed, before)
        for fault in faults:
            yield reject(_place(prefix), fault.kind, fault.reason)

    # ---- text ----

    def _text(self, handle: BinaryIO, prefix: str, packed: int, before: int) -> Items:
        head = _magic(handle)
        if head.startswith((*ZIP_MAGIC, GZIP_MAGIC)):
            yield reject(_place(prefix), "nested_archive", "an archive in an archive")
            return
        encoding, start = detect_encoding(head)
        size = handle.seek(0, 2)
        if encoding == "utf-8":
            yield from self._lay_out(Text(handle, start, size), prefix, packed, before)
            return
        faults: list[MalformedInputError] = []
        with spool(_catch_fault(transcode(handle, encoding, start), faults)) as content:
            text = Text(content, 0, content.seek(0, 2), original=handle)
            if not faults:
                yield from self._lay_out(text, prefix, packed, before)
        for fault in faults:
            yield reject(_place(prefix), fault.kind, fault.reason)

    def _lay_out(self, text: Text, prefix: str, packed: int, before: int) -> Items:
        self._progress = _Progress(text.handle, text.size, packed, before)
        for item in Layout(text, self._limits.document_bytes).items():
            yield _under(prefix, item) if prefix else item


_OFFICE_MEMBER = "[Content_Types].xml"
"""In every .xlsx, .docx and .pptx, which are zip archives."""


def _under(prefix: str, item: Document | Rejection) -> Item:
    item.place = prefix + item.place
    return item


def _place(prefix: str) -> str:
    return prefix.removesuffix(": ") or "document"


def _catch_fault(chunks: Iterator[bytes], faults: list[MalformedInputError]) -> Iterator[bytes]:
    """Yield the chunks; the fault that ends them goes into `faults`."""
    try:
        yield from chunks
    except MalformedInputError as fault:
        faults.append(fault)


def _magic(handle: BinaryIO) -> bytes:
    handle.seek(0)
    head = handle.read(_MAGIC_BYTES)
    handle.seek(0)
    return head


def _is_seekable(stream: BinaryIO) -> bool:
    return bool(getattr(stream, "seekable", lambda: False)())


def _reject_unreadable(error: OSError | ValueError) -> Rejection:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return reject("document", "unreadable", f"cannot be read: {reason}")
