"""Raw documents, one a line: what came in goes out again, and imports as the same runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import BinaryIO

from trace_store.contract.bodies import CONTEXT_VARIABLES, context_id
from trace_store.model import JSON
from trace_store.readers.document import STAMPED
from trace_store.readers.files.encodings import mark_of
from trace_store.readers.parsing.tolerant import loads_everything
from trace_store.store.lists.documents import RunRecord

_IN_ROLLUP = "scenarios["
"""In the place of a run that stood in a check rollup."""

# Where a string begins or ends, what escapes a quote, and line breaks.
_MARK = re.compile(rb'\\.|["\r\n]', re.S)
_BREAKS = {b"\r": rb"\r", b"\n": rb"\n"}


def write_jsonl(runs: Iterable[RunRecord], out: BinaryIO) -> int:
    """Writes the raw document of each run as one line of UTF-8, and returns how many. The facts that a check rollup
    stamped on its runs are written into them (R41), since the rollup itself is not kept."""
    count = 0
    for stored in runs:
        line = line_of(stored.raw)
        if stored.place and _IN_ROLLUP in stored.place:
            run = stored.run()
            line = stamped(line, {name: getattr(run, name) for name in STAMPED})
        out.write(line + b"\n")
        count += 1
    return count


def line_of(raw: bytes) -> bytes:
    """A JSON document in any encoding that R43 reads as one line of UTF-8, without its end. Apart from line breaks
    and the space around it, nothing in it changes; it is not parsed."""
    encoding, start = mark_of(raw[:4])
    text = raw[start:] if encoding == "utf-8" else raw[start:].decode(encoding).encode()
    text = text.strip()
    return _unbroken(text) if b"\n" in text or b"\r" in text else text


def _unbroken(text: bytes) -> bytes:
    inside = False

    def written(found: re.Match[bytes]) -> bytes:
        nonlocal inside
        mark = found[0]
        if mark[-1:] in _BREAKS:
            # Inside a string a raw line break is no JSON, but it is read (R43), so it has to be read again.
            return mark[:-1] + (_BREAKS[mark[-1:]] if inside else b" ")
        inside ^= mark == b'"'
        return mark

    return _MARK.sub(written, text)


def stamped(line: bytes, facts: dict[str, JSON]) -> bytes:
    """`line` with the facts that are not null and that it does not state itself."""
    body = loads_everything(line.decode())
    if isinstance(body, str):
        body = {"final_response": body}
        line = json.dumps(body).encode()
    missing = {name: fact for name, fact in facts.items() if fact is not None and not _states(body, name)}
    if not missing:
        return line
    if missing.keys() & body.keys():  # there, but null
        return json.dumps(body | missing).encode()
    added = json.dumps(missing).encode()[:-1]
    return added + (b", " if body else b"") + line[1:].lstrip()


def _states(body: dict[str, JSON], name: str) -> bool:
    return body.get(name) is not None or (name in CONTEXT_VARIABLES and context_id(body, name) is not None)
