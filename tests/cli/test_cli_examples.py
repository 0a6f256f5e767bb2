"""What the help tells a newcomer to type can be typed: every example runs, and every query in a text is one."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import RUNS, run
from trace_store.cli.program import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
NAMES = [name for name, *_ in COMMANDS]


@pytest.fixture
def desk(imported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the files that the examples name, a store of the sample runs, and no app to start."""
    shutil.copytree(RUNS, tmp_path / "exports")
    shutil.copy(imported, tmp_path / "traces.db")
    clean = (RUNS / "support.jsonl").read_bytes().splitlines(keepends=True)[0]
    (tmp_path / "nightly.jsonl").write_bytes(clean)
    (tmp_path / "nightly.jsonl.gz").write_bytes(gzip.compress(clean))
    (tmp_path / "reviews.jsonl").write_text('{"run_id": "support-refund-clean", "verdict": "pass"}\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRACE_STORE_URL", "sqlite:///traces.db")
    monkeypatch.setattr(
        "trace_store.cli.serve_commands.subprocess.run", lambda words, **_: subprocess.CompletedProcess(words, 0)
    )
    return tmp_path


def help_of(name: str) -> str:
    return " ".join(run(name, "--help").stdout.split())


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_help_runs(desk: Path, name: str) -> None:
    example = help_of(name).partition("Example: trace-store ")[2]
    # What a shell does with the output is the shell's own.
    words = shlex.split(re.split(r" [|>] ", example)[0])
    done = run(*words)
    assert done.exit_code == 0, done.stderr


def test_the_example_of_runs_finds_some(desk: Path) -> None:
    words = shlex.split(help_of("runs").partition("Example: trace-store ")[2])
    assert "\n0 of 0 runs" not in f"\n{run(*words).stdout}"


@pytest.mark.parametrize("name", ["runs", "calls", "findings", "stats", "export", "reviews"])
def test_the_query_in_the_help_of_a_query_is_one(desk: Path, name: str) -> None:
    [query] = re.findall(r"Terms like `(.+?)`", help_of(name))
    assert "failed:true" in query
    assert run("runs", query).exit_code == 0
    assert run("calls", query).exit_code == 0


def test_the_query_that_the_readme_shows_finds_a_run_and_its_call(desk: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    [query] = re.findall(r"`(error_class:run_token_expired .+?)`", readme)
    for listed in ("runs", "calls"):
        page = json.loads(run(listed, query, "--format", "json").stdout)
        assert [row["run_id"] for row in page["rows"]] == ["support-expired-sub-agent"]
