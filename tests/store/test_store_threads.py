"""One store for many threads, and several for many processes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.store.building import body, call, put, run_of
from trace_store import Store
from trace_store.model import Review
from trace_store.reports import FileReport


def together(number: int, work: Callable[[int], object]) -> list[object]:
    """Does the work in as many threads, all of which begin at once."""
    start = threading.Barrier(number)

    def begin(index: int) -> object:
        start.wait()
        return work(index)

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(begin, range(number)))


def test_many_threads_read_one_store(store: Store) -> None:
    put(store, *(body(f"run-{n}", call(f"tool_{n % 3}")) for n in range(60)))

    def read(index: int) -> tuple[object, ...]:
        seen = set()
        for _ in range(5):
            totals = (
                store.figures.totals(),
                store.calls("tool:tool_1", limit=5).total,
                store.figures.facet("", "tool")[0][1],
            )
            seen.add((totals[0].runs, *totals[1:], store.run(f"run-{index}").run_id))
        return tuple(seen)

    assert together(12, read) == [((60, 20, 20, f"run-{n}"),) for n in range(12)]


def test_readers_see_the_old_state_until_the_import_is_done(store: Store) -> None:
    put(store, body("old"))
    with store.importing("new.jsonl", 1) as batch:
        for number in range(200):
            batch.put(*run_of(body(f"new-{number}", call(), final_response="words " * 500)))
        during = together(4, lambda _: (store.runs().total, store.runs("words").total, store.imports.page().total))
        batch.finish(FileReport("new.jsonl"))
    assert during == [(1, 0, 1)] * 4
    assert (store.runs().total, store.runs("words").total, store.imports.page().total) == (201, 200, 2)


def test_threads_that_write_take_turns(path: Path) -> None:
    with Store.open(f"sqlite:///{path}", wait_s=60) as store:

        def write(index: int) -> list[str]:
            put(store, body(f"run-{index}"))
            store.reviews.save(f"run-{index}", Review("pass"))
            return put(store, body("shared", status=str(index)))

        verdicts = together(8, write)
        assert sorted(map(str, verdicts)) == ["['imported']"] + ["['updated']"] * 7
        assert store.runs("reviewed:true").total == 8
        assert store.runs().total == 9


def test_stores_on_one_file_take_turns(path: Path) -> None:
    """As processes do: each has its own connections, and only the file between them."""

    def write(index: int) -> int:
        with Store.open(f"sqlite:///{path}", wait_s=60) as store:
            put(store, body(f"run-{index}"))
            return store.runs().total

    assert max(int(str(total)) for total in together(6, write)) == 6
