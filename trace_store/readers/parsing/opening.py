"""From the bytes of a value to documents: itself, its elements, or the runs that it wraps (R41)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol, TypeAlias

from trace_store.model import JSON
from trace_store.readers import rejections
from trace_store.readers.document import Document, make_document
from trace_store.readers.formats.wrappers import (
    HOLDING,
    LISTS,
    LISTS_WALK,
    ROLLUP_FACTS,
    SCENARIO_FACTS,
    SCENARIOS,
    facts,
    is_wrapper,
    sketch,
)
from trace_store.readers.parsing.parse import Parsed, parse
from trace_store.readers.parsing.splitting import Outline, Span, Splitter
from trace_store.readers.rejections import MalformedInputError, Rejection, refuse_non_run, reject

_CHUNK = 1 << 20
_CONTINUATION = bytes(range(0x80, 0xC0))  # the bytes of a UTF-8 character after its first


class Position(Protocol):
    """Turns the offset of a byte in a document into a place in its file."""

    def line_and_column(self, offset: int) -> tuple[int, int]: ...

    def byte(self, offset: int) -> str: ...


class FilePosition:
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
class LinePosition:
    """Offsets in one line of a file: its number, its bytes, and where it begins."""

    number: int
    line: bytes
    start: int

    def line_and_column(self, offset: int) -> tuple[int, int]:
        return self.number, 1 + _characters(self.line[:offset])

    def byte(self, offset: int) -> str:
        return f"byte {offset} of the line, byte {self.start + offset} of the file"


@dataclass(frozen=True, slots=True)
class NestedPosition:
    """Offsets in a value that begins at `start` of another place."""

    outer: Position
    start: int

    def line_and_column(self, offset: int) -> tuple[int, int]:
        return self.outer.line_and_column(self.start + offset)

    def byte(self, offset: int) -> str:
        return self.outer.byte(self.start + offset)


def _characters(text: bytes) -> int:
    return len(text.translate(None, _CONTINUATION))


Item: TypeAlias = Document | Rejection
Stamps: TypeAlias = dict[str, JSON]

MAX_LEVELS = 4  # of values opened inside each other
HEAD = 1 << 16  # bytes by which it is told what something is instead of JSON
_OBJECT, _ARRAY = ord("{"), ord("[")


class Opener:
    """Opens values, none of which may be larger than `document_bytes`. `level` counts how many it stands in."""

    def __init__(self, document_bytes: int) -> None:
        self._document_bytes = document_bytes

    def open_value(
        self,
        place: str,
        raw: bytes,
        position: Position,
        *,
        prefix: str,
        stamps: Stamps,
        level: int,
        orjson_value: dict[str, JSON] | None = None,
    ) -> Iterator[Item]:
        """Yield what the bytes of one value hold. `prefix` is what the places of its parts begin with."""
        try:
            parsed = parse(raw, orjson_value)
        except MalformedInputError as fault:
            yield refuse(place, raw[:HEAD], fault, position)
        else:
            yield from self.open_parsed(place, parsed, raw, position, prefix=prefix, stamps=stamps, level=level)

    def open_parsed(
        self, place: str, parsed: Parsed, raw: bytes, position: Position, *, prefix: str, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        """Yield the same for a value that is parsed; `raw` are its bytes. Arrays in arrays are not runs, and stay
        closed."""
        value = parsed.value
        if isinstance(value, list) and level == 0:
            splitter = Splitter(io.BytesIO(raw))
            yield from self.elements(splitter, splitter.skip_space(0), prefix, position, stamps, level)
        elif level < MAX_LEVELS and is_wrapper(value):
            splitter = Splitter(io.BytesIO(raw))
            outline = splitter.outline(splitter.skip_space(0), HOLDING)
            yield from self.open_wrapper(splitter, outline, value, position, prefix=prefix, stamps=stamps, level=level)
        else:
            yield make_document(place, parsed, stamps)

    def elements(
        self, splitter: Splitter, at: int, name: str, position: Position, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        """Yield the elements of the array at `at`, which goes by `name`; a fault that ends it is the last item."""
        count = 0
        try:
            for span in splitter.elements(at):
                count += 1
                yield from self.element(splitter, span, f"{name}[{count - 1}]", position, stamps, level + 1)
        except MalformedInputError as fault:
            yield refuse(f"{name}[{count}]", b"", fault, position)

    def element(
        self, splitter: Splitter, span: Span, place: str, position: Position, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        """Yield what one element holds, or why it cannot be read where it is cut short."""
        if span.end - span.start > self._document_bytes:
            yield (
                refuse(place, b"", span.fault, position)
                if span.fault
                else refuse_too_large(place, self._document_bytes)
            )
            return
        raw = splitter.read(span.start, span.end)
        inside = NestedPosition(position, span.start)
        yield from self.open_value(
            place, raw, inside, prefix=f"{place}.", stamps=stamps, level=level, orjson_value=span.value
        )

    def open_wrapper(
        self,
        splitter: Splitter,
        outline: Outline,
        value: dict[str, JSON],
        position: Position,
        *,
        prefix: str,
        stamps: Stamps,
        level: int,
    ) -> Iterator[Item]:
        """Yield the runs of a wrapper: `outline` says where its members are, `value` what the small ones hold."""
        broken_off = False
        for member in outline.members:
            name = prefix + member.name
            if member.name in HOLDING and splitter.byte(member.start) == _ARRAY:
                broken_off = member.end is None  # and said by the elements
                if member.name == SCENARIOS:
                    rollup = stamps | facts(value, ROLLUP_FACTS)
                    yield from self._open_scenarios(splitter, member.start, name, position, rollup, level)
                else:
                    yield from self.elements(splitter, member.start, name, position, stamps, level)
        if outline.fault is not None and not broken_off:
            yield refuse(prefix.rstrip(". :") or "document", b"", outline.fault, position)

    def _open_scenarios(
        self, splitter: Splitter, at: int, name: str, position: Position, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        count = 0
        try:
            for span in splitter.elements(at, LISTS_WALK):
                place = f"{name}[{count}]"
                count += 1
                if splitter.byte(span.start) == _OBJECT:
                    yield from self._open_scenario(splitter, span.start, place, position, stamps, level)
                else:
                    yield from self._refuse_scenario(splitter, span, place, position)
        except MalformedInputError as fault:
            yield refuse(f"{name}[{count}]", b"", fault, position)

    def _open_scenario(
        self, splitter: Splitter, at: int, place: str, position: Position, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        outline = splitter.outline(at, LISTS_WALK)
        own = stamps | facts(sketch(splitter, outline), SCENARIO_FACTS)
        broken_off = False
        for member in outline.members:
            if member.name in LISTS and splitter.byte(member.start) == _ARRAY:
                broken_off = member.end is None
                yield from self.elements(splitter, member.start, f"{place}.{member.name}", position, own, level)
        if outline.fault is not None and not broken_off:
            yield refuse(place, b"", outline.fault, position)

    def _refuse_scenario(self, splitter: Splitter, span: Span, place: str, position: Position) -> Iterator[Item]:
        for item in self.element(splitter, span, place, position, {}, MAX_LEVELS):
            yield refuse_non_run(item.place, item.value) if isinstance(item, Document) else item


def refuse(place: str, head: bytes, fault: MalformedInputError, position: Position) -> Rejection:
    """Return the rejection for a fault. `head`: the first bytes of the document, which show a web page (R43)."""
    if fault.kind in ("broken_json", "truncated_json"):
        other = rejections.refuse_markup(place, head) or rejections.refuse_binary(place, head)
        if other is None and place == "document":
            other = rejections.refuse_plain_text(place, head)
        if other is not None:
            return other
        line, column = position.line_and_column(fault.offset)
        problem = "JSON is cut short" if fault.kind == "truncated_json" else "broken JSON"
        return reject(place, fault.kind, f"{problem} at line {line}, column {column}: {fault.reason}")
    if fault.kind == "invalid_utf8":
        return reject(place, fault.kind, f"{fault.reason} at {position.byte(fault.offset)}")
    return reject(place, fault.kind, fault.reason)


def refuse_too_large(place: str, limit: int) -> Rejection:
    """Return the rejection of a document that is larger than the limit, in bytes."""
    return reject(place, "too_large", f"the document is larger than {limit >> 20:,} MB")
