"""Signatures of failures: where a run first went wrong, at which tool, with which class; alone and counted."""

from __future__ import annotations

import pytest

from tests.store.building import body, boundary, call, failed_call, put, run_of
from tests.store.test_store_statistics import records
from trace_store import Store
from trace_store.model import Review, Run
from trace_store.store.query.editing import term
from trace_store.store.writing.signatures import Signature, mask_message, signature_of


def a_run(call_: int | None = None, tool: str | None = None, error_class: str | None = None) -> Run:
    """Two logged calls, of which the second failed, and a boundary that rests on one of them or on none."""
    run, _, _ = run_of(body("a", call("pay"), failed_call("get")))
    run.boundary = boundary("receipt", call=call_, tool_name=tool)
    run.error_class = error_class
    return run


@pytest.mark.parametrize(
    ("call_", "tool", "error_class"),
    [(0, "pay", None), (1, "get", "lock_contention"), (None, "see", None), (None, None, None)],
)
def test_the_tool_and_class_are_those_of_the_call_at_the_boundary(
    call_: int | None, tool: str | None, error_class: str | None
) -> None:
    message = None if error_class else "it failed"
    assert signature_of(a_run(call_, tool)) == Signature("receipt", tool, error_class, message)


def test_a_class_of_the_run_stands_where_the_call_has_none() -> None:
    assert signature_of(a_run(0, "pay", "agent_timeout")) == Signature("receipt", "pay", "agent_timeout")
    assert signature_of(a_run(1, "get", "agent_timeout")) == Signature("receipt", "get", "lock_contention")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Error: payment amount does not add up, total price is 305, paid 1,234.50",
         "Error: payment amount does not add up, total price is <number>, paid <number>"),
        ("reservation NK-20418 not found", "reservation <id> not found"),
        ("user mia_li_3668 has no card 9f1c2d34-aaaa-bbbb-cccc-0123456789ab", "user <id> has no card <id>"),
        ("cannot open /srv/data/a.csv at 2026-04-01T09:00:00Z", "cannot open <path> at <time>"),
        ("no such order 'A 17' at https://shop.example/x?y=1", "no such order <text> at <url>"),
        ("the model's answer isn't complete", "the model's answer isn't complete"),
        ("mail to a.b@example.com bounced", "mail to <email> bounced"),
        ("a\n  b", "a b"),
        ("x" * 300, "x" * 159 + "…"),
    ],
)  # fmt: skip
def test_what_differs_from_run_to_run_is_masked(text: str, masked: str) -> None:
    assert mask_message(text) == masked


def test_without_a_boundary_there_is_no_signature() -> None:
    run = a_run(error_class="agent_timeout")
    run.boundary = None
    assert signature_of(run) == Signature()


@pytest.fixture
def filled(store: Store) -> Store:
    """Five runs with a failed boundary, of four signatures, and one without."""
    put(
        store,
        body("a", started_at="2026-04-01T09:10:00Z"),
        body("b", started_at="2026-04-01T09:50:00Z", metadata={"model": "heron-2"}),
        body("c", started_at="2026-04-03T00:00:00Z"),
        body("d"),
        body("e", started_at="2026-04-03T00:00:01Z", metadata={"model": "heron-2"}),
        body("fine", started_at="2026-04-01T09:00:00Z"),
    )
    signatures = {
        "a": ("transport", "get", "lock_contention", None),
        "b": ("transport", "get", "lock_contention", None),
        "c": ("transport", "get", None, "no answer after <number> s"),
        "d": ("answer", None, None, "no evidence"),
        "e": ("transport", "get", None, "refused"),
    }
    with store.database.write() as connection:
        for run_id, signature in signatures.items():
            connection.exec_driver_sql(
                "UPDATE runs SET boundary_stage = ?, boundary_tool = ?, boundary_class = ?,"
                " boundary_message = ? WHERE run_id = ?",
                (*signature, run_id),
            )
    return store


def test_runs_are_counted_by_signature_the_most_frequent_first(filled: Store) -> None:
    filled.reviews.save("b", Review(verdict="fail"))
    filled.reviews.save("fine", Review(verdict="pass"))
    assert records(filled.figures.failure_tables("", ["signatures"])["signatures"]) == [
        {"stage": "transport", "tool": "get", "error_class": "lock_contention", "message": None, "runs": 2,
         "reviewed": 1, "first_seen": "2026-04-01T09:10:00Z", "last_seen": "2026-04-01T09:50:00Z"},
        {"stage": "answer", "tool": None, "error_class": None, "message": "no evidence", "runs": 1, "reviewed": 0,
         "first_seen": None, "last_seen": None},
        {"stage": "transport", "tool": "get", "error_class": None, "message": "no answer after <number> s", "runs": 1,
         "reviewed": 0, "first_seen": "2026-04-03T00:00:00Z", "last_seen": "2026-04-03T00:00:00Z"},
        {"stage": "transport", "tool": "get", "error_class": None, "message": "refused", "runs": 1, "reviewed": 0,
         "first_seen": "2026-04-03T00:00:01Z", "last_seen": "2026-04-03T00:00:01Z"},
    ]  # fmt: skip


def test_only_the_runs_that_a_query_finds_are_counted(filled: Store) -> None:
    filled.reviews.save("a", Review(verdict="fail"))
    found = records(filled.figures.failure_tables("model:heron-2", ["signatures"])["signatures"])
    assert [(row["error_class"], row["runs"], row["reviewed"]) for row in found] == [
        (None, 1, 0),
        ("lock_contention", 1, 0),
    ]
    assert records(filled.figures.failure_tables("boundary:none", ["signatures"])["signatures"]) == []


@pytest.mark.parametrize("number", range(4))
def test_a_signature_is_found_again_by_its_terms(filled: Store, number: int) -> None:
    row = records(filled.figures.failure_tables("", ["signatures"])["signatures"])[number]
    parts = {
        "boundary": "stage",
        "boundary_tool": "tool",
        "boundary_class": "error_class",
        "boundary_message": "message",
    }
    query = " ".join(term(field, row[column]) for field, column in parts.items())
    assert filled.runs(query).total == row["runs"]


def test_runs_by_the_hour_of_their_start(filled: Store) -> None:
    hours = filled.figures.failure_tables()["over_time"]
    assert [(row["runs"], row["failed"]) for row in records(hours)] == [(3, 2), (2, 2)]
    assert list(hours["hour_us"]) == [1775034000000000, 1775174400000000]
    assert len(filled.figures.failure_tables("run:d")["over_time"]) == 0
