"""Aggregates over many runs: totals, facets, breakdowns and rates."""
