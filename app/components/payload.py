"""How data reaches the browser: a short head, then a body that is parsed only when it is new.

Streamlit calls a component again on every rerun of the page. Ten thousand messages are not worth parsing each time, so
the body travels as bytes behind a digest: the browser keeps what it has built as long as the digest stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import orjson

from trace_store.model import JSON


def payload(body: object, **head: JSON) -> bytes:
    """`head`, with the body's `digest`, as one line of JSON; then `body`. Raises TypeError for what is no JSON."""
    content = orjson.dumps(body)
    line: Mapping[str, JSON] = {"digest": blake2b(content, digest_size=12).hexdigest(), **head}
    return orjson.dumps(line) + b"\n" + content


def json_text(value: JSON) -> str:
    """A JSON value as compact text. Numbers keep their Python form: the browser shows the text and never parses it,
    so that 1.0 stays 1.0 and no digit of a long integer is lost."""
    return orjson.dumps(value).decode()
