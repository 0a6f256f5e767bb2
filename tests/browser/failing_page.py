"""A page that fails with an error that quotes run data."""

raise RuntimeError("secret detail of a run")
