from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from trace_store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where `store` keeps its database."""
    return tmp_path / "traces.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An empty store, closed after the test; a busy one is not waited for."""
    with Store.open(f"sqlite:///{path}", wait_s=0) as opened:
        yield opened


@pytest.fixture
def database(store: Store, path: Path) -> Iterator[sqlite3.Connection]:
    """The database behind `store`, to look at its rows."""
    with closing(sqlite3.connect(path)) as connection:
        yield connection
