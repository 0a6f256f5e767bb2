"""The command line in this process, and a store that holds the sample runs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from typer.testing import CliRunner, Result

from sample_runs.make import FOLDER, samples
from trace_store.cli.program import app
from trace_store.importing.files import import_paths
from trace_store.store import Store

RUNS = FOLDER / "runs"
COUNT = sum(map(len, samples().values()))
NIGHTLY = 15
"""Runs of the nightly check among them."""

Command: TypeAlias = Callable[..., Result]


def run(*words: str, stdin: str | bytes | None = None) -> Result:
    """`trace-store WORDS`."""
    result = CliRunner().invoke(app, words, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database file of a store with all sample runs."""
    path = tmp_path_factory.mktemp("store") / "samples.db"
    with Store.open(f"sqlite:///{path}") as store:
        import_paths(store, [RUNS])
    return path


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """The command line on an empty store of its own."""
    return lambda *words, **more: run("--store", f"sqlite:///{tmp_path / 'empty.db'}", *words, **more)


@pytest.fixture
def on_samples(imported: Path) -> Command:
    """The command line on the sample runs, for commands that only look."""
    return lambda *words, **more: run("--store", f"sqlite:///{imported}", *words, **more)


@pytest.fixture
def on_copy(imported: Path, tmp_path: Path) -> Iterator[Command]:
    """The command line on a copy of the sample runs, for commands that change them."""
    path = tmp_path / "copy.db"
    shutil.copy(imported, path)
    yield lambda *words, **more: run("--store", f"sqlite:///{path}", *words, **more)
