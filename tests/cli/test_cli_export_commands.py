"""`export`, `delete` and `vacuum`."""

from __future__ import annotations

import csv
import io
import json
import os
import threading
from pathlib import Path

from tests.cli.conftest import COUNT, NIGHTLY, RUNS, Command


def test_an_export_goes_in_again_as_the_same_runs(on_copy: Command, command: Command, tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    done = on_copy("export", "-o", str(out))
    assert done.stdout == ""
    assert done.stderr == f"{COUNT} runs exported to {out}\n"
    assert f": imported 0, updated 0, unchanged {COUNT}, rejected 0" in on_copy("import", str(out)).stdout
    assert f": imported {COUNT}, updated 0, unchanged 0, rejected 0, warnings 25" in command("import", str(out)).stdout
    of_rollup = json.loads(command("show", "nightly-gift-card-3", "--format", "json").stdout)
    assert (of_rollup["check_id"], of_rollup["task_id"], of_rollup["scenario"], of_rollup["judge_passed"]) == (
        "nightly-2026-04-03",
        "gift-card-balance",
        "Gift card balance",
        False,
    )


def test_a_line_of_jsonl_comes_back_to_the_byte(on_samples: Command) -> None:
    done = on_samples("export", "run:support-refund-*")
    assert done.stdout_bytes.splitlines() == (RUNS / "support.jsonl").read_bytes().splitlines()[:2]
    assert done.stderr == "2 runs exported\n"


def test_csv_has_a_row_a_run_in_the_order_of_their_import(on_samples: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(on_samples("export", "task:highest-tide", "--format", "csv").stdout)))
    assert [row["run_id"] for row in rows] == [
        "research-ungrounded-figure",
        "research-unverified",
        "research-json-answer",
        "research-asked-twice",
        "research-final-output",
        "research-responses",
    ]
    assert {row["judge_passed"] for row in rows} == {"true"}


def test_failures_as_envelopes(on_samples: Command, tmp_path: Path) -> None:
    done = on_samples("export", "run:travel-lock-exhausted", "--format", "envelopes")
    envelopes = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == f"{len(envelopes)} failed calls exported\n"
    assert {envelope["run_id"] for envelope in envelopes} == {"travel-lock-exhausted"}
    assert {envelope["error_code"] for envelope in envelopes} == {"resource_exhausted"}
    assert all(list(envelope) == list(envelopes[0]) and len(envelope) == 7 for envelope in envelopes)
    out = tmp_path / "failures.jsonl"
    done = on_samples("export", "--format", "envelopes", "-o", str(out))
    failures = json.loads(on_samples("calls", "outcome:failed,injected_failure", "--format", "json").stdout)["total"]
    assert done.stderr == f"{failures} failed calls exported to {out}\n"
    assert len(out.read_bytes().splitlines()) == failures


def test_an_export_that_fails_leaves_the_file_that_was_there(on_samples: Command, tmp_path: Path) -> None:
    out = tmp_path / "kept.jsonl"
    out.write_text("precious")
    done = on_samples("export", "fooo:1", "-o", str(out))
    assert done.exit_code == 2
    assert out.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [out]


def test_a_pipe_is_written_to_and_not_replaced(on_samples: Command, tmp_path: Path) -> None:
    out = tmp_path / "pipe"
    os.mkfifo(out)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(out.read_bytes()))
    reader.start()
    assert on_samples("export", "run:support-refund-*", "-o", str(out)).exit_code == 0
    reader.join()
    assert out.is_fifo()
    assert read[0].splitlines() == (RUNS / "support.jsonl").read_bytes().splitlines()[:2]


def test_a_link_stays_one_and_its_file_is_replaced(on_samples: Command, tmp_path: Path) -> None:
    link, out = tmp_path / "latest.jsonl", tmp_path / "run.jsonl"
    out.write_text("old")
    link.symlink_to(out)
    assert on_samples("export", "run:support-refund-*", "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert len(out.read_bytes().splitlines()) == 2
    assert sorted(tmp_path.iterdir()) == [link, out]


def test_a_folder_is_no_file_to_export_to(on_samples: Command, tmp_path: Path) -> None:
    done = on_samples("export", "-o", str(tmp_path))
    assert done.exit_code == 2
    assert done.stderr == f"error: {tmp_path}: cannot be written: Is a directory\n"


def test_a_file_that_cannot_be_written_is_one_line(on_samples: Command, tmp_path: Path) -> None:
    out = tmp_path / "absent" / "out.jsonl"
    done = on_samples("export", "-o", str(out))
    assert done.exit_code == 2
    assert done.stderr == f"error: {out}: cannot be written: No such file or directory\n"


def test_delete_asks_and_takes_no_for_an_answer(on_copy: Command) -> None:
    done = on_copy("delete", "check:nightly-*", stdin="n\n")
    assert done.exit_code == 1
    assert f"Delete {NIGHTLY} runs?" in done.stderr
    assert on_copy("runs", "check:nightly-*").stdout.endswith(f"{NIGHTLY} of {NIGHTLY} runs\n")


def test_delete_takes_yes_for_an_answer(on_copy: Command) -> None:
    assert on_copy("delete", "check:nightly-*", stdin="y\n").stdout.endswith(f"{NIGHTLY} runs deleted\n")
    assert on_copy("runs").stdout.endswith(f"50 of {COUNT - NIGHTLY} runs\n")


def test_delete_need_not_ask(on_copy: Command) -> None:
    assert on_copy("delete", "check:nightly-*", "--yes").stdout == f"{NIGHTLY} runs deleted\n"
    assert on_copy("delete", "check:nightly-*").stdout == "0 runs deleted\n"


def test_delete_without_a_query_deletes_nothing(on_copy: Command) -> None:
    for words in ([], [""], ["--yes"], ["  "]):
        done = on_copy("delete", *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == "error: delete needs a query (run:* finds every run)\n"
    assert on_copy("runs").stdout.endswith(f"of {COUNT} runs\n")


def test_vacuum_gives_the_room_back(on_copy: Command, tmp_path: Path) -> None:
    on_copy("delete", "run:*", "--yes")
    before = (tmp_path / "copy.db").stat().st_size
    assert on_copy("vacuum").exit_code == 0
    assert (tmp_path / "copy.db").stat().st_size < before


def test_one_run_is_told_as_one(on_copy: Command) -> None:
    assert on_copy("export", "run:support-refund-clean").stderr == "1 run exported\n"
    done = on_copy("delete", "run:support-refund-clean", stdin="y\n")
    assert "Delete 1 run? [y/N]:" in done.stderr
    assert done.stdout.endswith("1 run deleted\n")


def test_delete_takes_no_answer_for_a_no(on_copy: Command) -> None:
    for answer in ("", "n\n"):
        done = on_copy("delete", "run:support-refund-clean", stdin=answer)
        assert done.exit_code == 1
        assert done.stderr.splitlines()[-1] == "nothing was deleted"
        assert "Aborted" not in done.stderr
    assert on_copy("runs", "run:support-refund-clean").stdout.endswith("1 of 1 runs\n")
