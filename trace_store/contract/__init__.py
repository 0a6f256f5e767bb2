"""The wire contract: pure functions, and its tables as data.

Nothing here depends on files, databases, the clock or the app.
"""

from trace_store.contract.bodies import find_run_id, is_run_body
from trace_store.contract.envelopes import is_envelope
from trace_store.contract.normalise import NormalisedRun, normalise

__all__ = ["NormalisedRun", "find_run_id", "is_envelope", "is_run_body", "normalise"]
