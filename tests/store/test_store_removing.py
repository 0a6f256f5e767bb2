"""Deleting: what goes, what stays, and what the file still holds afterwards."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.store.building import body, call, failed_call, finding, put, put_runs, run_ids, run_of
from tests.store.test_store_writing import counts
from trace_store import Store
from trace_store.errors import NotFoundError, QueryError, StoreBusyError
from trace_store.store.schema.tables import metadata
from trace_store.store.writing.batch import TABLES_OF_RUNS


def test_what_a_query_finds_goes_and_the_rest_stays(store: Store, database: sqlite3.Connection) -> None:
    put_runs(store, [
        run_of(body(name, failed_call(arguments={"of": name}), call("pay"), final_response=f"word{name}"), finding())
        for name in "abcd"
    ])  # fmt: skip
    assert store.delete("run:a OR wordc") == 2
    assert run_ids(store.runs().rows) == ["d", "b"]
    assert counts(database) == {
        "runs": 2, "documents": 2, "calls": 4, "chains": 4, "actors": 2, "findings": 2, "texts": 12,
    }  # fmt: skip
    assert store.runs("worda OR wordc").total == 0
    assert run_ids(store.runs("wordb").rows) == ["b"]
    assert store.calls("d").total == 1


def test_all_runs_go_at_once_and_leave_an_empty_store(store: Store, database: sqlite3.Connection) -> None:
    runs = [run_of(body(name, failed_call(), final_response="words"), finding()) for name in "abc"]
    put_runs(store, runs)
    assert store.delete("run:*") == 3
    assert set(counts(database).values()) == {0}
    assert store.runs("words").total == 0
    put_runs(store, runs[:2])
    assert run_ids(store.runs("words").rows) == ["b", "a"]


def test_every_table_with_rows_of_runs_is_emptied() -> None:
    tied = {table.name for table in metadata.sorted_tables if "run_key" in table.c}
    assert set(TABLES_OF_RUNS) == tied | {"texts", "runs"}
    assert TABLES_OF_RUNS[-1] == "runs"


def test_an_id_that_was_deleted_can_come_back(store: Store) -> None:
    put(store, body("a", final_response="old words"))
    store.delete("run:a")
    assert put(store, body("a", final_response="new words")) == ["imported"]
    assert run_ids(store.runs("new").rows) == ["a"]
    assert store.runs("old").total == 0


def test_nothing_found_is_nothing_deleted(store: Store) -> None:
    put(store, body("a"))
    assert store.delete("run:b") == 0
    with pytest.raises(QueryError):
        store.delete("runn:a")
    assert store.runs().total == 1


def test_imports_stay_in_the_list_when_their_runs_are_gone(store: Store) -> None:
    put(store, body("a"), file="kept.jsonl")
    store.delete("run:*")
    assert store.imports.page().rows[0]["file"] == "kept.jsonl"
    assert store.imports.report(1).imported == 1


def test_vacuum_gives_the_room_back_and_leaves_no_trace(store: Store, path: Path) -> None:
    put(store, *(body(f"run-{n}", final_response=f"secretword{n} " * 500) for n in range(900)), body("kept"))
    store.vacuum()
    before = path.stat().st_size
    store.delete("-run:kept")
    store.vacuum()
    assert path.stat().st_size < before / 10
    assert b"secretword" not in path.read_bytes() + Path(f"{path}-wal").read_bytes()
    assert run_ids(store.runs("done").rows) == ["kept"]


def test_vacuum_waits_its_turn(store: Store) -> None:
    with pytest.raises(StoreBusyError), store.importing("a.jsonl", 1):
        store.vacuum()


def test_an_import_goes_with_its_runs_except_those_that_a_later_one_updated(store: Store) -> None:
    put_runs(store, [run_of(body(name)) for name in "ab"])
    put_runs(store, [run_of(body("b", final_response="later"))])
    first, second = sorted(int(str(row["import_id"])) for row in store.imports.page().rows)
    assert store.delete_import(first) == 1
    assert run_ids(store.runs().rows) == ["b"]
    assert [row["import_id"] for row in store.imports.page().rows] == [second]
    with pytest.raises(NotFoundError):
        store.delete_import(first)
