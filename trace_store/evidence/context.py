"""What the examination of one run has at hand, gathered once and shared by the chapters of findings."""

from __future__ import annotations

from dataclasses import dataclass, field

from trace_store.contract.actors import Catalog
from trace_store.contract.calls import Log
from trace_store.evidence.declared_tools import EXECUTED, Toolbox
from trace_store.evidence.findings.report import Report
from trace_store.evidence.pairing import Pairing
from trace_store.evidence.receipts import Receipts
from trace_store.model import JSON, Call, Chain, Grounding, Path, Run


@dataclass(slots=True)
class Examination:
    """A run, the body that it was read from, and what was made of both."""

    run: Run
    body: dict[str, JSON]
    catalog: Catalog
    log: Log
    toolbox: Toolbox
    pairing: Pairing
    receipts: Receipts
    grounding: Grounding | None
    report: Report = field(default_factory=Report)
    argument_faults: dict[Path, Path] = field(default_factory=dict)
    """The path of the first fault in the arguments of a call, by the path of the call: undecoded, or against the
    schema."""
    unproven: list[int] = field(default_factory=list)
    """The claims without a receipt that should have one."""
    is_unverified: bool = False
    """Whether the answer rests on no successful call (R37)."""

    def last_call(self, chain: Chain) -> Call:
        """The last attempt of a chain."""
        return self.run.calls[chain.calls[-1]]

    def is_executed(self, tool: str) -> bool:
        """Whether a tool's own code ran in the sandbox, past the proxy."""
        declared = self.toolbox.tools.get(tool)
        return declared is not None and declared.mode is not None and declared.mode.public == EXECUTED
