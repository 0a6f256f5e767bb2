"""What needs a whole run: pairing, receipts, grounding, the first failed boundary, and the findings (R33-R40)."""

from trace_store.evidence.envelopes import as_envelope
from trace_store.evidence.examining import examine
from trace_store.evidence.registry import KINDS
from trace_store.evidence.tools import SchemaCache

__all__ = ["KINDS", "SchemaCache", "as_envelope", "examine"]
