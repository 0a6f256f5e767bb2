"""Read, normalise, store and query exported agent runs."""
