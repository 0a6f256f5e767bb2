"""How runs lie in a text: a value a line, one value, an array of them, or a wrapper (R41). Told by content.

* The first line is a complete value and more follows: lines (JSONL).
* The text is one value: a document, or what its array or wrapper holds.
* Neither: a truncated array or wrapper still gives the elements before the fault; a text in which some line is a run
  is JSONL with bad lines; anything else is rejected once, with line and column.

Arrays and wrappers of any size are walked in constant memory, and every element goes through the parser that a line
goes through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import orjson

from trace_store.model import JSON
from trace_store.readers.document import Document
from trace_store.readers.formats.registry import is_run
from trace_store.readers.formats.wrappers import HOLDING, is_wrapper, sketch
from trace_store.readers.parsing.opening import (
    HEAD,
    FilePosition,
    Item,
    LinePosition,
    NestedPosition,
    Opener,
    refuse,
    refuse_too_large,
)
from trace_store.readers.parsing.parse import parse
from trace_store.readers.parsing.splitting import Outline, Splitter
from trace_store.readers.parsing.tolerant import load_tolerantly
from trace_store.readers.rejections import MalformedInputError, reject

PROBE = 4 << 20  # bytes: a first line up to this is tried, and a text up to this is parsed in one go
_SAMPLE_LINES = 10_000
_SAMPLE_BYTES = 256 << 20
_MAX_BUFFER = 100  # elements of what may turn out to be no array
_ARRAY, _OBJECT = ord("["), ord("{")


@dataclass(slots=True)
class Text:
    """Bytes to read, in UTF-8: a seekable handle and where the text begins (after a byte order mark) and ends.
    `original` is the whole file as it was, where that was encoded otherwise."""

    handle: BinaryIO
    start: int
    size: int
    original: BinaryIO | None = None

    def whole(self) -> bytes:
        """Return the whole file, as it was."""
        handle = self.original or self.handle
        handle.seek(0)
        return handle.read()


class Layout:
    """Reads one text. `items` are its documents and what is rejected of it, in order."""

    def __init__(self, text: Text, document_bytes: int) -> None:
        self._text = text
        self._document_bytes = document_bytes
        self._opener = Opener(document_bytes)
        self._splitter = Splitter(text.handle)
        self._position = FilePosition(text.handle, text.start)

    def items(self) -> Iterator[Item]:
        first = self._splitter.skip_space(self._text.start)
        if first >= self._text.size:
            emptiness = "empty" if self._text.size == self._text.start else "blank"
            yield reject("document", "empty", f"the file is {emptiness}")
        elif self._first_line_is_a_value(first):
            yield from self._lines(self._text.start, 0)
        elif self._splitter.byte(first) == _ARRAY:
            yield from self._array(first)
        elif self._text.size - self._text.start <= PROBE:
            yield from self._small_value(first)
        else:
            yield from self._large_value(first)

    # ---- lines ----

    def _first_line_is_a_value(self, first: int) -> bool:
        """Return whether the first line that is not blank is a complete document, and more follows."""
        self._text.handle.seek(first)
        line = self._text.handle.readline(PROBE)
        if not line.endswith(b"\n") or self._splitter.skip_space(first + len(line)) >= self._text.size:
            return False
        return line[:1] in (b"{", b"[", b'"') and _value_of(line) is not None

    def _some_line_is_a_run(self) -> bool:
        """Return whether a text that is not JSON as a whole is JSONL with bad lines: a line is a run, or most are
        values. A single line is a document, whatever is wrong with it."""
        handle, values, lines, runs = self._text.handle, 0, 0, 0
        handle.seek(self._text.start)
        while lines < _SAMPLE_LINES and handle.tell() < _SAMPLE_BYTES and (line := handle.readline(PROBE)):
            if line.isspace():
                continue
            lines += 1
            # An indented line belongs to something larger, and an empty object says nothing.
            value = _value_of(line) if line[:1] in (b"{", b'"') else None
            values += bool(value)
            runs += isinstance(value, dict) and (is_run(value) or is_wrapper(value))
            if runs and lines > 1:
                return True
        return lines > 1 and values > 0 and values * 2 >= lines

    def _lines(self, start: int, before: int) -> Iterator[Item]:
        """Yield every line from `start` on; `before` is the number of lines that stand before it."""
        handle, limit = self._text.handle, self._document_bytes
        handle.seek(start)
        number = before
        while line := handle.readline(limit + 2):
            number += 1
            begin, start = start, start + len(line)
            if len(line) > limit and not line.endswith(b"\n"):
                while rest := handle.readline(PROBE):
                    start += len(rest)
                    if rest.endswith(b"\n"):
                        break
                yield refuse_too_large(f"line {number}", limit)
            elif not line.isspace():
                place = f"line {number}"
                raw = line.removesuffix(b"\n").removesuffix(b"\r")
                position = LinePosition(number, raw, begin)
                yield from self._opener.open_value(place, raw, position, prefix=f"{place}: ", stamps={}, level=0)

    # ---- arrays ----

    def _array(self, first: int) -> Iterator[Item]:
        """Yield the elements of an array. Until one of them is a run, it may still be a line of a log."""
        buffer: list[Item] | None = []
        fault: MalformedInputError | None = None
        count, end, is_reported = 0, first + 1, False
        try:
            for span in self._splitter.elements(first):
                place = f"[{count}]"
                count, end = count + 1, span.end
                for item in self._opener.element(self._splitter, span, place, self._position, {}, 1):
                    if buffer is None:
                        yield item
                        continue
                    buffer.append(item)
                    if len(buffer) > _MAX_BUFFER or (isinstance(item, Document) and is_run(item.value)):
                        yield from buffer
                        buffer = None
                fault, is_reported = span.fault, span.fault is not None
        except MalformedInputError as error:
            fault = error
        end = self._splitter.skip_space(end) + 1
        follows = self._more_follows(end) if fault is None else None
        problem = fault or follows
        if buffer is not None and problem is not None:
            if self._some_line_is_a_run():
                yield from self._lines(self._text.start, 0)
                return
            if not any(isinstance(item, Document) for item in buffer):
                yield self._refused(first, problem)
                return
        yield from buffer or ()
        if follows is not None:
            yield from self._after(first, end, follows)
        elif fault is not None and not is_reported:
            yield refuse(f"[{count}]", b"", fault, self._position)

    # ---- one value ----

    def _small_value(self, first: int) -> Iterator[Item]:
        raw = self._splitter.read(self._text.start, self._text.size)
        try:
            parsed = parse(raw)
        except MalformedInputError as fault:
            yield from self._pieces(first, fault, None)
            return
        if not parsed.redactions and (self._text.start or self._text.original):
            parsed.raw = self._text.whole()
        position = NestedPosition(self._position, self._text.start)
        yield from self._opener.open_parsed("document", parsed, raw, position, prefix="", stamps={}, level=0)

    def _large_value(self, first: int) -> Iterator[Item]:
        """Read a value that is parsed only once it is clear that it is one, and not a wrapper."""
        outline = self._splitter.outline(first, HOLDING) if self._splitter.byte(first) == _OBJECT else self._end(first)
        fault = outline.fault or self._more_follows(outline.end)
        if fault is not None and outline.fault is None and self._is_first_line(first, outline.end):
            yield from self._lines(self._text.start, 0)
        elif fault is not None:
            yield from self._pieces(first, fault, outline)
        elif is_wrapper(value := sketch(self._splitter, outline)):
            yield from self._wrapper(first, outline, value)
        elif self._text.size > self._document_bytes:
            yield refuse_too_large("document", self._document_bytes)
        else:
            yield from self._small_value(first)

    def _end(self, first: int) -> Outline:
        """Return the outline of a value that is not an object."""
        try:
            return Outline(end=self._splitter.end_of_value(first))
        except MalformedInputError as fault:
            return Outline(fault=fault)

    def _pieces(self, first: int, fault: MalformedInputError, outline: Outline | None) -> Iterator[Item]:
        """Read a text that is not a value as a whole: a wrapper with a fault in it, lines, or nothing."""
        if self._splitter.byte(first) == _OBJECT:
            outline = outline or self._splitter.outline(first, HOLDING)
            value = sketch(self._splitter, outline)
            if is_wrapper(value):
                yield from self._wrapper(first, outline, value)
                return
        if self._some_line_is_a_run():
            yield from self._lines(self._text.start, 0)
        else:
            yield self._refused(first, fault)

    def _wrapper(self, first: int, outline: Outline, value: dict[str, JSON]) -> Iterator[Item]:
        """Yield the runs of a wrapper that is too large, or too broken, to be parsed as a whole."""
        yield from self._opener.open_wrapper(
            self._splitter, outline, value, self._position, prefix="", stamps={}, level=0
        )
        follows = self._more_follows(outline.end) if outline.fault is None else None
        if follows is not None:
            yield from self._after(first, outline.end, follows)

    # ---- what follows a value ----

    def _more_follows(self, end: int) -> MalformedInputError | None:
        """Return the fault that a value is not the whole text."""
        rest = self._splitter.skip_space(end)
        return (
            MalformedInputError("broken_json", "more follows after the end", rest) if rest < self._text.size else None
        )

    def _is_first_line(self, first: int, end: int) -> bool:
        """Return whether the value, which others follow, is a line of its own."""
        between = self._splitter.read(end, self._splitter.skip_space(end))
        return b"\n" in between and self._line(first) == self._line(end)

    def _after(self, first: int, end: int, follows: MalformedInputError) -> Iterator[Item]:
        """Yield what follows a value: lines if the value was one, else a fault."""
        if self._is_first_line(first, end):
            yield from self._lines(follows.offset, self._line(follows.offset) - 1)
        else:
            yield refuse("document", b"", follows, self._position)

    def _line(self, offset: int) -> int:
        return self._position.line_and_column(offset)[0]

    def _refused(self, first: int, fault: MalformedInputError) -> Item:
        """Return why a text holds nothing readable. The parser says it best, where it can see the whole text."""
        start, size = self._text.start, self._text.size
        head = self._splitter.read(first, min(size, first + HEAD))
        if size - start <= PROBE:
            try:
                parse(self._splitter.read(start, size))
            except MalformedInputError as better:
                return refuse("document", head, better, NestedPosition(self._position, start))
        return refuse("document", head, fault, self._position)


def _value_of(line: bytes) -> JSON:
    """Return the value of a line that is complete JSON, however odd, else None."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        pass
    try:
        return load_tolerantly(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):  # no UTF-8, no JSON
        return None
