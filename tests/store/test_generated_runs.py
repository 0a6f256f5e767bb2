"""The runs that benchmarks are made of: seeded, of the size asked for, and as mixed as real ones."""

from __future__ import annotations

from collections import Counter

import orjson

from benchmarks.generate import run, runs
from tests.store.building import put
from trace_store import Store


def test_a_run_is_the_same_whatever_else_is_generated() -> None:
    one = [orjson.dumps(body) for body in runs(20, seed=3)]
    assert one == [orjson.dumps(body) for body in runs(20, seed=3)]
    assert one[15:] == [orjson.dumps(body) for body in runs(5, seed=3, first=15)]
    assert one != [orjson.dumps(body) for body in runs(20, seed=4)]
    assert len(set(one)) == 20


def test_runs_have_the_size_that_is_asked_for() -> None:
    for number in range(50):
        body = run(number, messages=20, calls=12)
        assert len(body["proxy_calls"]) == 12
        assert body["messages"] is None or len(body["messages"]) == 20


def test_runs_show_what_the_pages_are_for(store: Store) -> None:
    put(store, *runs(200))
    totals = store.figures.totals()
    assert totals.runs == 200
    assert totals.calls == 2400
    assert 0 < totals.thin < 20
    assert 0 < totals.undeclared < 100
    outcomes = dict(store.figures.facet("", "outcome", list_name="calls"))
    assert 0.05 < (outcomes["failed"] + outcomes["injected_failure"]) / 2400 < 0.2
    assert {"recovered", "gave_up", "failed", "succeeded"} <= set(dict(store.figures.facet("", "chain")))
    assert len(store.figures.facet("", "error_class")) >= 4
    sources = Counter(dict(store.figures.facet("", "source", list_name="calls")))
    assert set(sources) == {"odyssey", "injected", "error", "passthrough", "transport_error"}
