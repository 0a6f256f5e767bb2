"""Runs as JSON lines: their raw documents, which import as the same runs, or the envelopes of their failures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import BinaryIO

import orjson

from trace_store.contract.bodies import CONTEXT_VARIABLES, context_id
from trace_store.evidence.envelopes import as_envelope
from trace_store.model import JSON
from trace_store.readers.document import STAMPED
from trace_store.readers.files.unpacking import detect_encoding
from trace_store.readers.parsing.tolerant import load_tolerantly
from trace_store.store import RunRecord

_IN_ROLLUP = "scenarios["
"""In the place of a run that stood in a check rollup."""

# Where a string begins or ends, what escapes a quote, and line breaks.
_MARK = re.compile(rb'\\.|["\r\n]', re.S)
_BREAKS = {b"\r": rb"\r", b"\n": rb"\n"}


def write_jsonl(runs: Iterable[RunRecord], out: BinaryIO) -> int:
    """Write the raw document of each run as one line of UTF-8, and return how many. The facts that a check rollup
    stamped on its runs are written into them (R41), since the rollup itself is not kept."""
    count = 0
    for record in runs:
        line = to_line(record.raw)
        if record.place and _IN_ROLLUP in record.place:
            run = record.run()
            line = add_facts(line, {name: getattr(run, name) for name in STAMPED})
        out.write(line + b"\n")
        count += 1
    return count


def to_line(raw: bytes) -> bytes:
    """Return a JSON document in any encoding that R43 reads as one line of UTF-8, without its end. Only line breaks
    and the space around it change; it is not parsed."""
    encoding, start = detect_encoding(raw[:4])
    text = raw[start:] if encoding == "utf-8" else raw[start:].decode(encoding).encode()
    text = text.strip()
    return _without_breaks(text) if b"\n" in text or b"\r" in text else text


def _without_breaks(text: bytes) -> bytes:
    inside = False

    def replace(match: re.Match[bytes]) -> bytes:
        nonlocal inside
        mark = match[0]
        if mark[-1:] in _BREAKS:
            # A raw line break inside a string is not valid JSON, but imports read it (R43): as an escape it stays.
            return mark[:-1] + (_BREAKS[mark[-1:]] if inside else b" ")
        inside ^= mark == b'"'
        return mark

    return _MARK.sub(replace, text)


def add_facts(line: bytes, facts: dict[str, JSON]) -> bytes:
    """Return `line` with the facts that are not null and that it does not state itself."""
    body = load_tolerantly(line.decode())
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


def write_envelopes(runs: Iterable[RunRecord], out: BinaryIO) -> int:
    """Write each failed or injected call of the runs as an envelope on a line, and return how many. They can be
    published, because no text of a run can get into one (R40)."""
    count = 0
    for record in runs:
        for call in record.run().calls:
            envelope = as_envelope(call, record.run_id)
            if envelope is not None:
                out.write(orjson.dumps(envelope) + b"\n")
                count += 1
    return count
