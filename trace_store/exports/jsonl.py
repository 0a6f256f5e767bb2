"""Raw documents, one a line: what `export --format jsonl` gives back is what came in, and imports as the same runs."""

from __future__ import annotations

import codecs

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def line_of(raw: bytes) -> bytes:
    """`raw`, one JSON document in any encoding that R43 reads, as one line of UTF-8, its end included.

    Nothing is parsed: outside strings a line break in JSON is only white space, and inside them there is none.
    """
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            raw = raw.decode(encoding).encode()
            break
    return raw.strip().replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"
