from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, Engine

from tests.store.query.world import empty_store


@pytest.fixture(scope="package")
def engine() -> Iterator[Engine]:
    engine = empty_store()
    yield engine
    engine.dispose()


@pytest.fixture
def connection(engine: Engine) -> Iterator[Connection]:
    """An empty store; what a test writes is rolled back."""
    with engine.connect() as connection, connection.begin() as transaction:
        yield connection
        transaction.rollback()
