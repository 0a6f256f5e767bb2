"""Secrets never leave the reader (R44): what stands under a secret key, and bearer tokens anywhere in a string.

`may_hold_secret` looks at the bytes and clears almost every document at the speed of a search. The others are walked,
also inside strings that hold JSON (arguments as text), where a secret is as readable as anywhere.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from trace_store.model import JSON
from trace_store.readers.parsing.tolerant import RepeatedKeys, load_tolerantly

REDACTED = "[redacted]"
SECRET_KEYS = frozenset({"run_token", "dystopic_run_token", "authorization"})  # in any case

_BEARER = re.compile(r"Bearer [A-Za-z0-9._~+/=-]{16,}")
# A secret key in text that is not JSON: cut-off arguments, a Python literal, JSON escaped once more. The value ends at
# the quote that opened it, with as many backslashes.
_KEYED = re.compile(
    r"""((\\{0,16}["'])(?:dystopic_run_token|run_token|authorization)\2\s*:\s*(\\{0,16}["']))(.*?)(?=(?<!\\)\3|\Z)""",
    re.I | re.S,
)
# A letter, an underscore or a space as its escape, in a string that holds JSON.
_ESCAPED = re.compile(r"\\u00[24-7]")
_ESCAPED_BYTES = re.compile(_ESCAPED.pattern.encode())
_SURROGATE = re.compile("[\ud800-\udfff]")
# The keys of JSON Schema below which a list under a property's name holds more names, and no values of it.
_NAMES_BELOW = frozenset({"dependentRequired", "dependencies"})


def may_hold_secret(canonical: bytes, has_escapes: bool = True) -> bool:
    """Return whether a document needs the walk. `canonical` is compact JSON without needless escapes, so that no `\\u`
    hides a word outside of strings that hold JSON themselves; where those have escapes of letters, it needs the walk.
    `has_escapes`: whether the document, as it stood, had `\\u00` anywhere."""
    if b"Bearer " in canonical or (has_escapes and b"\\\\u00" in canonical and _ESCAPED_BYTES.search(canonical)):
        return True
    lower = canonical.lower()
    tokens = lower.count(b"run_token")
    # `run_token_jti` is safe, and in every run; `run_token_expired` and its like are classes.
    return (tokens > 0 and tokens != lower.count(b"run_token_")) or b"authorization" in lower


@dataclass(slots=True)
class Redactions:
    """How many values were replaced, and the path of the first."""

    count: int = 0
    first: str | None = None

    def add(self, path: str) -> None:
        self.count += 1
        if self.first is None:
            self.first = path


def redact(value: JSON) -> tuple[JSON, Redactions]:
    """Return the value without its secrets, and what was found. Containers are changed in place. Nothing is counted
    twice: what is redacted already stays as it is."""
    redactions = Redactions()
    # A string as a whole body is its final response (R2).
    return _redact(value, "final_response" if isinstance(value, str) else "", None, redactions), redactions


def redact_text(text: str) -> str:
    """Return a text without its secrets."""
    return _text(text, "", Redactions())


def _redact(value: JSON, path: str, key: str | None, redactions: Redactions) -> JSON:
    """Return the value without its secrets; `key` is the name under which it stands."""
    if isinstance(value, str):
        return _text(value, path, redactions)
    if isinstance(value, list):
        for index, item in enumerate(value):
            value[index] = _redact(item, f"{path}[{index}]", None, redactions)
    elif isinstance(value, dict):
        if isinstance(value, RepeatedKeys):
            for name, item in value.dropped:  # not in the value, but in the raw document
                _redact({name: item}, path, key, redactions)
        for name, item in value.items():
            name_in_path = _BEARER.sub(REDACTED, name)  # a path must not tell what the keys no longer do
            below = f"{path}.{name_in_path}" if path else name_in_path
            value[name] = (
                _secrets(item, below, key, redactions)
                if name.lower() in SECRET_KEYS and isinstance(item, str | list)
                else _redact(item, below, name, redactions)
            )
        if any("Bearer " in name for name in value):
            _rename(value, path, redactions)
    return value


def _secrets(item: str | list[JSON], path: str, parent: str | None, redactions: Redactions) -> JSON:
    """Return what stands under a secret key, redacted: a text, or a header that was sent more than once."""
    if isinstance(item, str):
        return _secret(item, path, redactions)
    if parent in _NAMES_BELOW:
        return item
    return [
        _secret(entry, f"{path}[{index}]", redactions)
        if isinstance(entry, str)
        else _redact(entry, f"{path}[{index}]", None, redactions)
        for index, entry in enumerate(item)
    ]


def _rename(value: dict[str, JSON], path: str, redactions: Redactions) -> None:
    """Take bearer tokens out of keys without losing an entry."""
    entries = [
        (_bearer(key, f"{path}.{REDACTED}" if path else REDACTED, redactions), item) for key, item in value.items()
    ]
    value.clear()
    for key, item in entries:
        while key in value:
            key += "'"
        value[key] = item


def _secret(value: str, path: str, redactions: Redactions) -> str:
    if value and value != REDACTED:
        redactions.add(path)
        return REDACTED
    return value


def _text(text: str, path: str, redactions: Redactions) -> str:
    if not (
        "Bearer " in text or "\\u00" in text or any(word in text.lower() for word in ("run_token", "authorization"))
    ):
        return text
    if text.lstrip()[:1] in ("{", "[", '"'):
        within = Redactions()
        try:
            inner = _redact(load_tolerantly(text), path, None, within)
        except (ValueError, RecursionError):
            pass  # not valid JSON: searched as plain text below
        else:
            if not within.count:
                return text
            redactions.count += within.count
            redactions.first = redactions.first or path
            return _dumps(inner)
    return _KEYED.sub(lambda match: _keyed(match, path, redactions), _bearer(text, path, redactions))


def _bearer(text: str, path: str, redactions: Redactions) -> str:
    def replacement(_: re.Match[str]) -> str:
        redactions.add(path)
        return REDACTED

    return _BEARER.sub(replacement, text)


def _keyed(match: re.Match[str], path: str, redactions: Redactions) -> str:
    return match[1] + _secret(match[4], path, redactions)


def _dumps(value: JSON) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # A lone surrogate can only stand in the document as its escape.
    return json.dumps(value) if _SURROGATE.search(text) else text
