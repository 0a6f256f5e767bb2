"""Bytes of packed, piped and encoded files as seekable UTF-8, through a temporary file and within limits (R43)."""

from __future__ import annotations

import codecs
import io
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from trace_store.readers.rejections import MalformedInputError


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes, except for `ratio` (unpacked to packed) and `members` (of one archive).

    `document_bytes`: one JSON value. `unpacked_bytes`: what one gzip or one member of an archive unpacks to;
    `archive_bytes`: all members of one archive together. `ratio` is looked at from `ratio_from_bytes` on, because
    small repetitive files are packed well without being bombs.
    """

    document_bytes: int = 256 << 20
    unpacked_bytes: int = 8 << 30
    archive_bytes: int = 16 << 30
    ratio: int = 250
    ratio_from_bytes: int = 64 << 20
    members: int = 50_000


LIMITS = Limits()


GZIP_MAGIC = b"\x1f\x8b"
_CHUNK = 1 << 20
_IN_MEMORY = 8 << 20  # bytes; a larger spool goes to disk


def spool(chunks: Iterable[bytes]) -> BinaryIO:
    """Return a seekable handle on what the chunks hold, at its start. To be closed by the caller."""
    handle: BinaryIO = io.BytesIO()
    size = 0
    try:
        for chunk in chunks:
            size += len(chunk)
            if size > _IN_MEMORY and isinstance(handle, io.BytesIO):
                memory, handle = handle, tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
                handle.write(memory.getvalue())
            handle.write(chunk)
        handle.seek(0)
    except BaseException:
        handle.close()
        raise
    return handle


def read_chunks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the content of a stream from here on."""
    while chunk := stream.read(_CHUNK):
        yield chunk


def gunzip(handle: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """Yield the content of a gzip file; several gzip files after one another are one.

    Raises MalformedInputError where it is damaged or cut short (after what could be read), too large, or a bomb.
    """
    packed, unpacked = 0, 0
    stream = zlib.decompressobj(wbits=31)
    for chunk in read_chunks(handle):
        packed += len(chunk)
        while chunk:
            if stream.eof:  # another one follows, or padding
                chunk = chunk.lstrip(b"\0")
                if not chunk:
                    break
                if not chunk.startswith(GZIP_MAGIC[: len(chunk)]):
                    raise MalformedInputError("broken_archive", "something else follows the gzip data")
                stream = zlib.decompressobj(wbits=31)
            try:
                piece = stream.decompress(chunk, _CHUNK)
            except zlib.error:
                raise MalformedInputError("broken_archive", "the gzip data is damaged") from None
            unpacked += len(piece)
            check_size(packed, unpacked, limits)
            yield piece
            chunk = stream.unused_data if stream.eof else stream.unconsumed_tail
    if not stream.eof:
        raise MalformedInputError("broken_archive", "the gzip data is cut short")


def check_size(packed: int, unpacked: int, limits: Limits) -> None:
    """Raise MalformedInputError where so many bytes may not come out of so few (R43)."""
    if unpacked > limits.unpacked_bytes:
        raise MalformedInputError("too_large", f"unpacks to more than {limits.unpacked_bytes >> 20:,} MB")
    if unpacked > limits.ratio_from_bytes and unpacked > limits.ratio * packed:
        raise MalformedInputError("archive_bomb", f"unpacks to more than {limits.ratio} times its size")


_CHUNK = 1 << 20
# The longer first: a UTF-32 mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def detect_encoding(head: bytes) -> tuple[str, int]:
    """Return the encoding that the first bytes of a text name, and the length of the mark: UTF-8 and 0 without one."""
    return next(((name, len(mark)) for mark, name in _MARKS if head.startswith(mark)), ("utf-8", 0))


def transcode(handle: BinaryIO, encoding: str, start: int) -> Iterator[bytes]:
    """Yield the text from `start` on, in UTF-8, by chunks. Raises MalformedInputError where it is invalid."""
    handle.seek(start)
    decoder = codecs.getincrementaldecoder(encoding)()
    read = start
    while chunk := handle.read(_CHUNK):
        yield _decode(decoder, chunk, read, encoding)
        read += len(chunk)
    yield _decode(decoder, b"", read, encoding)


def _decode(decoder: codecs.IncrementalDecoder, chunk: bytes, read: int, encoding: str) -> bytes:
    waiting = len(decoder.getstate()[0])  # bytes of a character that the last chunk cut
    try:
        return decoder.decode(chunk, final=not chunk).encode()
    except UnicodeDecodeError as error:
        name = encoding.upper().removesuffix("-LE").removesuffix("-BE")
        offset = read - waiting + error.start
        raise MalformedInputError("invalid_utf8", f"invalid {name} at byte {offset}", offset) from None
