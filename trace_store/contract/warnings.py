"""Soft warnings and where they come from (R14)."""

from __future__ import annotations

from trace_store.contract.scalars import kind_of
from trace_store.model import JSON, Path, SoftWarning, WarningKind


class WarningCollector:
    """The warnings of one import of one run, in order."""

    __slots__ = ("_has_naive_time", "warnings")

    def __init__(self) -> None:
        self.warnings: list[SoftWarning] = []
        self._has_naive_time = False

    def add(self, path: Path, kind: WarningKind, reason: str) -> None:
        """Add a warning: `kind` says what the import did at `path`."""
        self.warnings.append(SoftWarning("import", path, reason, kind))

    def add_wrong_type(self, path: Path, kind: WarningKind, expected: str, value: JSON) -> None:
        """Add the warning about a value of another type than `expected`, a noun with its article."""
        self.add(path, kind, f"expected {expected}, found {kind_of(value)}")

    def add_naive_time(self, path: Path) -> None:
        """Add the warning about a time without an offset, once a run, at the first such place (R31)."""
        if not self._has_naive_time:
            self._has_naive_time = True
            self.add(path, "noted", "the time has no offset and is taken as UTC; so are the others of this run")


def read_exported_warnings(value: JSON, path: Path, warnings: WarningCollector) -> list[SoftWarning] | None:
    """Return what an export put under its `soft_warnings`, unchanged and in order; a string alone is a list of one.

    An entry that is not a string warns at its own path; a value that is not a list warns at `path`, and gives None.
    """
    if value is None:
        return []
    entries = [value] if isinstance(value, str) else value
    if not isinstance(entries, list):
        warnings.add_wrong_type(path, "nulled", "an array of strings", value)
        return None
    exported = []
    for i, reason in enumerate(entries):
        if isinstance(reason, str):
            exported.append(SoftWarning("export", None, reason))
        else:
            warnings.add_wrong_type(path / i, "dropped", "a string", reason)
    return exported
