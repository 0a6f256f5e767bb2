"""The query language: one text in the search bar, in the URL and on the command line. `docs/query.md` describes it.

query = parse("error_class:* -source:odyssey")
select(runs.c.run_id).where(compile_runs(query)).order_by(*sort_columns("-started", "runs"))
"""

from trace_store.store.query.compiling import compile_calls, compile_findings, compile_runs
from trace_store.store.query.fields import FIELDS, Field, Kind, Listed, Place, Presence, field_named
from trace_store.store.query.parsing import parse
from trace_store.store.query.sorting import sort_columns, sortable
from trace_store.store.query.tree import Query

__all__ = [
    "FIELDS",
    "Field",
    "Kind",
    "Listed",
    "Place",
    "Presence",
    "Query",
    "compile_calls",
    "compile_findings",
    "compile_runs",
    "field_named",
    "parse",
    "sort_columns",
    "sortable",
]
