"""The values of a field that begin with what is typed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from tests.store.building import body, call, failed_call, put
from tests.store.query.world import empty_store, explained
from trace_store import Store
from trace_store.store.figures.field_values import _select_values
from trace_store.store.query import FIELDS, Kind, field_named


def test_values_that_begin_so_come_once_in_their_order(store: Store) -> None:
    put(
        store,
        body("b", call("get_order"), call("get_order"), call("put")),
        body("a", call("get"), failed_call("Get", error_class="lock_contention")),
    )
    values = store.figures.field_values
    assert values("tool") == ["Get", "get", "get_order", "put"]
    assert values("tool", "get") == ["get", "get_order"]
    assert values("tool", "ge", limit=1) == ["get"]
    assert values("tool", "x") == values("tool", "get_order_") == []
    assert values("run") == ["a", "b"]
    assert values("error_class") == ["lock_contention"]
    assert values("file") == ["runs.jsonl"]
    assert values("tool", list_name="calls") == ["Get", "get", "get_order", "put"]


def test_every_text_field_has_its_values_and_none_that_begin_otherwise(store: Store) -> None:
    put(store, body("a", call(), model="m", metadata={"model": "m"}, status="done"))
    for field in FIELDS:
        if field.kind is Kind.TEXT:
            values = [value for value, _ in store.figures.facet("", field.name)]
            assert store.figures.field_values(field.name) == sorted(values), field.name
            assert store.figures.field_values(field.name, "\U0010fffe") == [], field.name


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = empty_store()
    yield engine
    engine.dispose()


@pytest.mark.parametrize(
    "name", ["tool", "source", "actor", "error_class", "run", "task", "model", "run_status", "tag"]
)
def test_the_next_value_is_looked_up_in_an_index(engine: Engine, name: str) -> None:
    (column,) = field_named(name).columns
    with engine.connect() as connection:
        plan = explained(connection, _select_values(column, "a", 50))
    # The recursion reads what it found; the table itself is never read through.
    assert f"SCAN {column.table.name}" not in plan  # type: ignore[attr-defined]  # a table
    assert plan.count("SEARCH") == 2, plan
