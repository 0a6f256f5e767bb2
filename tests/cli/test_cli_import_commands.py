"""`import` and `check`: reports, exit codes, and what stays unwritten."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import COUNT, RUNS, Command
from trace_store.cli import import_commands
from trace_store.contract import normalise
from trace_store.model import Finding, Run, Severity
from trace_store.model import Path as RunPath

GOOD = '{"run_id": "a", "final_response": "fine"}\n'
BAD = '{"run_id": "b", "final_resp\n'


def test_an_import_reports_each_file_and_the_sum(command: Command) -> None:
    done = command("import", str(RUNS))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 10
    assert lines[0].startswith(f"{RUNS / 'billing.jsonl'}: imported 9, updated 0, unchanged 0, rejected 0, warnings 5")
    assert "secrets redacted 2" in lines[0]
    assert lines[-1].startswith(f"9 files: imported {COUNT}, updated 0, unchanged 0, rejected 0")
    assert done.stderr == ""


def test_importing_again_changes_nothing(command: Command) -> None:
    command("import", str(RUNS))
    assert f"9 files: imported 0, updated 0, unchanged {COUNT}, rejected 0" in command("import", str(RUNS)).stdout


def test_a_rejection_is_told_with_its_place_and_the_exit_code_is_1(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(GOOD + BAD)
    done = command("import", str(path))
    assert done.exit_code == 1
    first, second = done.stdout.splitlines()
    assert first.startswith(f"{path}: imported 1, updated 0, unchanged 0, rejected 1")
    assert second.startswith("  rejected: line 2: ")
    assert command("runs", "--format", "json").stdout.count('"run_id"') == 1


def test_a_path_that_is_not_there_is_a_rejection_and_the_others_go_on(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(GOOD)
    done = command("import", str(tmp_path / "absent.json"), str(path))
    assert done.exit_code == 1
    assert "cannot be read" in done.stdout
    assert "2 files: imported 1, updated 0, unchanged 0, rejected 1" in done.stdout


def test_the_report_as_json(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(GOOD + BAD)
    done = command("import", "--json", str(path))
    report = json.loads(done.stdout)
    assert done.exit_code == 1
    assert report["totals"]["imported"] == 1
    assert report["totals"]["rejected"] == 1
    assert report["files"][0]["rejections"][0]["place"] == "line 2"


def test_a_dash_reads_standard_input(command: Command) -> None:
    done = command("import", "-", stdin=GOOD)
    assert done.stdout.startswith("-: imported 1, ")
    assert json.loads(command("show", "a", "--format", "json").stdout)["final_response"] == "fine"


def test_a_bar_is_drawn_on_a_terminal_only(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command("import", "-", stdin=GOOD).stderr == ""
    monkeypatch.setenv("FORCE_COLOR", "1")  # makes anything a terminal
    monkeypatch.setenv("COLUMNS", "120")
    done = command("import", "-", stdin=GOOD)
    assert "1 read" in done.stderr
    assert done.stdout.startswith("-: imported 0, updated 0, unchanged 1")


def test_check_prints_a_run_document_a_line_and_rejections_aside(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(GOOD + BAD + '"just text"\n')
    done = command("check", str(path), "--format", "jsonl")
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    assert [document["place"] for document in documents] == ["line 1", "line 3"]
    assert documents[1]["final_response"] == "just text"
    assert done.stderr.startswith(f"{path}: line 2: ")
    assert done.exit_code == 1


def test_check_reads_standard_input_too(command: Command) -> None:
    done = command("check", "-", "--format", "jsonl", stdin=GOOD + BAD)
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == ["-"]
    assert done.stderr.startswith("-: line 2: JSON is cut short")
    assert done.exit_code == 1


@pytest.mark.parametrize("name", ["import", "check"])
def test_an_empty_path_is_not_the_working_directory(command: Command, name: str) -> None:
    done = command(name, "")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "a path is empty" in done.stderr


def test_a_name_that_is_no_text_is_shown_as_far_as_it_is(command: Command, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.json")
    path.write_text(GOOD)
    done = command("import", str(path))
    assert done.stdout.startswith(f"{tmp_path}/caf\ufffd.json: imported 1, ")
    folder = command("import", str(tmp_path))
    assert folder.stdout.startswith(f"{tmp_path}/caf\ufffd.json: imported 0, updated 0, unchanged 1")
    assert json.loads(command("show", "a", "--format", "json").stdout)["file"] == f"{tmp_path}/caf\ufffd.json"
    assert json.loads(command("check", str(path), "--format", "jsonl").stdout)["run_id"] == "a"


def test_check_writes_nothing(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(GOOD)
    done = command("check", str(path))
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{path}: read 1, rejected 0, warnings 0")
    assert list(tmp_path.iterdir()) == [path]


def test_check_ends_with_1_where_it_finds_an_error(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*severities: Severity) -> Iterator[Run]:
        run = normalise({"run_id": "a", "final_response": "x"}).run
        run.findings = [
            Finding("kind", severity, RunPath("calls[0]"), "It is wrong.", "R19") for severity in severities
        ]
        yield run

    monkeypatch.setattr(import_commands, "check_paths", lambda *_: found("warning", "info"))
    assert command("check", "a.json").exit_code == 0
    monkeypatch.setattr(import_commands, "check_paths", lambda *_: found("warning", "error", "warning"))
    done = command("check", "a.json")
    assert done.exit_code == 1
    assert done.stdout.endswith("findings: 1 error, 2 warning, 0 info\n")


def test_sample_runs_import_without_a_rejection(command: Command) -> None:
    done = command("check", str(RUNS))
    assert f"9 files: read {COUNT}, rejected 0" in done.stdout


def test_what_a_report_quotes_cannot_drive_the_terminal(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "odd\u001b[31m.json"
    path.write_text("<html><title>\u001b[2J</title></html>")
    done = command("import", str(path))
    assert "\u001b" not in done.stdout
    assert "␛[31m" in done.stdout
