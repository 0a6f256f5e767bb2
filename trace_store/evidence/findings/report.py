"""Collects the findings of one run. Severity and rule come from the registry, and from nowhere else."""

from __future__ import annotations

from trace_store.evidence.findings.registry import KINDS
from trace_store.model import Finding, Path

_ORDER = {kind: place for place, kind in enumerate(KINDS)}


class Report:
    """The findings of a run, as they are found."""

    __slots__ = ("_findings",)

    def __init__(self) -> None:
        self._findings: list[Finding] = []

    def add(self, kind: str, path: Path, message: str) -> None:
        """One finding: the path it rests on, and one sentence."""
        known = KINDS[kind]
        self._findings.append(Finding(kind, known.severity, path, message, known.rule))

    def findings(self) -> list[Finding]:
        """All findings in the order of the registry; those of a kind as they were found, which is that of the run."""
        return sorted(self._findings, key=lambda finding: _ORDER[finding.kind])
