"""What lists are sorted by."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, select

from tests.store.query.world import Call, Run, explained, put
from trace_store.errors import QueryError
from trace_store.store.query import ListName, sort_columns, sortable
from trace_store.store.schema.tables import calls, findings, runs


def order(connection: Connection, name: str, of: ListName) -> list[tuple[str, int]]:
    table, place = {"calls": (calls, calls.c.sequence), "findings": (findings, findings.c.position)}.get(
        of, (runs, runs.c.key)
    )
    rows = select(runs.c.run_id, place).select_from(table if table is runs else table.join(runs))
    return [(row[0], row[1]) for row in connection.execute(rows.order_by(*sort_columns(name, of)))]


def test_what_has_no_value_comes_last_in_both_directions(connection: Connection) -> None:
    put(connection, *(Run(f"{ms}", calls=[Call({"latency_ms": ms})]) for ms in (5, None, 20)))
    assert order(connection, "latency_ms", "calls") == [("5", 0), ("20", 0), ("None", 0)]
    assert order(connection, "-latency_ms", "calls") == [("20", 0), ("5", 0), ("None", 0)]


def test_equal_ones_keep_one_order_so_that_pages_do_not_overlap(connection: Connection) -> None:
    put(connection, *(Run(name, {"failures": 1}, calls=[Call(), Call()]) for name in "abc"))
    assert [name for name, _ in order(connection, "failures", "runs")] == ["a", "b", "c"]
    assert [name for name, _ in order(connection, "-failures", "runs")] == ["c", "b", "a"]
    assert order(connection, "-failures", "calls")[:3] == [("c", 1), ("c", 0), ("b", 1)]


def test_calls_sort_by_what_their_run_is_too(connection: Connection) -> None:
    put(connection, Run("late", {"calls": 9, "started_us": 5}, [Call({"started_us": 1})]), Run("x", calls=[Call()]))
    assert order(connection, "-calls", "calls") == [("late", 0), ("x", 0)]
    assert order(connection, "started", "calls") == [("late", 0), ("x", 0)]
    assert str(sort_columns("started", "calls")[0]).startswith("calls.started_us")
    assert str(sort_columns("started", "runs")[0]).startswith("runs.started_us")


def test_findings_sort_by_weight_not_by_alphabet(connection: Connection) -> None:
    put(connection, Run("r", findings=[{"kind": "k", "severity": weight} for weight in ("info", "warning", "error")]))
    assert order(connection, "severity", "findings") == [("r", 2), ("r", 1), ("r", 0)]


@pytest.mark.parametrize(
    ("name", "of", "position", "hint"),
    [
        ("latncy_ms", "calls", 0, "did you mean latency_ms?"),
        ("-latncy_ms", "calls", 1, "did you mean latency_ms?"),
        ("tool_name", "calls", 0, "did you mean tool?"),
        ("wasted", "runs", 0, "did you mean wasted_ms?"),
        ("tool", "runs", 0, "sort by started, run, task"),
        ("tag", "runs", 0, "sort by started, run, task"),
        ("", "runs", 0, "fields are error_class"),
    ],
)
def test_what_cannot_be_sorted_by_is_refused(name: str, of: ListName, position: int, hint: str) -> None:
    with pytest.raises(QueryError) as caught:
        sort_columns(name, of)
    assert caught.value.position == position
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize("of", ["runs", "calls", "findings"])
def test_everything_sortable_sorts(connection: Connection, of: ListName) -> None:
    put(connection, Run("r", calls=[Call()], findings=[{"kind": "k"}]))
    for name in sortable(of):
        assert len(order(connection, f"-{name}", of)) == 1


def test_a_page_of_the_slowest_calls_walks_the_index(connection: Connection) -> None:
    page = select(calls.c.run_key).order_by(*sort_columns("-latency_ms", "calls")).limit(50)
    assert explained(connection, page) == "SCAN calls USING COVERING INDEX calls_latency_ms"
