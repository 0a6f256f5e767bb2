"""The runs beside the open one are read before they are asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app import prefetch
from tests.app.conftest import OpenPage
from trace_store.errors import NotFoundError
from trace_store.store import Store


@pytest.fixture
def reads(filled: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The ids of the runs that are read from the store."""
    read: list[str] = []
    whole = Store.run

    def run(store: Store, run_id: str) -> object:
        read.append(run_id)
        return whole(store, run_id)

    monkeypatch.setattr(Store, "run", run)
    yield read
    prefetch.wait()


def test_the_next_run_of_the_list_is_there_when_it_is_opened(reads: list[str], open_page: OpenPage) -> None:
    at = open_page("run", run="run_empty", sort="run")
    prefetch.wait()
    assert "run_good" in reads
    reads.clear()
    at.button(key="run-next").click().run()
    assert not at.exception
    prefetch.wait()
    assert at.query_params["run"] in ("run_good", ["run_good"])
    assert "run_good" not in reads


def test_a_change_of_the_store_is_seen(filled: Store, reads: list[str]) -> None:
    first = prefetch.run(filled, filled.revision(), "run_good")
    assert prefetch.run(filled, filled.revision(), "run_good") is first
    filled.delete("run:run_good")
    with pytest.raises(NotFoundError):
        prefetch.run(filled, filled.revision(), "run_good")


def test_a_large_run_is_not_read_ahead(filled: Store, reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefetch, "LARGEST_BYTES", 10)
    prefetch.read_ahead(filled, filled.revision(), ["run_good", None])
    prefetch.wait()
    assert reads == []


def test_a_run_that_is_gone_troubles_nobody(filled: Store, reads: list[str]) -> None:
    prefetch.read_ahead(filled, filled.revision(), ["nobody", "run_good"])
    prefetch.wait()
    assert reads == ["nobody"]


def test_memory_holds_a_few_runs_only(filled: Store, reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefetch, "RUNS_IN_MEMORY", 1)
    for run_id in ("run_good", "run_empty", "run_good"):
        prefetch.run(filled, filled.revision(), run_id)
    assert reads == ["run_good", "run_empty", "run_good"]
