"""Read, normalise, store and query exported agent runs."""

from trace_store.store import Store

__all__ = ["Store"]
