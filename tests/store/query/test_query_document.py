"""docs/query.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy import Connection

from tests.store.query.world import Run, matching_calls, matching_findings, matching_runs, put
from trace_store.store.query import FIELDS, parse, sortable
from trace_store.store.query.field_docs import with_field_tables
from trace_store.store.query.parsing import DEEPEST, LONGEST_QUERY, MOST_CONDITIONS

DOCUMENT = Path(__file__).parents[3] / "docs" / "query.md"


def test_the_field_tables_are_those_of_the_code() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_field_tables(text) == text, "run python -m trace_store.store.query.field_docs docs/query.md"


def test_a_document_without_the_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="no <!-- fields"):
        with_field_tables("# Queries\n")


def test_every_example_of_the_document_is_a_query() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    queries = [
        found for found in re.findall(r"`([^`\n]+)`", text) if re.search(r"\w[:>]\S", found) and "…" not in found
    ]
    assert len(queries) > len(FIELDS)
    for query in queries:
        parse(query)


def test_every_field_can_be_asked_on_every_list(connection: Connection) -> None:
    put(connection, Run("r"))
    for field in FIELDS:
        for query in (field.example, f"-{field.example}", f"({field.example}) OR {field.name}:*"):
            assert matching_runs(connection, query) in ([], ["r"])
            assert matching_calls(connection, query) == []
            assert matching_findings(connection, query) == []


def test_the_limits_are_told() -> None:
    limits = f"at most {LONGEST_QUERY:,} characters, {MOST_CONDITIONS} conditions, and {DEEPEST} parentheses"
    assert limits in DOCUMENT.read_text(encoding="utf-8")


def test_the_figures_to_sort_by_are_all_named() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for listed in ("runs", "calls", "findings"):
        (line,) = re.findall(rf"^\* {listed}: (`.*)[;.]$", text, re.MULTILINE)
        figures = [name for name in sortable(listed) if name not in {field.name for field in FIELDS}]
        assert re.findall(r"`(\w+)`", line) == figures
