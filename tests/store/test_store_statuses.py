"""A status that exports spell in two ways is one value of the query and of its facet."""

from __future__ import annotations

import pytest

from tests.store.building import body, put, run_ids
from trace_store import Store
from trace_store.store.query.editing import has_value


@pytest.fixture
def statuses(store: Store) -> Store:
    """A store with a run of each of these statuses."""
    put(store, *(body(name, status=name) for name in ("timeout", "timed_out", "cancelled", "time")))
    return store


@pytest.mark.parametrize(
    "query", ["run_status:timeout", "run_status:timed_out", "run_status:*out", "run_status:timed*"]
)
def test_either_spelling_finds_both(statuses: Store, query: str) -> None:
    assert sorted(run_ids(statuses.runs(query).rows)) == ["timed_out", "timeout"]
    assert sorted(run_ids(statuses.runs(f"-{query}").rows)) == ["cancelled", "time"]


def test_the_facet_has_one_value_for_both_and_knows_it_by_either(statuses: Store) -> None:
    assert statuses.figures.facet("", "run_status") == [("timed_out", 2), ("cancelled", 1), ("time", 1)]
    assert statuses.figures.field_values("run_status", "time") == ["time", "timed_out"]
    assert has_value("run_status:timeout", "run_status", "timed_out")
    assert not has_value("run_status:timeout", "run_status", "cancelled")


def test_the_run_keeps_the_status_of_its_export(statuses: Store) -> None:
    assert statuses.run("timeout").status == "timeout"
    assert [row["status"] for row in statuses.runs("run:timeout").rows] == ["timeout"]
