"""What needs a whole run: pairing, receipts, grounding, the first failed boundary, and the findings (R33-R40)."""

from trace_store.evidence.declared_tools import SchemaCache
from trace_store.evidence.envelopes import as_envelope
from trace_store.evidence.examine import examine
from trace_store.evidence.findings.registry import KINDS

__all__ = ["KINDS", "SchemaCache", "as_envelope", "examine"]
