"""Bytes to one parsed document: the value, its digest, what had to be changed, and no secrets left (R43, R44).

orjson parses most documents at ten times the speed of the standard library. It is exact but for two things that it
passes over in silence: repeated keys, and integers beyond 64 bits, which become floats. Both are found by comparing
the bytes with the canonical form, which the digest needs anyway. Where either may be there, or orjson refuses
(NaN, lone surrogates, control characters), the tolerant parser has the last word.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256

import orjson

from trace_store.model import JSON, SoftWarning
from trace_store.readers import rejections
from trace_store.readers.parsing.tolerant import MAX_DEPTH, TooDeepError, clean, load_tolerantly
from trace_store.readers.redaction import may_hold_secret, redact
from trace_store.readers.rejections import MalformedInputError

UTF8_BOM = b"\xef\xbb\xbf"
# orjson writes at most 254 levels. In so many more arrays it refuses exactly what nests deeper than R43 allows.
_HEADROOM = 254 - MAX_DEPTH
# Each becomes a Python object of 100 bytes and more. Those in strings count as well, so that there is room for them.
_MAX_CONTAINERS = 8_000_000
# Every digit as 0: a long number is then found by a plain search.
_DIGITS = bytes(ord("0") if chr(byte).isdigit() and byte < 128 else byte for byte in range(256))
_LONG_NUMBER = b"0" * 19  # the shortest integers beyond 64 bits
_LONG_INTEGER = re.compile(rb"(?:^|[\s:,\[])-?[0-9]{19,}(?:[\s,\]}]|$)")  # or, rarely, one in a text


@dataclass(slots=True)
class Parsed:
    """One JSON value. `raw` is what was parsed, or equal JSON where a secret was taken out; `redacted_at` is the path
    of the first."""

    raw: bytes
    value: JSON
    canonical: bytes
    warnings: list[SoftWarning] = field(default_factory=list)
    redactions: int = 0
    redacted_at: str | None = None


def parse(raw: bytes, orjson_value: dict[str, JSON] | None = None) -> Parsed:
    """Parse one document. `orjson_value`: what orjson made of it, where the caller has that. Raises
    MalformedInputError."""
    if len(raw) > _MAX_CONTAINERS and raw.count(b"{") + raw.count(b"[") > _MAX_CONTAINERS:
        raise MalformedInputError("too_large", f"more than {_MAX_CONTAINERS:,} arrays and objects in one document")
    try:
        value = orjson.loads(raw) if orjson_value is None else orjson_value
        canonical = write_canonical(value)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return _parse_tolerantly(raw)
    has_escapes = b"\\u00" in raw  # of ASCII: most documents have none, and nothing hides in them
    if _is_inexact(raw, canonical, has_escapes):
        return _parse_tolerantly(raw)
    parsed = Parsed(raw, value, canonical)
    if may_hold_secret(canonical, has_escapes):
        try:
            parsed.value, redactions = redact(value)
        except RecursionError:  # near the limit of a caller that is deep itself
            raise _too_deep() from None
        if redactions.count:
            parsed.raw = orjson.dumps(parsed.value)
            parsed.canonical = write_canonical(parsed.value)
            parsed.redactions, parsed.redacted_at = redactions.count, redactions.first
    return parsed


def write_canonical(value: JSON) -> bytes:
    """Return `value` as compact JSON with sorted keys. Raises orjson.JSONEncodeError where the value nests deeper than
    200."""
    for _ in range(_HEADROOM):
        value = [value]
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)[_HEADROOM:-_HEADROOM]


def compute_digest(canonical: bytes) -> bytes:
    """Return the SHA-256 of a canonical document (R42)."""
    return sha256(canonical).digest()


def _is_inexact(raw: bytes, canonical: bytes, has_escapes: bool) -> bool:
    """Return whether orjson may have passed over a repeated key or a long integer.

    Every key brings one colon, strings keep theirs, and both forms write them alike: a dropped entry, and nothing
    else, leaves fewer. Only an escaped colon would be counted on one side alone.
    """
    return (
        raw.count(b":") != canonical.count(b":")
        or (has_escapes and (b"\\u003a" in raw or b"\\u003A" in raw))
        or (_LONG_NUMBER in raw.translate(_DIGITS) and _LONG_INTEGER.search(raw) is not None)
    )


def _parse_tolerantly(raw: bytes) -> Parsed:
    text = _decode(raw)
    try:
        python_value, redactions = redact(load_tolerantly(text))
        value, warnings = clean(python_value)
    except json.JSONDecodeError as error:
        raise _broken(error, text) from None
    except (TooDeepError, RecursionError):
        raise _too_deep() from None
    parsed = Parsed(raw, value, write_canonical(value), warnings, redactions.count, redactions.first)
    if redactions.count:
        # Python writes NaN and long integers as they were.
        parsed.raw = json.dumps(python_value, ensure_ascii=True).encode()
    return parsed


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        offset = error.start + (len(UTF8_BOM) if raw.startswith(UTF8_BOM) else 0)
        refused = rejections.refuse_binary("", raw[:4096])
        if refused is not None:
            raise MalformedInputError("binary", refused.reason, offset) from None
        raise MalformedInputError("invalid_utf8", "invalid UTF-8", offset) from None


def _too_deep() -> MalformedInputError:
    return MalformedInputError("too_deep", f"nested deeper than {MAX_DEPTH} levels")


def _broken(error: json.JSONDecodeError, text: str) -> MalformedInputError:
    offset = len(text[: error.pos].encode("utf-8"))
    why = error.msg[:1].lower() + error.msg[1:]
    cut_short = not text[error.pos :].strip() or error.msg.startswith("Unterminated string")
    return MalformedInputError("truncated_json" if cut_short else "broken_json", why, offset)
