"""The program as a whole: help, exit codes, the store it works on, pipes, and the README's word on it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, run
from trace_store.cli import serve_commands
from trace_store.cli.program import COMMANDS
from trace_store.store.writing.batch import Batch

ROOT = Path(__file__).resolve().parents[2]
NAMES = [name for name, *_ in COMMANDS]


def start(*words: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    """A process of its own: `python -m trace_store WORDS`."""
    command = [sys.executable, "-m", "trace_store", *words]
    return subprocess.run(command, capture_output=True, check=False, cwd=ROOT, **more)  # type: ignore[call-overload, no-any-return]  # passed on


@pytest.mark.parametrize("name", NAMES)
def test_each_help_ends_with_an_example_of_that_command(name: str) -> None:
    done = run(name, "--help")
    assert done.exit_code == 0
    example = done.stdout.partition("Example: ")[2]
    assert " ".join(example.split()).startswith("trace-store ")
    assert name in example.split()


@pytest.mark.parametrize("name", NAMES)
def test_each_command_is_documented_in_the_readme(name: str) -> None:
    section = (ROOT / "README.md").read_text("utf-8").partition("\n## Command line\n")[2].partition("\n## ")[0]
    assert f"`{name}" in section


def test_wrong_use_is_2() -> None:
    for words in (["nope"], ["runs", "--nope"], ["runs", "--limit", "x"], ["runs", "--format", "xml"], ["import"]):
        done = run(*words)
        assert done.exit_code == 2, words
        assert done.stdout == ""
        assert "Error: " in done.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--format xml", "'--format': 'xml' is not one of 'table', 'json', 'jsonl', 'csv'."),
        ("--limit x", "'--limit': a whole number is needed"),
        ("--limit -1", "'--limit': the least is 0"),
    ],
)
def test_a_value_that_an_option_does_not_take_is_told_in_plain_words(words: str, expected: str) -> None:
    done = run("runs", *words.split())
    assert done.exit_code == 2
    assert done.stderr.endswith(f"Error: Invalid value for {expected}\n")


def test_a_store_that_cannot_be_opened_is_one_line_and_2(tmp_path: Path) -> None:
    done = run("--store", f"sqlite:///{tmp_path}/absent/traces.db", "runs")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"error: {tmp_path}/absent/traces.db: the store cannot be opened")
    assert done.stderr.count("\n") == 1


def test_the_environment_names_the_store_and_the_option_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRACE_STORE_URL", f"sqlite:///{tmp_path / 'named.db'}")
    assert run("import", "-", stdin='{"run_id": "a", "final_response": "x"}').exit_code == 0
    assert (tmp_path / "named.db").exists()
    assert json.loads(run("runs", "--format", "json").stdout)["total"] == 1
    elsewhere = run("--store", f"sqlite:///{tmp_path / 'other.db'}", "runs", "--format", "json")
    assert json.loads(elsewhere.stdout)["total"] == 0


def test_the_module_is_the_command(imported: Path) -> None:
    done = start("--store", f"sqlite:///{imported}", "show", "support-arabic-return", env=os.environ | {"LC_ALL": "C"})
    assert done.returncode == 0
    assert "نعم، يمكنك إرجاع إبريق الشاي 🫖" in done.stdout.decode("utf-8")
    assert done.stderr == b""


def test_a_reader_that_has_had_enough_is_no_error(imported: Path) -> None:
    words = [sys.executable, "-m", "trace_store", "--store", f"sqlite:///{imported}", "export"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        expected = process.stderr.read()
    assert process.returncode == 0
    assert b"Traceback" not in expected


@pytest.mark.parametrize(
    "words", [["runs"], ["runs", "--format", "json"], ["export"], ["show", "support-arabic-return"]]
)
def test_an_output_that_cannot_be_written_is_one_line(imported: Path, words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "trace_store", "--store", f"sqlite:///{imported}", *words],
            stdout=full, stderr=subprocess.PIPE, check=False, cwd=ROOT,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == b"error: standard output: cannot be written: No space left on device\n"


def test_closed_streams_are_no_traceback(imported: Path) -> None:
    runs = start("--store", f"sqlite:///{imported}", "runs", preexec_fn=lambda: os.close(1))
    assert (runs.returncode, runs.stderr) == (0, b"")
    check = start("check", "-", preexec_fn=lambda: os.close(0))
    assert (check.returncode, check.stderr) == (2, b"error: standard input is closed (name a file instead of -)\n")


def test_an_interrupt_is_one_line_and_keeps_nothing_of_the_file(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"run_id": "a", "final_response": "x"}\n{"run_id": "b", "final_response": "x"}\n')
    for name in ("put", "put_rows"):
        put = getattr(Batch, name)

        def interrupted(*expected: Any, put: Any = put) -> None:
            put(*expected)
            raise KeyboardInterrupt

        monkeypatch.setattr(Batch, name, interrupted)
    done = command("import", str(path))
    assert (done.exit_code, done.stdout) == (130, "")
    assert done.stderr == "interrupted: what was not finished is not kept\n"
    assert command("runs", "--limit", "0").stdout == "0 of 0 runs\n"


def test_a_limit_beyond_any_number_of_rows(on_samples: Command) -> None:
    for listed in ("runs", "calls", "findings"):
        done = on_samples(listed, "--limit", "9" * 30, "--format", "json")
        listing = json.loads(done.stdout)
        assert len(listing["rows"]) == listing["total"] > 0


def test_the_schema_is_the_published_one(command: Command) -> None:
    published = json.loads((ROOT / "docs" / "run-body.schema.json").read_text("utf-8"))
    assert json.loads(command("schema").stdout) == published


def test_serve_starts_the_app_on_loopback_with_the_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[tuple[list[str], dict[str, str]]] = []

    def fake(words: list[str], *, env: dict[str, str], check: bool) -> subprocess.CompletedProcess[bytes]:
        started.append((words, env))
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr("trace_store.cli.serve_commands.subprocess.run", fake)
    url = f"sqlite:///{tmp_path / 'served.db'}"
    with socket.socket() as listener:
        listener.bind((serve_commands.LOOPBACK, 0))
        port = str(listener.getsockname()[1])
    assert run("--store", url, "serve", "--port", port).exit_code == 0
    [(words, env)] = started
    assert words[1:4] == ["-m", "streamlit", "run"]
    assert Path(words[4]) == ROOT / "app" / "main.py"
    options = dict(zip(words[5::2], words[6::2], strict=True))
    assert options == {"--server.port": port, "--server.address": "127.0.0.1"}
    assert env["TRACE_STORE_URL"] == url


def test_serve_on_a_port_that_is_in_use_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    monkeypatch.setattr("trace_store.cli.serve_commands.subprocess.run", lambda *words, **_: started.append(words))
    with socket.socket() as listener:
        listener.bind((serve_commands.LOOPBACK, 0))
        listener.listen()
        port = listener.getsockname()[1]
        done = run("serve", "--port", str(port))
    assert (done.exit_code, started) == (2, [])
    assert done.stderr == f"error: port {port} is in use (name another one with --port)\n"
