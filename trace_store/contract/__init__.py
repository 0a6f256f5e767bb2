"""The wire contract as pure functions: one module a chapter of `docs/contract.md`, and its tables as data.

Nothing in here knows of files, databases, the clock or the app.
"""

from trace_store.contract.bodies import find_run_id, is_run_body
from trace_store.contract.envelopes import is_envelope
from trace_store.contract.normalise import NormalisedRun, normalise

__all__ = ["NormalisedRun", "find_run_id", "is_envelope", "is_run_body", "normalise"]
