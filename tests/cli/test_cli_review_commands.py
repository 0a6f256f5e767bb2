"""`reviews` and `import-reviews`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command

SAID = {
    "run_id": "support-refund-clean",
    "verdict": "fail",
    "actor_id": "supervisor/refund_agent",
    "step": "calls[0]",
    "failure_mode": "wrong order",
    "note": '=1+1, "twice"\nand said nothing',
    "tags": ["billing", "later"],
    "reviewer": "Ada",
    "reviewed_at": "2026-04-01T09:00:00Z",
}


def file_of(folder: Path, *lines: object) -> str:
    path = folder / "said.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_reviews_go_out_and_come_in_as_they_were(on_copy: Command, tmp_path: Path, form: str) -> None:
    path = file_of(tmp_path, SAID)
    assert on_copy("import-reviews", path).stdout == f"{path}: 1 review saved, unchanged 0, rejected 0\n"
    out = tmp_path / f"out.{form}"
    out.write_bytes(on_copy("reviews", "--format", form).stdout_bytes)
    assert on_copy("import-reviews", str(out)).stdout == f"{out}: 0 reviews saved, unchanged 1, rejected 0\n"
    [row] = json.loads(on_copy("reviews", "--format", "json").stdout)["rows"]
    assert row == SAID | {"stale": False}


def test_csv_is_safe_in_a_spreadsheet(on_copy: Command, tmp_path: Path) -> None:
    on_copy("import-reviews", file_of(tmp_path, SAID))
    [row] = csv.DictReader(io.StringIO(on_copy("reviews", "--format", "csv").stdout, newline=""))
    assert row["note"] == f"'{SAID['note']}"
    assert row["tags"] == '["billing","later"]'


def test_a_query_narrows_the_reviews(on_copy: Command, tmp_path: Path) -> None:
    on_copy("import-reviews", file_of(tmp_path, SAID, {"run_id": "support-refund-missing", "verdict": "pass"}))
    assert json.loads(on_copy("reviews", "review:pass", "--format", "json").stdout)["total"] < 2
    assert json.loads(on_copy("reviews", "reviewer:Ada", "--format", "json").stdout)["total"] == 1


def test_bad_lines_are_told_and_the_others_saved(on_copy: Command, tmp_path: Path) -> None:
    path = file_of(tmp_path, SAID, {"run_id": "nobody"}, {"run_id": "support-refund-clean"}, {"verdict": "pass"})
    done = on_copy("import-reviews", path)
    assert done.exit_code == 1
    assert done.stdout == f"{path}: 1 review saved, unchanged 0, rejected 3\n"
    assert done.stderr.splitlines() == [
        f"{path}: line 2: there is no run 'nobody' (import the run first)",
        f"{path}: line 3: line 1 reviews the same run (keep only one review for each run)",
        f"{path}: line 4: the run is not named (add a run_id)",
    ]


def test_a_file_that_is_not_there_is_one_line(on_copy: Command) -> None:
    done = on_copy("import-reviews", "nowhere.csv")
    assert (done.exit_code, done.stderr) == (2, "error: nowhere.csv: cannot be read: No such file or directory\n")


def test_standard_input_and_a_report_as_json(on_copy: Command) -> None:
    done = on_copy("import-reviews", "-", "--json", stdin=json.dumps(SAID))
    assert json.loads(done.stdout) == [{"name": "-", "saved": 1, "unchanged": 0, "rejected": []}]
