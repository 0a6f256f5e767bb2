"""Raw documents as text and as values: read tolerantly, as the import reads them, so that nothing is lost on the way.

Pure: no Streamlit, no store.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from trace_store.model import JSON
from trace_store.readers.parsing.tolerant import loads_everything

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


class Place(NamedTuple):
    """What stands at a path of a document: as much of the path as there is, and the value there."""

    path: str
    value: JSON


def text_of(raw: bytes) -> str:
    """The document as text, in the encoding that its first bytes tell; what is no text there becomes U+FFFD."""
    return raw.decode(json.detect_encoding(raw), errors="replace")


def value_of(raw: bytes) -> JSON:
    """The document as a value: integers of any size stay exact, NaN and infinities are floats. Null for what is no
    JSON; an import would not have let it in."""
    try:
        return loads_everything(text_of(raw))
    except (ValueError, RecursionError):
        return None


def place_in(document: JSON, path: str) -> Place | None:
    """What stands at `path`, or at the longest part of it that the document has; None where it has no part of it.

    Paths are those of findings: `tools_schema[2].input_schema`, `error.stage`.
    """
    value, reached = document, 0
    for step in _STEP.finditer(path):
        key, index = step.groups()
        if key is not None and isinstance(value, dict) and key in value:
            value = value[key]
        elif index is not None and isinstance(value, list) and int(index) < len(value):
            value = value[int(index)]
        else:
            break
        reached = step.end()
    return Place(path[:reached], value) if reached else None
