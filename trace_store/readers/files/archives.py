"""Zip archives: which members are read, and which are refused (R41, R43). Nothing is ever unpacked to a path."""

from __future__ import annotations

import lzma
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from trace_store.readers.files.folders import Kind, kind_of
from trace_store.readers.files.unpacking import Limits, check_size, spool
from trace_store.readers.rejections import MalformedInputError

ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")  # an archive with members, and an empty one
_CHUNK = 1 << 20
_END_WITHIN = (1 << 16) + 128  # bytes from the end in which the record of the directory stands
# Where that record holds the directory's size: that of a large archive first, because it then overrules the other.
_DIRECTORY_SIZES = ((b"PK\x06\x06", "<Q", 40), (b"PK\x05\x06", "<I", 12))
_DIRECTORY_ENTRY = 256  # bytes of a member in the directory, generously
_ENCRYPTED = 0x1
_UNSAFE = re.compile(r"^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)")
# What a damaged or hostile archive makes the standard library raise.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError, OSError, RuntimeError,
    ValueError, OverflowError,
)  # fmt: skip


@dataclass(slots=True)
class Member:
    """A file of an archive: its name, and its content as a seekable handle (to be closed by the caller), or why it is
    refused; `skipped` where its name is not that of a file of runs. `packed_bytes` is its size in the archive."""

    name: str
    packed_bytes: int
    content: BinaryIO | None = None
    fault: MalformedInputError | None = None
    skipped: bool = False


def open_members(handle: BinaryIO, limits: Limits) -> Iterator[Member]:
    """Yield the members of an archive in the order of their names. Raises MalformedInputError for a bad archive."""
    _check_directory(handle, limits)
    try:
        archive = zipfile.ZipFile(handle)
    except _DAMAGE as error:
        raise MalformedInputError("broken_archive", f"the zip archive cannot be read: {_describe(error)}") from None
    unpacked = 0
    with archive:
        for info in sorted(archive.infolist(), key=lambda info: info.filename):
            kind = kind_of(info.filename)
            if info.filename.endswith("/") or (kind is Kind.HIDDEN and not _UNSAFE.search(info.orig_filename)):
                continue
            member = Member(info.filename, info.compress_size)
            try:
                _check(info, kind, limits)
                if kind is Kind.RUNS:
                    unpacked += info.file_size
                    if unpacked > limits.archive_bytes:
                        reason = f"the archive unpacks to more than {limits.archive_bytes >> 20:,} MB"
                        raise MalformedInputError("archive_bomb", reason)
                    member.content = _unpack(archive, info)
                else:
                    member.skipped = True
            except MalformedInputError as fault:
                member.fault = fault
            yield member


def _check(info: zipfile.ZipInfo, kind: Kind, limits: Limits) -> None:
    if _UNSAFE.search(info.orig_filename):
        raise MalformedInputError("unsafe_member", "its name leads out of the archive")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise MalformedInputError("unsafe_member", "it is a symbolic link")
    if kind is Kind.ARCHIVE:
        raise MalformedInputError("nested_archive", "an archive in an archive")
    if kind is Kind.RUNS:
        if info.flag_bits & _ENCRYPTED:
            raise MalformedInputError("encrypted_member", "it is encrypted")
        check_size(info.compress_size, info.file_size, limits)


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> BinaryIO:
    # The library stops at the size that the directory states, which has been checked.
    try:
        with archive.open(info) as stream:
            return spool(iter(lambda: stream.read(_CHUNK), b""))
    except _DAMAGE as error:
        raise MalformedInputError("broken_archive", f"it cannot be unpacked: {_describe(error)}") from None


def _check_directory(handle: BinaryIO, limits: Limits) -> None:
    """Refuse an archive by the size of its directory, before the library holds an object for each member."""
    size = handle.seek(0, 2)
    handle.seek(max(0, size - _END_WITHIN))
    tail = handle.read()
    directory_bytes = 0
    for record, layout, offset in _DIRECTORY_SIZES:
        at = tail.rfind(record)
        if at >= 0 and len(tail) >= at + offset + struct.calcsize(layout):
            directory_bytes = struct.unpack_from(layout, tail, at + offset)[0]
            break
    if directory_bytes > limits.members * _DIRECTORY_ENTRY:
        raise MalformedInputError("too_large", f"the archive has more than {limits.members:,} members")


def _describe(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
