"""Opening: what becomes a store, and what is refused, with what to do about it."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import StaticPool, create_engine

from tests.store.building import body, call, put
from trace_store import Store
from trace_store.errors import StoreBusyError, StoreError
from trace_store.store.connection import Database
from trace_store.store.schema.migrations import MIGRATIONS, Migration, initial, migrate
from trace_store.store.schema.planner_statistics import statistics
from trace_store.store.schema.tables import FULL_TEXT, metadata

NEXT = MIGRATIONS[-1].version + 1


def schema(connection: sqlite3.Connection) -> dict[str, str]:
    """Every table and index by name, as it was declared, without the layout."""
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_stat1'")
    return {name: re.sub(r"\s+", "", sql) for name, sql in rows}


def test_a_migrated_database_is_the_schema_of_the_tables(store: Store, database: sqlite3.Connection) -> None:
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        metadata.create_all(connection)
        for statement in FULL_TEXT:
            connection.exec_driver_sql(statement)
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        expected = schema(driver)
    engine.dispose()
    assert schema(database) == expected


def test_every_store_tells_its_planner_the_same(store: Store, database: sqlite3.Connection) -> None:
    rows = database.execute("SELECT tbl, idx, stat FROM sqlite_stat1").fetchall()
    assert sorted(rows, key=str) == statistics()


def test_every_step_leaves_its_record(store: Store, database: sqlite3.Connection) -> None:
    records = database.execute("SELECT version, name FROM migrations ORDER BY version").fetchall()
    assert records == [(step.version, step.name) for step in MIGRATIONS]
    assert [step.version for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def test_an_old_store_goes_through_the_steps_that_it_lacks(store: Store, path: Path) -> None:
    put(store, body("kept"))
    newer = Migration(NEXT, "a note for each run", ("ALTER TABLE runs ADD COLUMN remark TEXT",))
    database = Database(f"sqlite:///{path}", wait_s=0)
    try:
        assert migrate(database, [*MIGRATIONS, newer]) == [NEXT]
        assert migrate(database, [*MIGRATIONS, newer]) == []
        with database.read() as connection:
            assert connection.exec_driver_sql("SELECT run_id, remark FROM runs").all() == [("kept", None)]
    finally:
        database.close()


def test_failures_of_an_old_store_get_what_their_boundaries_said(path: Path) -> None:
    refusal = call("pay", source="odyssey", response={"error": "card 4711 is unknown"})
    database = Database(f"sqlite:///{path}", wait_s=0)
    try:
        with Store.open(f"sqlite:///{path}") as new:
            put(new, body("a", refusal), body("b"))
            expected = new.figures.failure_tables("", ["signatures"])["signatures"]
        with database.write() as connection:  # as the first version left it
            connection.exec_driver_sql("DROP INDEX runs_boundary_stage")
            connection.exec_driver_sql("ALTER TABLE runs DROP COLUMN boundary_message")
            connection.exec_driver_sql(next(one for one in initial.STATEMENTS if "INDEX runs_boundary_stage" in one))
            connection.exec_driver_sql("DELETE FROM migrations WHERE version > 1")
        assert migrate(database, MIGRATIONS[:2]) == [2]
    finally:
        database.close()
    with Store.open(f"sqlite:///{path}") as migrated:
        signatures = migrated.figures.failure_tables("", ["signatures"])["signatures"]
    assert signatures["message"].tolist() == expected["message"].tolist() != [None]


def test_runs_of_an_old_store_are_found_by_what_is_searched_now(path: Path) -> None:
    transcript = [{"role": "assistant", "tool_calls": [{"name": "issue_refund", "arguments": {}}]}]
    with Store.open(f"sqlite:///{path}") as new:
        put(new, body("a", final_response="Rückgabe", messages=transcript), body("b", metadata={"session": "s-1"}))
    database = Database(f"sqlite:///{path}", wait_s=0)
    try:
        with database.write() as connection:  # as the second version left it: some texts, spelt otherwise
            connection.exec_driver_sql("INSERT INTO texts_fts (texts_fts) VALUES ('delete-all')")
            connection.exec_driver_sql("DELETE FROM texts WHERE part IN ('ids', 'names', 'metadata', 'extra')")
            connection.exec_driver_sql("INSERT INTO texts_fts (rowid, text) SELECT key, text FROM texts")
            connection.exec_driver_sql("DELETE FROM migrations WHERE version > 2")
        assert migrate(database) == [3]
    finally:
        database.close()
    with Store.open(f"sqlite:///{path}") as migrated:
        for words, run_id in (("issue_refund", "a"), ("ruckgabe", "a"), ('"s-1"', "b")):
            assert [row["run_id"] for row in migrated.runs(words).rows] == [run_id], words
        migrated.delete("run:a")
        assert migrated.runs("ruckgabe").total == 0


def test_a_step_that_fails_leaves_the_version_before_it(store: Store, path: Path) -> None:
    broken = Migration(NEXT, "broken", ("ALTER TABLE runs ADD COLUMN remark TEXT", "SELECT * FROM nowhere"))
    database = Database(f"sqlite:///{path}", wait_s=0)
    try:
        with pytest.raises(Exception, match="no such table: nowhere"):
            migrate(database, [*MIGRATIONS, broken])
        with database.read() as connection:
            assert connection.exec_driver_sql("SELECT max(version) FROM migrations").scalar() == NEXT - 1
            assert "remark" not in [row[1] for row in connection.exec_driver_sql("PRAGMA table_info(runs)")]
    finally:
        database.close()


def test_a_newer_store_is_refused(store: Store, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO migrations VALUES (99, 'from the future', 0)")
    with pytest.raises(StoreError, match=rf"schema 99, and this program knows {NEXT - 1} \(a newer program wrote it"):
        Store.open(f"sqlite:///{path}")


def test_a_database_of_something_else_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE orders (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="holds something else"):
        Store.open(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"certainly not a database, only some text" * 100)
    with pytest.raises(StoreError, match="not a database") as caught:
        Store.open(f"sqlite:///{path}")
    assert caught.value.path == str(path)
    assert path.read_bytes() == b"certainly not a database, only some text" * 100


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be opened \(the folder must exist"):
        Store.open(f"sqlite:///{tmp_path}/nowhere/traces.db")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("traces.db", "is not the URL of a store"),
        ("http://[", "a store in http is not supported"),
        ("sqlite://", "names no file"),
        ("sqlite:///traces.db?mode=ro", "has options, and a store takes none"),
        ("sqlite:///:memory:", "names no file"),
        ("postgresql://team/traces", "a store in postgresql is not supported"),
    ],
)
def test_a_url_of_no_file_is_refused_with_an_example(url: str, said: str) -> None:
    with pytest.raises(StoreError, match=rf"{said}.*like sqlite:///traces\.db"):
        Store.open(url)


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder in which this process cannot write; root, who can write anywhere, is nobody for as long."""
    folder = Path(tempfile.mkdtemp())
    with Store.open(f"sqlite:///{folder}/old.db"):
        pass
    (folder / "old.db").chmod(0o444)
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    yield folder
    if is_root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("name", ["new.db", "old.db"])
def test_a_read_only_folder_is_said(read_only_folder: Path, name: str) -> None:
    with pytest.raises(StoreError, match=r"store cannot be (opened|written) \(.*folder"):
        Store.open(f"sqlite:///{read_only_folder}/{name}")


def test_a_store_that_another_writes_can_still_be_opened_and_read(store: Store, path: Path) -> None:
    put(store, body("before"))
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with Store.open(f"sqlite:///{path}", wait_s=0) as again:
            assert again.runs().total == 1
            with pytest.raises(StoreBusyError, match=r"another import or edit holds the store \(try again"):
                put(again, body("after"))
        other.rollback()
    assert put(store, body("after")) == ["imported"]


def test_the_first_step_is_the_schema_and_nothing_else() -> None:
    allowed = ("CREATE ", "INSERT INTO texts_fts", "ANALYZE ", "INSERT INTO sqlite_stat1")
    assert all(statement.startswith(allowed) for statement in initial.STATEMENTS)
