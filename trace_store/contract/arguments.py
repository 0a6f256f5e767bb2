"""Arguments of a call, in the transcript and in the log: decoded but never repaired (R11), and compared (R24)."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import orjson

from trace_store.model import JSON

MAX_DEPTH = 200
"""How deep a document may nest (R43), and so arguments that are decoded out of a text."""

_LONG_NUMBER = re.compile(r"[0-9]{19,}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WHOLE_FLOAT = re.compile(rb"\.0(?![0-9])|[0-9]e\+")


def decode_arguments(value: JSON) -> tuple[JSON, bool]:
    """Return the arguments, and whether they are decoded.

    None and `""` are no arguments, an object is returned unchanged, and a string that is a JSON object is decoded. Any
    other string or value is returned unchanged, as not decoded.
    """
    if value is None or isinstance(value, dict):
        return value, True
    if not isinstance(value, str):
        return value, False
    if not value:
        return None, True
    decoded = _decode(value)
    return (decoded, True) if isinstance(decoded, dict) else (value, False)


def canonical(value: JSON) -> bytes:
    """Return one text for all equal JSON values: keys sorted, and 1.0 written as 1 (R24)."""
    try:
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        # The searches come first: they clear almost every text a hundred times as fast as the expression.
        if (b".0" in text or b"e+" in text) and _WHOLE_FLOAT.search(text):
            text = orjson.dumps(_whole_numbers_as_integers(value), option=orjson.OPT_SORT_KEYS)
    except TypeError:  # what orjson cannot write: integers beyond 64 bits, lone surrogates
        text = json.dumps(_whole_numbers_as_integers(value), sort_keys=True).encode()
    return text


def _decode(text: str) -> JSON:
    # orjson reads an integer beyond 64 bits as a float, and refuses a lone surrogate and a float beyond its range,
    # all of which are JSON: those take the slow way round, to the same values as in a document (R43).
    try:
        value = _decode_tolerantly(text) if _LONG_NUMBER.search(text) else orjson.loads(text)
    except orjson.JSONDecodeError:
        value = _decode_tolerantly(text)
    return None if text.count("{") + text.count("[") > MAX_DEPTH and _is_too_deep(value) else value


def _decode_tolerantly(text: str) -> JSON:
    try:
        value = json.loads(text, parse_int=_parse_integer, parse_float=_parse_float, parse_constant=_refuse_constant)
        return json.loads(_SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None


def _parse_integer(digits: str) -> int | str:
    if len(digits) > 20:
        return digits
    value = int(digits)
    return value if -(2**63) <= value < 2**64 else digits


def _parse_float(digits: str) -> float | None:
    value = float(digits)
    return None if value in (float("inf"), float("-inf")) else value


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _is_too_deep(value: JSON) -> bool:
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for entry in level:
            if isinstance(entry, dict):
                inner.extend(entry.values())
            elif isinstance(entry, list):
                inner.extend(entry)
        if not inner:
            return False
        level = inner
    return any(isinstance(entry, dict | list) for entry in level)


def _whole_numbers_as_integers(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {key: _whole_numbers_as_integers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_whole_numbers_as_integers(inner) for inner in value]
    if isinstance(value, float) and value.is_integer() and -(2**63) <= value < 2**64:
        return int(value)
    return value
