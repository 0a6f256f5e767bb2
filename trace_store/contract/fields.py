"""Take known keys out of an object, so that only unknown keys are left (R6), and collect warnings (R14).

A null counts as absent. A known key of the wrong type is read as null, warns, and stays under its own key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from trace_store.contract.scalars import identifier, kind_of
from trace_store.contract.times import Instant, read_time
from trace_store.model import JSON, Path, SoftWarning, WarningKind

T = TypeVar("T")


MAX_WARNINGS = 1_000
"""How many import warnings of one run are kept; those beyond are counted."""


class WarningCollector:
    """The warnings of one import of one run, in order."""

    __slots__ = ("_first_left_out", "_has_naive_time", "_left_out", "_warnings")

    def __init__(self) -> None:
        self._warnings: list[SoftWarning] = []
        self._has_naive_time = False
        self._left_out = 0
        self._first_left_out = Path()

    def add(self, path: Path, kind: WarningKind, reason: str) -> None:
        """Add a warning: `kind` says what the import did at `path`."""
        if len(self._warnings) < MAX_WARNINGS:
            self._warnings.append(SoftWarning("import", path, reason, kind))
            return
        if not self._left_out:
            self._first_left_out = path
        self._left_out += 1

    def warnings(self) -> list[SoftWarning]:
        """Return the warnings; the last one counts those that were left out, if any."""
        if not self._left_out:
            return self._warnings
        are = "warning is" if self._left_out == 1 else "warnings are"
        reason = f"{self._left_out:,} more {are} not listed: a run has {MAX_WARNINGS:,} at most"
        return [*self._warnings, SoftWarning("import", self._first_left_out, reason, "noted")]

    def add_wrong_type(self, path: Path, kind: WarningKind, expected: str, value: JSON) -> None:
        """Add the warning about a value of another type than `expected`, a noun with its article."""
        self.add(path, kind, f"expected {expected}, found {kind_of(value)}")

    def add_naive_time(self, path: Path) -> None:
        """Add the warning about a time without an offset, once a run, at the first such place (R31)."""
        if not self._has_naive_time:
            self._has_naive_time = True
            self.add(path, "noted", "the time has no offset and is taken as UTC; so are the others of this run")


def take(rest: dict[str, JSON], names: tuple[str, ...]) -> tuple[str, JSON]:
    """Take the first of several names for one thing that is not null, and return its name and value (R16)."""
    for name in names:
        value = rest.pop(name, None)
        if value is not None:
            return name, value
    return "", None


def take_typed(
    rest: dict[str, JSON],
    key: str,
    read: Callable[[JSON], T | None],
    expected: str,
    path: Path,
    warnings: WarningCollector,
) -> T | None:
    """Take a key whose value `read` accepts, else warn and leave it. `path`: of the object, empty for the body."""
    value = rest.pop(key, None)
    if value is None:
        return None
    result = read(value)
    if result is None:
        rest[key] = value
        warnings.add_wrong_type(path / key, "nulled", expected, value)
    return result


def take_identifier(rest: dict[str, JSON], key: str, path: Path, warnings: WarningCollector) -> str | None:
    """Take an id: a string, or a number as text. A blank one is absent (R42)."""
    value = rest.get(key)
    if isinstance(value, str) and not value.strip():
        del rest[key]
        return None
    return take_typed(rest, key, identifier, "an identifier", path, warnings)


def take_time(rest: dict[str, JSON], names: tuple[str, ...], path: Path, warnings: WarningCollector) -> Instant | None:
    """Take a time that goes by several names; warn under the first of them where it cannot be read (R31)."""
    name, value = take(rest, names)
    if value is None:
        return None
    instant = read_time(value)
    if instant is None:
        rest[name] = value
        warnings.add(path / names[0], "nulled", "the time cannot be read: neither ISO 8601 nor an epoch")
    elif instant.naive:
        warnings.add_naive_time(path / names[0])
    return instant


def as_string(value: JSON) -> str | None:
    """Return a string, else None."""
    return value if isinstance(value, str) else None


def as_boolean(value: JSON) -> bool | None:
    """Return a boolean, else None."""
    return value if isinstance(value, bool) else None


def as_object(value: JSON) -> dict[str, JSON] | None:
    """Return an object, else None."""
    return value if isinstance(value, dict) else None


def as_array(value: JSON) -> list[JSON] | None:
    """Return an array, else None."""
    return value if isinstance(value, list) else None
