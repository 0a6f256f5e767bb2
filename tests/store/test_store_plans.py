"""Every statement that a page runs walks an index, or counts what an index covers: read from its plan."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from benchmarks.generate import runs as generated
from tests.store.building import put
from trace_store import Store
from trace_store.store.lists import pages
from trace_store.store.query import ListName

Plan = list[tuple[int, int, str]]
"""Of each step: its number, that of the step around it, and what it does."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of some hundred runs, so that the planner knows how values are spread."""
    path = tmp_path_factory.mktemp("plans") / "traces.db"
    with Store.open(f"sqlite:///{path}") as store:
        put(store, *generated(300, messages=4, calls=12))
    return path


@pytest.fixture(scope="module")
def store(path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{path}") as store:
        yield store


@pytest.fixture
def plans(store: Store, path: Path) -> Iterator[Callable[[Callable[[], object]], list[Plan]]]:
    """The plans of the statements that an action runs, in order."""
    ran: list[tuple[str, Any]] = []
    engine = store.database._reader

    def note(connection: object, cursor: object, statement: str, parameters: Any, *_: object) -> None:
        if statement != "BEGIN":
            ran.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", note)
    with closing(sqlite3.connect(path)) as connection:
        connection.create_function("call_sequence", 1, lambda path: None, deterministic=True)
        connection.create_aggregate("percentiles", 1, type("Nothing", (), {"step": None, "finalize": None}))

        def of(action: Callable[[], object]) -> list[Plan]:
            ran.clear()
            action()
            return [
                [(row[0], row[1], row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
                for statement, parameters in ran
            ]

        yield of
    event.remove(engine, "before_cursor_execute", note)


def steps(plan: Plan) -> list[str]:
    return [step for _, _, step in plan]


def steps_of_the_page(plan: Plan) -> list[str]:
    """Those that find the keys of the page; what follows looks at its rows alone."""
    around = next(number for number, _, step in plan if step in ("CO-ROUTINE page", "MATERIALIZE page"))
    inside = {around}
    found = []
    for number, parent, step in plan:
        if parent in inside:
            inside.add(number)
            found.append(step)
    return found


RUN_SORTS = ["imported", "started", "run", "calls", "failures", "retries", "undeclared", "warnings", "model"]
CALL_SORTS = ["started", "latency_ms", "attempt", "status", "tool", "actor", "error_class", "outcome", "source"]


@pytest.mark.parametrize("direction", ["", "-"])
@pytest.mark.parametrize(
    ("listed", "sort"), [*(("runs", sort) for sort in RUN_SORTS), *(("calls", sort) for sort in CALL_SORTS)]
)
def test_a_sorted_list_walks_an_index_and_sorts_nothing(
    store: Store, plans: Any, listed: str, sort: str, direction: str
) -> None:
    _, page = plans(lambda: getattr(store, listed)(sort=f"{direction}{sort}"))
    (only,) = steps_of_the_page(page)
    assert only.startswith(f"SCAN {listed} USING"), only


@pytest.mark.parametrize("listed", ["runs", "calls", "findings"])
def test_the_newest_stand_first_without_a_sort_of_all(store: Store, plans: Any, listed: str) -> None:
    _, page = plans(lambda: getattr(store, listed)())
    scan, *rest = steps_of_the_page(page)
    assert scan == f"SCAN {listed}"  # by its key, from the end
    assert rest in ([], ["USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"])  # the rows of one run


CALL_FILTERS = {
    "error_class:lock_contention": "calls_error_class (error_class=?)",
    "actor_status:undeclared": "calls_actor_status (actor_status=?)",
    "outcome:failed": "calls_outcome (outcome=?)",
    "source:injected": "calls_source (source=?)",
    "tool:get_refund": "calls_tool_name (tool_name=?)",
    "actor:supervisor/refnd_agent": "calls_actor_id (actor_id=?)",
    "status:503": "calls_status_code (status_code=?)",
    "chain:gave_up": "calls_chain_outcome (chain_outcome=?)",
    "rule:0": "calls_matched_rule_index (matched_rule_index=?)",
    "attempt:3": "calls_attempt (attempt=?)",
}


@pytest.mark.parametrize(("query", "index"), CALL_FILTERS.items())
def test_a_filtered_list_of_calls_is_found_and_counted_in_one_index(
    store: Store, plans: Any, query: str, index: str
) -> None:
    total, page = plans(lambda: store.calls(query))
    search, *rest = steps_of_the_page(page)
    assert index in search
    assert rest in ([], ["USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"])
    (count,) = steps(total)
    assert f"USING COVERING INDEX {index}" in count


@pytest.mark.parametrize(
    ("query", "sort", "walk"),
    [
        ("outcome:ok", "-started", "SCAN calls USING INDEX calls_started_us"),
        ("-outcome:failed", "latency_ms", "SCAN calls USING INDEX calls_latency_ms"),
        ("actor:supervisor/**", None, "SCAN calls"),
        ("verdict:passed outcome:ok", "-started", "SCAN calls USING INDEX calls_started_us"),
    ],
)
def test_a_list_that_a_query_hardly_shortens_is_walked_in_its_order(
    store: Store, plans: Any, monkeypatch: pytest.MonkeyPatch, query: str, sort: str | None, walk: str
) -> None:
    monkeypatch.setattr(pages, "MANY", 0)
    *_, page = plans(lambda: store.calls(query, sort=sort))
    first, *rest = steps_of_the_page(page)
    assert first == walk
    assert not any(step == "USE TEMP B-TREE FOR ORDER BY" for step in rest), rest


@pytest.mark.parametrize("query", ["outcome:ok", "verdict:passed outcome:ok", "error_class:*", "-tool:get_*", "refund"])
@pytest.mark.parametrize("sort", [None, "-started", "latency_ms", "-tool", "model"])
def test_both_ways_find_the_same_page(
    store: Store, monkeypatch: pytest.MonkeyPatch, query: str, sort: str | None
) -> None:
    gathered = store.calls(query, sort=sort, limit=40, offset=20)
    monkeypatch.setattr(pages, "MANY", 0)
    monkeypatch.setattr(pages, "MOST", 1_000_000)
    assert store.calls(query, sort=sort, limit=40, offset=20) == gathered
    assert len(gathered.rows) == 40


def test_all_calls_are_counted_without_a_look_at_them(store: Store, plans: Any) -> None:
    total, _ = plans(lambda: store.calls())
    (count,) = steps(total)
    assert count.startswith("SCAN calls USING COVERING INDEX")


def test_calls_of_runs_are_counted_by_their_runs(store: Store, plans: Any) -> None:
    total, page = plans(lambda: store.calls("model:gpt-5 verdict:failed"))
    assert not any("calls" in step for step in steps(total)), steps(total)
    assert not any("TEMP B-TREE" in step for step in steps_of_the_page(page)), "they come in the order of their runs"


def test_the_figures_of_all_runs_are_covered_by_their_index(store: Store, plans: Any) -> None:
    figures, reviewed = plans(lambda: store.figures.totals())
    assert steps(figures) == ["SCAN runs USING COVERING INDEX runs_figures"]
    assert "SCAN runs" not in " ".join(steps(reviewed))


BREAKDOWNS = ["outcome", "tool", "actor", "actor_status", "error_class", "status", "source", "family", "lane", "chain"]


@pytest.mark.parametrize("field", [*BREAKDOWNS, "attempt"])
def test_a_breakdown_walks_its_index_and_looks_nothing_up(store: Store, plans: Any, field: str) -> None:
    plan, *rare = plans(lambda: store.stats(by=[field]))
    scan, *rest = steps(plan)
    assert scan.startswith("SCAN calls USING COVERING INDEX calls_")
    assert "USE TEMP B-TREE FOR GROUP BY" not in rest
    assert len(rare) == 2
    for outcome in rare:
        assert re.match(r"SEARCH calls USING (COVERING )?INDEX calls_outcome \(outcome=\?\)", steps(outcome)[0])


@pytest.mark.parametrize("listed", ["runs", "calls"])
@pytest.mark.parametrize("field", [*BREAKDOWNS, "attempt"])
def test_the_values_of_a_call_field_are_read_from_its_index(
    store: Store, plans: Any, field: str, listed: ListName
) -> None:
    (plan,) = plans(lambda: store.figures.facet("", field, list_name=listed))
    assert any("USING COVERING INDEX calls_" in step for step in steps(plan)), steps(plan)
    assert not any("calls USING PRIMARY KEY" in step or step == "SCAN calls" for step in steps(plan)), steps(plan)


def test_the_values_of_envelopes_are_read_from_both_indexes(store: Store, plans: Any) -> None:
    (plan,) = plans(lambda: store.figures.facet("", "envelope_class"))
    read = " ".join(steps(plan))
    assert "COVERING INDEX calls_envelope_class (envelope_class>?)" in read
    assert "COVERING INDEX runs_envelope_class (envelope_class>?)" in read


@pytest.mark.parametrize("field", ["verdict", "view", "run_status", "boundary", "model", "task", "scenario", "import"])
def test_the_values_of_a_run_field_are_read_from_its_index(store: Store, plans: Any, field: str) -> None:
    (plan,) = plans(lambda: store.figures.facet("", field))
    assert "USING COVERING INDEX runs_" in steps(plan)[0]


def read(plan: Plan) -> list[str]:
    """The steps that read a table of the store. Reviews are few, and looked up one by one."""
    found = [step for step in steps(plan) if step.startswith(("SCAN", "SEARCH")) and "anon" not in step]
    return [] if found[0].startswith("SCAN reviews") else found


def test_the_failures_of_everything_are_read_from_indexes(store: Store, plans: Any) -> None:
    for plan in plans(store.figures.failure_tables):
        for step in read(plan):
            assert "USING COVERING INDEX" in step, step


def test_the_judge_of_everything_is_read_from_indexes(store: Store, plans: Any) -> None:
    judged = [step for plan in plans(store.figures.judgements) for step in read(plan) if "findings" not in step]
    assert "SCAN runs USING COVERING INDEX runs_judged" in judged


def test_the_actors_of_everything_are_read_from_one_index(store: Store, plans: Any) -> None:
    (plan,) = plans(store.figures.actors)
    assert [step for step in steps(plan) if "actors" in step] == ["SCAN actors USING COVERING INDEX actors_status"]
    assert "USE TEMP B-TREE FOR GROUP BY" not in steps(plan)


@pytest.mark.parametrize("query", ["outcome:failed", "actor:supervisor", "source:error status:503", "tool:get_*"])
def test_the_map_of_failures_is_read_from_the_failed_calls_alone(store: Store, plans: Any, query: str) -> None:
    (plan,) = plans(lambda: store.figures.failure_tables(query, ["tools_by_class"]))
    (step,) = read(plan)
    assert "calls USING COVERING INDEX calls_failed" in step


def test_signatures_of_some_runs_look_up_only_those(store: Store, plans: Any) -> None:
    assert [read(plan) for plan in plans(lambda: store.figures.failure_tables("model:gpt-5", ["signatures"]))] == [
        [],  # their reviews
        ["SEARCH runs USING INDEX runs_model (model=?)"],
    ]


def test_one_run_is_found_by_its_id(store: Store, plans: Any) -> None:
    for plan in plans(lambda: store.run("run-1-0000005")):
        assert not any(step.startswith("SCAN") for step in steps(plan)), plan


def test_full_text_is_asked_once_and_not_for_each_run(store: Store, plans: Any) -> None:
    for query in ("refund", "refund model:gpt-5"):
        for plan in plans(lambda query=query: store.runs(query)):
            assert sum("texts_fts VIRTUAL TABLE" in step for step in steps(plan)) == 1
            assert not any("SCAN texts " in step for step in steps(plan))


def test_rates_find_their_runs_in_the_index_that_the_query_asks(store: Store, plans: Any) -> None:
    for plan in plans(lambda: store.figures.rates("task:task-3")):
        first, *_ = [step for step in steps(plan) if step.startswith(("SEARCH", "SCAN"))]
        assert first.startswith("SEARCH runs USING") and "runs_task_id (task_id=?)" in first, plan


def test_rates_of_all_walk_each_table_once_and_calls_by_an_index_alone(store: Store, plans: Any) -> None:
    found = {
        step
        for plan in plans(lambda: store.figures.rates(""))
        for step in steps(plan)
        if step.startswith(("SCAN", "SEARCH"))
    }
    assert found - {"SCAN anon_1"} == {
        "SCAN runs",
        "SCAN calls USING COVERING INDEX calls_tool_name",
        "SEARCH calls USING COVERING INDEX calls_error_class (error_class>?)",
        # The failed calls of tools, and those that were answered with an error.
        "SCAN calls USING COVERING INDEX calls_failed",
        "SEARCH calls USING INDEX calls_outcome (outcome=?)",
    }


def test_a_counterpart_is_looked_for_in_its_task_alone(store: Store, plans: Any) -> None:
    own, of_task = plans(lambda: store.figures.counterparts(["run-1-0000003"]))
    assert steps(own) == ["SEARCH runs USING INDEX sqlite_autoindex_runs_1 (run_id=?)"]
    assert steps(of_task)[0] == "SEARCH runs USING INDEX runs_task_id (task_id=?)"
