"""Runs read back, one by one and all of them."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.store.building import body, call, finding, put, put_runs, run_of
from trace_store import Store
from trace_store.errors import NotFoundError, QueryError
from trace_store.model import Review
from trace_store.store.lists import documents


def test_a_run_comes_back_as_it_was_put_with_what_the_store_knows(store: Store) -> None:
    document = body("a", call(arguments={"deep": [1, 2.5, None, {"x": "é"}]}, extra_key=1), metadata={"model": "m"})
    run, raw, digest = run_of(document, finding(), place="inner/a.jsonl: line 3")
    put_runs(store, [run_of(body("other")), (run, raw, digest)], file="exports/all.zip")
    run.import_id, run.file = 1, "exports/all.zip"
    assert store.run("a") == run
    assert store.run("a").place == "inner/a.jsonl: line 3"


@pytest.mark.parametrize("run_id", ["nobody", "A", "", "\udc80"])
def test_a_run_that_is_not_there(store: Store, run_id: str) -> None:
    put(store, body("a"))
    for read in (store.run, store.raw):
        with pytest.raises(NotFoundError, match=r"there is no run .* \(ids are matched exactly, capitals too\)"):
            read(run_id)


def test_ids_are_any_text(store: Store) -> None:
    ids = ["0", "ünï/çødé 🌱", "a'; DROP TABLE runs --", "nul\x00inside", "%", "*"]
    put(store, *(body(run_id) for run_id in ids))
    for run_id in ids:
        assert store.run(run_id).run_id == run_id
    assert store.runs().total == len(ids)


def test_every_run_of_a_query_in_the_order_of_import(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "FETCHED_TOGETHER", 2)
    put(store, *(body(f"run-{n}", status="odd" if n % 2 else "even") for n in range(7)))
    store.reviews.save("run-3", Review("unsure"))
    found = list(store.each("run_status:odd"))
    assert [stored.run_id for stored in found] == ["run-1", "run-3", "run-5"]
    assert [review and review.verdict for review in (stored.run().review for stored in found)] == [None, "unsure", None]
    assert [stored.raw for stored in found] == [store.raw(f"run-{n}") for n in (1, 3, 5)]
    assert len(list(store.each())) == 7


def test_a_reader_that_stops_early_gives_its_connection_back(store: Store) -> None:
    put(store, *(body(f"run-{n}") for n in range(100)))
    for _ in range(50):
        each = store.each()
        assert isinstance(each, Generator)
        assert next(each).run_id == "run-0"
        each.close()
    assert store.delete("run:*") == 100


def test_a_query_that_means_nothing_is_an_error_before_anything_is_read(store: Store) -> None:
    with pytest.raises(QueryError):
        list(store.each("nonsense:1"))


def test_the_revision_changes_with_every_write_and_with_nothing_else(store: Store) -> None:
    seen = [store.revision()]

    def changed() -> bool:
        seen.append(store.revision())
        return seen[-1] != seen[-2]

    put(store, body("a"))
    assert changed()
    store.runs(), store.run("a"), store.stats()
    assert not changed()
    store.reviews.save("a", Review("pass"))
    assert changed()
    store.delete("run:a")
    assert changed()


def test_another_process_changes_the_revision_too(store: Store, path: object) -> None:
    before = store.revision()
    with Store.open(f"sqlite:///{path}") as other:
        put(other, body("a"))
    assert store.revision() != before
