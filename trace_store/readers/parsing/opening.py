"""From the bytes of a value to documents: itself, its elements, or the runs that it wraps (R41)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TypeAlias

from trace_store.model import JSON
from trace_store.readers import rejections
from trace_store.readers.document import Document, document_of
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
from trace_store.readers.parsing.faults import Fault
from trace_store.readers.parsing.parse import Parsed, parse
from trace_store.readers.parsing.positions import Inside, Where
from trace_store.readers.parsing.splitting import Outline, Span, Splitter
from trace_store.readers.rejections import Rejection, not_a_run, rejected

Item: TypeAlias = Document | Rejection
Stamps: TypeAlias = dict[str, JSON]

MAX_LEVELS = 4  # of values opened inside each other
HEAD = 1 << 16  # bytes by which it is told what something is instead of JSON
_OBJECT, _ARRAY = ord("{"), ord("[")


class Opener:
    """Opens values, none of which may be larger than `document_bytes`. `level` counts how many it stands in."""

    def __init__(self, document_bytes: int) -> None:
        self._document_bytes = document_bytes

    def opened(
        self,
        place: str,
        raw: bytes,
        where: Where,
        *,
        prefix: str,
        stamps: Stamps,
        level: int,
        known: dict[str, JSON] | None = None,
    ) -> Iterator[Item]:
        """What the bytes of one value hold. `prefix` is what the places of its parts begin with."""
        try:
            parsed = parse(raw, known)
        except Fault as fault:
            yield refusal(place, raw[:HEAD], fault, where)
        else:
            yield from self.parts(place, parsed, raw, where, prefix=prefix, stamps=stamps, level=level)

    def parts(
        self, place: str, parsed: Parsed, raw: bytes, where: Where, *, prefix: str, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        """The same for a value that is parsed; `raw` are its bytes. Arrays in arrays are no runs, and stay closed."""
        value = parsed.value
        if isinstance(value, list) and level == 0:
            splitter = Splitter(io.BytesIO(raw))
            yield from self.elements(splitter, splitter.skip_space(0), prefix, where, stamps, level)
        elif level < MAX_LEVELS and is_wrapper(value):
            splitter = Splitter(io.BytesIO(raw))
            outline = splitter.outline(splitter.skip_space(0), HOLDING)
            yield from self.wrapped(splitter, outline, value, where, prefix=prefix, stamps=stamps, level=level)
        else:
            yield document_of(place, parsed, stamps)

    def elements(
        self, splitter: Splitter, at: int, name: str, where: Where, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        """The elements of the array at `at`, which goes by `name`; a fault that ends it is the last item."""
        count = 0
        try:
            for span in splitter.elements(at):
                count += 1
                yield from self.element(splitter, span, f"{name}[{count - 1}]", where, stamps, level + 1)
        except Fault as fault:
            yield refusal(f"{name}[{count}]", b"", fault, where)

    def element(
        self, splitter: Splitter, span: Span, place: str, where: Where, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        """What one element holds; why it is none, where it is cut short."""
        if span.end - span.start > self._document_bytes:
            yield refusal(place, b"", span.fault, where) if span.fault else too_large(place, self._document_bytes)
            return
        raw = splitter.read(span.start, span.end)
        inside = Inside(where, span.start)
        yield from self.opened(place, raw, inside, prefix=f"{place}.", stamps=stamps, level=level, known=span.value)

    def wrapped(
        self,
        splitter: Splitter,
        outline: Outline,
        value: dict[str, JSON],
        where: Where,
        *,
        prefix: str,
        stamps: Stamps,
        level: int,
    ) -> Iterator[Item]:
        """The runs of a wrapper: `outline` says where its members are, `value` what the small ones hold."""
        broken_off = False
        for member in outline.members:
            name = prefix + member.name
            if member.name in HOLDING and splitter.byte(member.start) == _ARRAY:
                broken_off = member.end is None  # and said by the elements
                if member.name == SCENARIOS:
                    rollup = stamps | facts(value, ROLLUP_FACTS)
                    yield from self._scenarios(splitter, member.start, name, where, rollup, level)
                else:
                    yield from self.elements(splitter, member.start, name, where, stamps, level)
        if outline.fault is not None and not broken_off:
            yield refusal(prefix.rstrip(". :") or "document", b"", outline.fault, where)

    def _scenarios(
        self, splitter: Splitter, at: int, name: str, where: Where, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        count = 0
        try:
            for span in splitter.elements(at, LISTS_WALK):
                place = f"{name}[{count}]"
                count += 1
                if splitter.byte(span.start) == _OBJECT:
                    yield from self._scenario(splitter, span.start, place, where, stamps, level)
                else:
                    yield from self._no_scenario(splitter, span, place, where)
        except Fault as fault:
            yield refusal(f"{name}[{count}]", b"", fault, where)

    def _scenario(
        self, splitter: Splitter, at: int, place: str, where: Where, stamps: Stamps, level: int
    ) -> Iterator[Item]:
        outline = splitter.outline(at, LISTS_WALK)
        own = stamps | facts(sketch(splitter, outline), SCENARIO_FACTS)
        broken_off = False
        for member in outline.members:
            if member.name in LISTS and splitter.byte(member.start) == _ARRAY:
                broken_off = member.end is None
                yield from self.elements(splitter, member.start, f"{place}.{member.name}", where, own, level)
        if outline.fault is not None and not broken_off:
            yield refusal(place, b"", outline.fault, where)

    def _no_scenario(self, splitter: Splitter, span: Span, place: str, where: Where) -> Iterator[Item]:
        for item in self.element(splitter, span, place, where, {}, MAX_LEVELS):
            yield not_a_run(item.place, item.value) if isinstance(item, Document) else item


def refusal(place: str, head: bytes, fault: Fault, where: Where) -> Rejection:
    """The rejection for a fault. `head` are the first bytes of the document, by which a web page is told (R43)."""
    if fault.kind in ("broken_json", "truncated_json"):
        other = rejections.markup(place, head) or rejections.binary(place, head)
        if other is not None:
            return other
        line, column = where.line_and_column(fault.offset)
        said = "JSON is cut short" if fault.kind == "truncated_json" else "broken JSON"
        return rejected(place, fault.kind, f"{said} at line {line}, column {column}: {fault.reason}")
    if fault.kind == "invalid_utf8":
        return rejected(place, fault.kind, f"{fault.reason} at {where.byte(fault.offset)}")
    return rejected(place, fault.kind, fault.reason)


def too_large(place: str, limit: int) -> Rejection:
    """The rejection of a document that is larger than the limit, in bytes."""
    return rejected(place, "too_large", f"the document is larger than {limit >> 20:,} MB")
