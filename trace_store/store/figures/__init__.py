"""Aggregates over many runs: totals, facets, breakdowns and rates."""

from __future__ import annotations

from trace_store.store.connection import Queries
from trace_store.store.figures import (
    actor_usage,
    counts,
    failures,
    field_values,
    judge,
    run_rates,
    task_repeats,
    tool_usage,
)


class Figures(Queries):
    """Aggregates over what a query finds. Each is a function of the module of its subject, and a method here."""

    totals = counts.totals
    facet = counts.facet
    facets = counts.facets
    field_values = field_values.field_values
    failure_tables = failures.failure_tables
    tools = tool_usage.tools
    actors = actor_usage.actors
    judgements = judge.judgements
    rates = run_rates.rates
    common_runs = run_rates.common_runs
    repeats = task_repeats.repeats
    counterparts = task_repeats.counterparts
