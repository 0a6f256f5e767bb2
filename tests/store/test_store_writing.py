"""One file, one transaction: what is put, put again, replaced, and what an exception leaves."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from tests.store.building import body, call, failed_call, finding, put, put_runs, run_ids, run_of
from trace_store import Store
from trace_store.errors import NotFoundError, StoreBusyError, StoreError
from trace_store.model import Review
from trace_store.reports import FileReport
from trace_store.store.writing import batch as writing

TABLES_OF_A_RUN = ("runs", "documents", "calls", "chains", "actors", "findings", "texts")


def counts(database: sqlite3.Connection) -> dict[str, int]:
    return {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES_OF_A_RUN}


def contents(path: Path) -> list[tuple[object, ...]]:
    """Every row of every table that is ours, the full-text index as its terms."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, texts_fts, instance)")
        tables = [*TABLES_OF_A_RUN, "imports", "reviews", "review_tags", "temp.terms"]
        rows = [(table, *row) for table in tables for row in connection.execute(f"SELECT * FROM {table}")]
    connection.close()
    return rows


def test_a_new_run_is_imported_and_the_same_id_is_updated(store: Store) -> None:
    assert put(store, body("a"), body("b")) == ["imported", "imported"]
    assert put(store, body("b", status="failed"), body("c")) == ["updated", "imported"]
    assert store.run("b").status == "failed"
    assert store.run("b").import_id == 2
    assert sorted(run_ids(store.runs().rows)) == ["a", "b", "c"]


def test_within_one_file_a_second_version_replaces_the_first(store: Store) -> None:
    assert put(store, body("a", status="one"), body("a", status="two")) == ["imported", "replaced"]
    assert store.run("a").status == "two"
    assert store.runs().total == 1


def test_a_version_that_was_written_already_is_replaced_too(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "BUFFER_BYTES", 1)  # every run is written at once
    assert put(store, body("a", status="one"), body("b"), body("a", status="two")) == ["imported"] * 2 + ["replaced"]
    assert put(store, body("a", status="three"), body("a", status="four")) == ["updated", "replaced"]
    assert store.run("a").status == "four"
    assert store.runs().total == 2


def test_an_updated_run_leaves_nothing_of_its_old_version(store: Store, database: sqlite3.Connection) -> None:
    old = [failed_call("old_tool", arguments={"word": "obsolete"}) for _ in range(3)]
    put_runs(store, [run_of(body("a", *old, final_response="obsolete answer"), finding(), finding("run_failed"))])
    put(store, body("b", call("other")))
    put_runs(store, [run_of(body("a", call("new_tool"), final_response="new answer"), finding())])
    assert counts(database) == {
        "runs": 2, "documents": 2, "calls": 2, "chains": 2, "actors": 2, "findings": 1, "texts": 10,
    }  # fmt: skip
    assert store.runs("obsolete").total == 0
    assert store.runs("answer").total == 1
    assert store.calls("tool:old_tool").total == 0
    assert store.calls("tool:new_tool").total == 1


def test_updating_every_run_leaves_the_full_text_of_a_fresh_import(store: Store, tmp_path: Path, path: Path) -> None:
    first = [body(f"run-{n}", call(arguments={"n": n}), final_response="alpha 退款 caf\\u00e9") for n in range(20)]
    second = [body(f"run-{n}", call(arguments={"n": -n}), final_response="beta") for n in range(20)]
    put(store, *first)
    put(store, *second)
    with Store.open(f"sqlite:///{tmp_path}/fresh.db") as fresh:
        put(fresh, *second)

    def terms(database: Path) -> list[str]:
        return sorted(str(row[1]) for row in contents(database) if row[0] == "temp.terms")

    assert terms(path) == terms(tmp_path / "fresh.db")


def review_of(store: Store, run_id: str) -> Review:
    review = store.run(run_id).review
    assert review is not None
    return review


def test_a_review_outlives_the_update_of_its_run_and_says_so(store: Store) -> None:
    put(store, body("a"))
    store.reviews.save("a", Review("fail", note="wrong order", tags=("seen",)))
    assert review_of(store, "a").stale is False
    put(store, body("a"))
    assert review_of(store, "a").stale is False
    put(store, body("a", status="failed"))
    review = review_of(store, "a")
    assert (review.verdict, review.note, review.tags, review.stale) == (
        "fail",
        "wrong order",
        ("seen",),
        True,
    )
    assert store.runs("review:stale").total == 1


def test_the_digest_of_a_run_is_known_before_and_after_it_is_written(store: Store) -> None:
    run, raw, digest = run_of(body("a"))
    with store.importing("a.jsonl", 1) as batch:
        assert batch.digest_of("a") is None
        batch.put(run, raw, digest)
        assert batch.digest_of("a") == digest
        batch.finish(FileReport("a.jsonl"))
    with store.importing("a.jsonl", 1) as batch:
        assert batch.digest_of("a") == digest
        assert batch.digest_of("A") is None
        batch.finish(FileReport("a.jsonl"))


class Interrupt(BaseException):
    """As KeyboardInterrupt is one: not an Exception."""


@pytest.mark.parametrize("error", [Interrupt, KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("buffer_bytes", [1, 1_000_000], ids=["written", "waiting"])
def test_any_exception_leaves_the_store_as_it_was(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException], buffer_bytes: int
) -> None:
    put(store, body("a", call(), final_response="first words"), body("b"))
    store.reviews.save("a", Review("pass"))
    before = contents(path)
    monkeypatch.setattr(writing, "BUFFER_BYTES", buffer_bytes)
    with pytest.raises(error), store.importing("b.jsonl", 1) as batch:
        for document in (body("a", call(), final_response="other words"), body("c"), body("c", status="x")):
            batch.put(*run_of(document))
        raise error
    assert contents(path) == before
    assert put(store, body("c")) == ["imported"]


def test_an_import_that_is_never_finished_is_not_kept(store: Store) -> None:
    unfinished = pytest.raises(StoreError, match=r"half\.jsonl: the import was not finished")
    with unfinished, store.importing("half.jsonl", 1) as batch:
        batch.put(*run_of(body("a")))
    assert store.runs().total == 0
    assert store.imports.page().total == 0


def test_an_import_keeps_its_report(store: Store) -> None:
    report = FileReport("nightly.jsonl", imported=1, unchanged=4, seconds=1.5, redactions=2)
    report.reject("line 3", "broken", "no JSON", "look at line 3")
    report.warn("a", "messages[0]", "dropped")
    with store.importing("nightly.jsonl", 12_345) as batch:
        batch.put(*run_of(body("a")))
        batch.finish(report)
    put(store, body("b"), file="later.jsonl")
    page = store.imports.page()
    assert page.total == 2
    assert [row["file"] for row in page.rows] == ["later.jsonl", "nightly.jsonl"]
    assert {name: value for name, value in page.rows[1].items() if name != "started_at"} == {
        "import_id": 1, "file": "nightly.jsonl", "size_bytes": 12_345, "seconds": 1.5, "imported": 1, "updated": 0,
        "unchanged": 4, "rejected": 1, "warnings": 1, "redactions": 2,
    }  # fmt: skip
    assert store.imports.report(1) == report
    with pytest.raises(NotFoundError, match="no import 7"):
        store.imports.report(7)


def test_a_file_without_runs_leaves_its_report(store: Store) -> None:
    report = FileReport("page.html")
    report.reject("document", "html", "a web page", "export again")
    with store.importing("page.html", 10) as batch:
        batch.finish(report)
    assert store.imports.page().rows[0]["rejected"] == 1


def test_two_imports_at_once_take_turns(store: Store) -> None:
    with store.importing("a.jsonl", 1) as batch:
        with pytest.raises(StoreBusyError, match="another import"):
            put(store, body("b"))
        with pytest.raises(StoreBusyError):
            store.delete("run:a")
        batch.put(*run_of(body("a")))
        batch.finish(FileReport("a.jsonl"))
    assert run_ids(store.runs().rows) == ["a"]


def test_what_is_put_waits_in_memory_only_up_to_a_bound(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "BUFFER_BYTES", 20_000)
    with store.importing("a.jsonl", 1) as batch:
        waiting = []
        for number in range(50):
            batch.put(*run_of(body(f"run-{number % 40}", final_response="x" * 2_000)))
            waiting.append(batch.pending_bytes)
        batch.finish(FileReport("a.jsonl"))
    assert max(waiting) < 20_000
    assert waiting.count(0) > 5
    assert store.runs().total == 40


@pytest.mark.parametrize("first", ["runs", "documents", "calls", "texts"])
def test_a_disk_that_fails_is_said_and_nothing_is_kept(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    put(store, body("a"))
    before = contents(path)

    def full(batch: object, table: str, rows: object, *, real: Callable[..., None] = writing.Batch._write) -> None:
        if table == first:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        real(batch, table, rows)

    monkeypatch.setattr(writing.Batch, "_write", full)
    with pytest.raises(StoreError, match=r"the disk is full \(nothing of this import was kept"):
        put(store, body("b", call()))
    assert contents(path) == before


def test_a_document_comes_back_byte_for_byte(store: Store) -> None:
    raw = b'{ "run_id":"a",\n\t"final_response": "caf\\u00e9 \xf0\x9f\x8c\xb1" , "nul": "\\u0000" }\r\n'
    run, _, digest = run_of(orjson.loads(raw))
    with store.importing("a.jsonl", len(raw)) as batch:
        batch.put(run, raw, digest)
        batch.finish(FileReport("a.jsonl"))
    assert store.raw("a") == raw
    assert store.run("a").final_response == "café 🌱"


def test_an_empty_raw_document_and_a_large_one_come_back(store: Store) -> None:
    large = body("large", final_response="y" * 40_000, blob=["z" * 1000 + str(n) for n in range(3000)])
    run, _, digest = run_of(body("empty"))
    with store.importing("a.jsonl", 1) as batch:
        batch.put(run, b"", digest)
        batch.put(*run_of(large))
        batch.finish(FileReport("a.jsonl"))
    assert store.raw("empty") == b""
    assert store.run("empty").run_id == "empty"
    assert orjson.loads(store.raw("large")) == large
    assert store.run("large").extra["blob"] == large["blob"]
