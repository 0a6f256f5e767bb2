"""Who acted over many runs: labels by status, their tree, and what a query leaves of them."""

from __future__ import annotations

import pytest

from tests.store.building import body, call, failed_call, put
from tests.store.test_store_statistics import records
from trace_store import Store

CATALOG = ["supervisor", "refund_agent", "idle_agent"]


@pytest.fixture
def filled(store: Store) -> Store:
    put(
        store,
        body(
            "a",
            call(actor_id="supervisor"),
            failed_call(actor_id="supervisor/refund_agnt"),
            call("see", actor_id="supervisor/refund_agnt"),
            sub_agents=CATALOG,
        ),
        body("b", call(actor_id="supervisor/refund_agnt"), call(), sub_agents=CATALOG),
        body("c", call(actor_id="supervisor/refund_agnt"), sub_agents=["supervisor", "refund_agnt", "idle_agent"]),
        body("d", call(actor_id="lone//label"), call(actor_id="team/lead/writer")),
    )
    return store


def brief(store: Store, query: str = "") -> list[tuple[object, ...]]:
    return [
        (row["path"], row["depth"], row["status"], row["calls"], row["failed"], row["runs"], row["silent"])
        for row in records(store.figures.actors(query))
    ]


def test_labels_of_all_runs_stand_in_one_tree_the_heaviest_first(filled: Store) -> None:
    assert brief(filled) == [
        ("supervisor", 0, "declared", 1, 0, 1, 0),
        ("supervisor/refund_agnt", 1, "undeclared", 3, 1, 2, 0),
        ("supervisor/refund_agnt", 1, "declared", 1, 0, 1, 0),
        (None, 0, "unattributed", 1, 0, 1, 0),
        ("lone//label", 0, "malformed", 1, 0, 1, 0),
        ("team", 0, "structural", 0, 0, 0, 0),
        ("team/lead", 1, "structural", 0, 0, 0, 0),
        ("team/lead/writer", 2, "unchecked", 1, 0, 1, 0),
        ("idle_agent", 0, "declared", 0, 0, 0, 3),
        ("refund_agent", 0, "declared", 0, 0, 0, 2),
    ]


def test_a_path_counts_what_acted_below_it_in_every_status(filled: Store) -> None:
    rows = {(row["path"], row["status"]): row for row in records(filled.figures.actors())}
    assert (rows["supervisor", "declared"]["subtree_calls"], rows["supervisor", "declared"]["subtree_failed"]) == (5, 1)
    assert rows["team", "structural"]["subtree_calls"] == 1
    assert rows["supervisor/refund_agnt", "undeclared"]["parent"] == "supervisor"


def test_an_undeclared_label_has_its_suggestion_and_the_run_it_came_with_first(filled: Store) -> None:
    for query in ("", "tool:get_order"):
        rows = {(row["path"], row["status"]): row for row in records(filled.figures.actors(query))}
        row = rows["supervisor/refund_agnt", "undeclared"]
        assert (row["suggestion"], row["first_run"]) == ("refund_agent", "a")
        assert rows["supervisor/refund_agnt", "declared"]["suggestion"] is None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("run:c", [("supervisor/refund_agnt", "declared", 1)]),
        ("outcome:failed", [("supervisor", "structural", 0), ("supervisor/refund_agnt", "undeclared", 1)]),
        ("run:b tool:get_order actor:none", [(None, "unattributed", 1)]),
        ("run:nobody", []),
    ],
)
def test_a_query_about_runs_or_calls_narrows_it(
    filled: Store, query: str, found: list[tuple[object, object, object]]
) -> None:
    rows = [row for row in records(filled.figures.actors(query)) if row["calls"] or row["status"] == "structural"]
    assert [(row["path"], row["status"], row["calls"]) for row in rows] == found


def test_both_ways_of_counting_agree(filled: Store) -> None:
    """A query about calls counts calls; one about runs adds up what the runs counted."""
    counted = [row[:6] for row in brief(filled, "attempt>=1") if row[2] != "structural"]
    added = [row[:6] for row in brief(filled) if row[2] != "structural" and row[3]]
    assert counted == added
