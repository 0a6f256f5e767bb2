"""What depends on a whole run: pairing, receipts, grounding, the first failed boundary, and the findings (R33-R40)."""

from trace_store.contract.findings.registry import KINDS
from trace_store.evidence.declared_tools import SchemaCache
from trace_store.evidence.envelopes import as_envelope
from trace_store.evidence.examine import examine
from trace_store.evidence.tool_results import contradicts
from trace_store.evidence.transcript_calls import Answer

__all__ = ["KINDS", "Answer", "SchemaCache", "as_envelope", "contradicts", "examine"]
