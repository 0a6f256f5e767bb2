"""The findings of a run, grouped by severity: each with its evidence, and what its kind means on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

import streamlit as st

from app import glossary, path_labels
from app.components.frontend import encode_payload, read_files, read_script
from trace_store.contract.findings.registry import KINDS
from trace_store.model import Run, Severity

_component = st.components.v2.component(
    "trace_findings",
    html=read_files("findings/findings.html"),
    css=read_files("shared/theme.css", "findings/findings.css"),
    js=read_script(
        "shared/dom.js",
        "shared/text.js",
        "shared/format.js",
        "shared/virtual_list.js",
        "findings/findings.js",
        severity=glossary.SEVERITY,
    ),
)

_SEVERITIES: Sequence[Severity] = ("error", "warning", "info")
"""The most severe first."""


class FindingItem(TypedDict):
    """One finding: its kind names an entry of `kinds`; `place` says in words what is at `path`."""

    kind: str
    title: str
    severity: Severity
    path: str
    place: str
    message: str


class KindText(TypedDict):
    """What the registry says of a kind, in our own words throughout; backticks mark what is set as code."""

    seen: str
    matters: str
    check: str
    todo: str


class FindingsData(TypedDict):
    """The findings in the order in which they are shown, with the texts of their kinds."""

    findings: list[FindingItem]
    kinds: dict[str, KindText]


def draw_findings(
    data: FindingsData,
    *,
    run: str,
    height: int = 720,
    folded: bool = False,
    key: str = "findings",
    on_jump: Callable[[], None] | None = None,
) -> None:
    """Draw the findings of the run with the id `run` in at most `height` pixels, the first open unless all are
    `folded`. `on_jump` runs before the page does, when the reader has followed one to its evidence: `frontend.get_jump`
    then tells where."""
    _component(
        data=encode_payload(data, run=run, height=height, folded=folded),
        key=key,
        on_jump_change=on_jump or (lambda: None),
    )


def build_findings(run: Run) -> FindingsData:
    """Return the findings of a run, the most severe first; those of one severity keep their order."""
    ordered = sorted(run.findings, key=lambda finding: _SEVERITIES.index(finding.severity))
    return FindingsData(
        findings=[
            FindingItem(
                kind=finding.kind,
                title=get_title(finding.kind),
                severity=finding.severity,
                path=finding.path,
                place=path_labels.in_words(run, finding.path),
                message=finding.message,
            )
            for finding in ordered
        ],
        # A store may hold findings of a kind that a later version knows and this one does not.
        kinds={kind: _explain(kind) for kind in dict.fromkeys(finding.kind for finding in ordered) if kind in KINDS},
    )


def _explain(name: str) -> KindText:
    kind = KINDS[name]
    return KindText(seen=kind.meaning, matters=kind.why_it_matters, check=kind.false_alarms, todo=kind.what_to_do)


def get_title(kind: str) -> str:
    """Return the title of a kind; the name itself for one that only a later version knows."""
    return KINDS[kind].title if kind in KINDS else kind.replace("_", " ")
