"""Findings as the component shows them: the gravest first, each kind with its text from the registry. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from app import path_labels
from trace_store.evidence.findings.registry import KINDS
from trace_store.model import Run, Severity

WEIGHT: Mapping[Severity, int] = {"error": 0, "warning": 1, "info": 2}
"""The order of the severities, the gravest first."""


class FindingItem(TypedDict):
    """One finding: its kind names an entry of `kinds`; `place` says in words what stands at `path`."""

    kind: str
    severity: Severity
    path: str
    place: str
    message: str
    rule: str


class KindText(TypedDict):
    """What the registry says of a kind, our own words throughout; backticks are round what stands in code."""

    title: str
    seen: str
    matters: str
    check: str
    todo: str


class FindingsData(TypedDict):
    """The findings in the order in which they are shown, and the kinds that they are of."""

    findings: list[FindingItem]
    kinds: dict[str, KindText]


def findings_data(run: Run) -> FindingsData:
    """The findings of a run, the gravest first; those of equal weight stay in the order in which they were found."""
    ordered = sorted(run.findings, key=lambda finding: WEIGHT[finding.severity])
    return FindingsData(
        findings=[
            FindingItem(
                kind=one.kind,
                severity=one.severity,
                path=one.path,
                place=path_labels.in_words(run, one.path),
                message=one.message,
                rule=one.rule,
            )
            for one in ordered
        ],
        # A store may hold findings of a kind that a later version knows and this one does not.
        kinds={kind: _text(kind) for kind in dict.fromkeys(one.kind for one in ordered) if kind in KINDS},
    )


def _text(kind: str) -> KindText:
    known = KINDS[kind]
    return KindText(title=known.title, seen=known.seen, matters=known.matters, check=known.check, todo=known.todo)
