"""Soft warnings and where they come from (R14)."""

from __future__ import annotations

from trace_store.contract.scalars import kind_of
from trace_store.model import JSON, Path, SoftWarning


class Found:
    """Collects what one import finds in one run, in order."""

    __slots__ = ("_naive_time", "warnings")

    def __init__(self) -> None:
        self.warnings: list[SoftWarning] = []
        self._naive_time = False

    def add(self, path: str, reason: str) -> None:
        """One warning at `path`."""
        self.warnings.append(SoftWarning("import", Path(path), reason))

    def wrong_type(self, path: str, wanted: str, value: JSON) -> None:
        """The warning for a known key that holds something else: `wanted` with its article."""
        self.add(path, f"expected {wanted}, found {kind_of(value)}")

    def naive_time(self, path: str) -> None:
        """A time without an offset, which is taken as UTC: said once a run, at the first such place (R31)."""
        if not self._naive_time:
            self._naive_time = True
            self.add(path, "the time has no offset and is taken as UTC; so are the others of this run")


def exported_warnings(value: JSON, path: str, found: Found) -> list[SoftWarning] | None:
    """What an export warned of under its `soft_warnings`, unchanged and in order; a string alone is a list of one.

    An entry that is no string warns at its own place; a value that is no list warns at its key, and is None.
    """
    if value is None:
        return []
    entries = [value] if isinstance(value, str) else value
    if not isinstance(entries, list):
        found.wrong_type(path, "an array of strings", value)
        return None
    carried = []
    for i, reason in enumerate(entries):
        if isinstance(reason, str):
            carried.append(SoftWarning("export", None, reason))
        else:
            found.wrong_type(f"{path}[{i}]", "a string", reason)
    return carried
