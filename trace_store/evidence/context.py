"""The context of an examination: one run and what was read from it, shared by all modules of findings."""

from __future__ import annotations

from dataclasses import dataclass, field

from trace_store.contract.actors import Catalog
from trace_store.contract.calls import Log
from trace_store.contract.findings.registry import KINDS
from trace_store.evidence.declared_tools import DeclaredTools
from trace_store.evidence.transcript_calls import Pairing, TranscriptCall
from trace_store.model import JSON, Call, Chain, Finding, Grounding, Path, Run

_ORDER = {kind: position for position, kind in enumerate(KINDS)}


@dataclass(slots=True)
class Examination:
    """A run, the body that it was read from, what was derived from both, and the findings so far."""

    run: Run
    body: dict[str, JSON]
    catalog: Catalog
    log: Log
    declared: DeclaredTools
    transcript: Pairing
    unpaired_chains: list[Chain]
    """The chains of the log that answer no tool call of the transcript (R36)."""
    grounding: Grounding | None
    argument_faults: dict[Path, Path] = field(default_factory=dict)
    """The path of the first fault in the arguments of a call, by the path of the call: undecoded, or against the
    schema."""
    calls_without_receipt: list[TranscriptCall] = field(default_factory=list)
    """The tool calls of the transcript without a receipt that should have one."""
    is_unverified: bool = False
    """Whether no successful call supports the answer (R37)."""
    _findings: list[Finding] = field(default_factory=list)

    def report(self, kind: str, path: Path, message: str) -> None:
        """Add a finding: its path and its sentence. Severity and rule come from the registry."""
        entry = KINDS[kind]
        self._findings.append(Finding(kind, entry.severity, path, message, entry.rule))

    def findings(self) -> list[Finding]:
        """Return the findings in the order of the registry; those of a kind in the order of the run."""
        return sorted(self._findings, key=lambda finding: _ORDER[finding.kind])

    def first_call(self, chain: Chain) -> Call:
        """Return the first attempt of a chain."""
        return self.run.calls[chain.calls[0]]

    def last_call(self, chain: Chain) -> Call:
        """Return the last attempt of a chain."""
        return self.run.calls[chain.calls[-1]]
