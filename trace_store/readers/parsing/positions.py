"""Where in a file a fault is, for a person: lines and columns from 1, columns in characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO, Protocol

_CHUNK = 1 << 20
_CONTINUATION = bytes(range(0x80, 0xC0))  # the bytes of a UTF-8 character after its first


class Where(Protocol):
    """Turns the offset of a byte in a document into a place in its file."""

    def line_and_column(self, offset: int) -> tuple[int, int]: ...

    def byte(self, offset: int) -> str: ...


class InFile:
    """Offsets in a file. Faults come in order, so that counting goes on from the last one."""

    def __init__(self, handle: BinaryIO, start: int) -> None:
        self._handle = handle
        self._start = start
        self._rewind()

    def line_and_column(self, offset: int) -> tuple[int, int]:
        if offset < self._offset:
            self._rewind()
        self._handle.seek(self._offset)
        while self._offset < offset:
            chunk = self._handle.read(min(_CHUNK, offset - self._offset))
            if not chunk:
                break
            self._offset += len(chunk)
            if newlines := chunk.count(b"\n"):
                self._line += newlines
                self._column = 1
            self._column += _characters(chunk[chunk.rfind(b"\n") + 1 :])
        return self._line, self._column

    def byte(self, offset: int) -> str:
        return f"byte {offset}"

    def _rewind(self) -> None:
        self._offset, self._line, self._column = self._start, 1, 1


@dataclass(frozen=True, slots=True)
class InLine:
    """Offsets in one line of a file: its number, its bytes, and where it begins."""

    number: int
    line: bytes
    start: int

    def line_and_column(self, offset: int) -> tuple[int, int]:
        return self.number, 1 + _characters(self.line[:offset])

    def byte(self, offset: int) -> str:
        return f"byte {offset} of the line, byte {self.start + offset} of the file"


@dataclass(frozen=True, slots=True)
class Inside:
    """Offsets in a value that begins at `start` of another place."""

    outer: Where
    start: int

    def line_and_column(self, offset: int) -> tuple[int, int]:
        return self.outer.line_and_column(self.start + offset)

    def byte(self, offset: int) -> str:
        return self.outer.byte(self.start + offset)


def _characters(text: bytes) -> int:
    return len(text.translate(None, _CONTINUATION))
