"""Tasks that were run again: which of them passed and failed, and the nearest run that ended the other way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.building import body, put
from trace_store import Store
from trace_store.errors import QueryError


def a_run(run_id: str, task: str | None, passed: bool | None, day: int = 1, **fields: Any) -> dict[str, Any]:
    model = fields.pop("model", "heron")
    return body(
        run_id, task_id=task, judge_passed=passed, started_at=f"2026-04-{day:02d}T09:00:00Z",
        metadata={"model": model}, **fields,
    )  # fmt: skip


FLAKY = [a_run("f1", "flaky", True, 1), a_run("f2", "flaky", False, 2), a_run("f3", "flaky", True, 3)]
STEADY = [a_run(f"s{day}", "steady", True, day) for day in range(1, 6)]


def tasks(store: Store, query: str = "", **page: Any) -> list[object]:
    return [row["task"] for row in store.figures.repeats(query, **page).rows]


def test_a_task_with_both_verdicts_stands_before_one_with_more_runs(store: Store) -> None:
    put(store, *STEADY, *FLAKY)
    assert tasks(store) == ["flaky", "steady"]
    assert store.figures.repeats().rows[0] == {
        "task": "flaky",
        "runs": 3,
        "passed": 2,
        "failed": 1,
        "unjudged": 0,
        "first": "2026-04-01T09:00:00Z",
        "last": "2026-04-03T09:00:00Z",
    }


def test_a_task_that_ran_once_and_runs_without_a_task_are_no_repeats(store: Store) -> None:
    put(store, a_run("once", "single", True), a_run("a", None, True), a_run("b", None, False))
    assert store.figures.repeats().total == 0


def test_pages_know_how_many_there_are_even_beyond_the_last(store: Store) -> None:
    put(store, *STEADY, *FLAKY)
    assert tasks(store, limit=1) == ["flaky"]
    assert tasks(store, limit=1, offset=1) == ["steady"]
    assert store.figures.repeats(limit=1).total == 2
    beyond = store.figures.repeats(offset=9)
    assert (beyond.rows, beyond.total) == ([], 2)


def test_a_query_chooses_which_runs_count(store: Store) -> None:
    put(store, *STEADY, *FLAKY)
    assert tasks(store, "verdict:passed") == ["steady", "flaky"]
    assert store.figures.repeats("verdict:passed").rows[1]["runs"] == 2


def test_runs_are_grouped_by_other_fields_too(store: Store) -> None:
    put(store, a_run("a", "t", True, model="heron"), a_run("b", "t", False, model="egret"), a_run("c", "t", None))
    rows = store.figures.repeats("task:t", by=["model", "prompt"], least=1).rows
    assert [(row["model"], row["prompt"], row["passed"], row["failed"], row["unjudged"]) for row in rows] == [
        ("heron", None, 1, 0, 1),
        ("egret", None, 0, 1, 0),
    ]


@pytest.mark.parametrize("field", ["tag", "outcome", "envelope_class", "colour"])
def test_what_a_run_has_many_of_is_no_group(store: Store, field: str) -> None:
    with pytest.raises(QueryError):
        store.figures.repeats(by=[field])


class TestTheCounterpart:
    def test_of_a_failing_run_is_the_nearest_passing_one_of_its_task(self, store: Store) -> None:
        put(store, a_run("early", "t", True, 1), a_run("bad", "t", False, 7), a_run("late", "t", True, 9),
            a_run("elsewhere", "u", True, 7))  # fmt: skip
        assert store.figures.counterparts(["bad"]) == {"bad": "late"}
        assert store.figures.counterparts(["early", "late"]) == {"early": "bad", "late": "bad"}

    def test_of_the_same_model_comes_before_a_nearer_one(self, store: Store) -> None:
        put(store, a_run("bad", "t", False, 7), a_run("near", "t", True, 8, model="egret"), a_run("own", "t", True, 1))
        assert store.figures.counterparts(["bad"]) == {"bad": "own"}

    def test_of_another_model_is_better_than_none(self, store: Store) -> None:
        put(store, a_run("bad", "t", False, 7), a_run("near", "t", True, 8, model="egret"))
        assert store.figures.counterparts(["bad"]) == {"bad": "near"}

    def test_is_none_where_all_ended_alike_or_nobody_judged(self, store: Store) -> None:
        put(store, *STEADY, a_run("x", "t", None), a_run("y", "t", True))
        assert store.figures.counterparts(["s1", "x", "y", "nobody"]) == {}

    def test_a_run_that_failed_by_itself_counts_where_nobody_judged(self, store: Store) -> None:
        put(store, a_run("broken", "t", None, 2, status="failed"), a_run("good", "t", True, 1))
        assert store.figures.counterparts(["broken"]) == {"broken": "good"}
