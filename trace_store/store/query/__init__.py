"""The query language: one text in the search bar, in the URL and on the command line. `docs/query.md` describes it.

query = parse("error_class:* -source:odyssey")
select(runs.c.run_id).where(compile_query(query, "runs")).order_by(*sort_columns("-started", "runs"))
"""

from trace_store.store.query.compiling import compile_query
from trace_store.store.query.fields import FIELDS, Field, FieldColumn, FieldValue, Kind, ListName, Presence, field_named
from trace_store.store.query.parsing import LONGEST_QUERY, parse
from trace_store.store.query.sorting import sort_columns, sortable
from trace_store.store.query.tree import Query

__all__ = [
    "FIELDS",
    "LONGEST_QUERY",
    "Field",
    "FieldColumn",
    "FieldValue",
    "Kind",
    "ListName",
    "Presence",
    "Query",
    "compile_query",
    "field_named",
    "parse",
    "sort_columns",
    "sortable",
]
