"""Streams that cannot be read twice, and what is packed, on their way into a temporary file; never into memory."""

from __future__ import annotations

import io
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from trace_store.readers.limits import Limits
from trace_store.readers.parsing.faults import Fault

GZIP_MAGIC = b"\x1f\x8b"
_CHUNK = 1 << 20
_IN_MEMORY = 8 << 20  # bytes; a larger spool goes to disk


def spooled(chunks: Iterable[bytes]) -> BinaryIO:
    """A seekable handle on what the chunks hold, at its start. To be closed by the caller."""
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


def chunks_of(stream: BinaryIO) -> Iterator[bytes]:
    """What a stream holds from here on."""
    while chunk := stream.read(_CHUNK):
        yield chunk


def gunzipped(handle: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """What a gzip file unpacks to; several gzip files after one another are one.

    Raises Fault where it is damaged or cut short (after what could be read), too large, or a bomb.
    """
    packed, unpacked = 0, 0
    stream = zlib.decompressobj(wbits=31)
    for chunk in chunks_of(handle):
        packed += len(chunk)
        while chunk:
            if stream.eof:  # another one follows, or padding
                chunk = chunk.lstrip(b"\0")
                if not chunk:
                    break
                if not chunk.startswith(GZIP_MAGIC[: len(chunk)]):
                    raise Fault("broken_archive", "something else follows the gzip data")
                stream = zlib.decompressobj(wbits=31)
            try:
                piece = stream.decompress(chunk, _CHUNK)
            except zlib.error:
                raise Fault("broken_archive", "the gzip data is damaged") from None
            unpacked += len(piece)
            check_size(packed, unpacked, limits)
            yield piece
            chunk = stream.unused_data if stream.eof else stream.unconsumed_tail
    if not stream.eof:
        raise Fault("broken_archive", "the gzip data is cut short")


def check_size(packed: int, unpacked: int, limits: Limits) -> None:
    """Raises Fault where so many bytes may not come out of so few (R43)."""
    if unpacked > limits.unpacked_bytes:
        raise Fault("too_large", f"unpacks to more than {limits.unpacked_bytes >> 20:,} MB")
    if unpacked > limits.ratio_from_bytes and unpacked > limits.ratio * packed:
        raise Fault("archive_bomb", f"unpacks to more than {limits.ratio} times its size")
