"""Byte order marks: UTF-8 with one is read as it is, UTF-16 and UTF-32 are read through UTF-8 (R43)."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from trace_store.readers.parsing.faults import Fault

_CHUNK = 1 << 20
# The longer first: a UTF-32 mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def mark_of(head: bytes) -> tuple[str, int]:
    """The encoding that the first bytes of a text name, and the length of the mark: UTF-8 and 0 without one."""
    return next(((name, len(mark)) for mark, name in _MARKS if head.startswith(mark)), ("utf-8", 0))


def transcoded(handle: BinaryIO, encoding: str, start: int) -> Iterator[bytes]:
    """The text from `start` on, in UTF-8, by chunks. Raises Fault where it is not in that encoding."""
    handle.seek(start)
    decoder = codecs.getincrementaldecoder(encoding)()
    read = start
    while chunk := handle.read(_CHUNK):
        yield _decoded(decoder, chunk, read, encoding)
        read += len(chunk)
    yield _decoded(decoder, b"", read, encoding)


def _decoded(decoder: codecs.IncrementalDecoder, chunk: bytes, read: int, encoding: str) -> bytes:
    waiting = len(decoder.getstate()[0])  # bytes of a character that the last chunk cut
    try:
        return decoder.decode(chunk, final=not chunk).encode()
    except UnicodeDecodeError as error:
        name = encoding.upper().removesuffix("-LE").removesuffix("-BE")
        offset = read - waiting + error.start
        raise Fault("invalid_utf8", f"invalid {name} at byte {offset}", offset) from None
