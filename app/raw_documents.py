"""Raw documents as text and as values: read tolerantly, as the import reads them, so that nothing is lost on the way.

Pure: no Streamlit, no store.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from trace_store.model import JSON, Path, Step
from trace_store.readers.parsing.tolerant import load_tolerantly


class ValueAtPath(NamedTuple):
    """A value in a document, and as much of the path to it as the document has."""

    path: Path
    value: JSON


def text_of(raw: bytes) -> str:
    """Return the document as text, in the encoding that its first bytes tell; what is not valid becomes U+FFFD."""
    return raw.decode(json.detect_encoding(raw), errors="replace")


def value_of(raw: bytes) -> JSON:
    """Return the document as a value: integers of any size stay exact, NaN and infinities are floats. None for what is
    not valid JSON, which an import would have rejected."""
    try:
        return load_tolerantly(text_of(raw))
    except (ValueError, RecursionError):
        return None


def find_value(document: JSON, path: str) -> ValueAtPath | None:
    """Return what `path` leads to, or the longest part of it that the document has; None where it has no part of it.

    Paths are those of findings: `tools_schema[2].input_schema`, `error.stage`.
    """
    value = document
    steps: list[Step] = []
    for step in Path(path).steps:
        members = dict(enumerate(value)) if isinstance(value, list) else value
        if not isinstance(members, dict) or step not in members:
            break
        value = members[step]
        steps.append(step)
    return ValueAtPath(Path.of(*steps), value) if steps else None
