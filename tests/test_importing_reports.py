"""Reports: what they count, what they list, and that they come back from JSON as they were."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from trace_store.reports import MOST_ENTRIES, FileReport, ImportReport


def filled() -> FileReport:
    report = FileReport("exports/nightly.jsonl", size_bytes=3_000_000, seconds=1.5, imported=2, updated=1, unchanged=4)
    report.reject("line 3", "broken_json", "broken JSON at line 3, column 1: expecting value", "repeat it")
    report.warn("run_1", "messages[0]", "dropped")
    report.warn("run_2", None, "odd")
    report.skip(["notes.md"])
    return report


def test_a_report_comes_back_from_json() -> None:
    report = filled()
    assert FileReport.from_json(report.to_json()) == report
    with pytest.raises(ValidationError):
        FileReport.from_json(b'{"file": 5}')


def test_the_figures_of_a_file() -> None:
    report = filled()
    assert (report.documents, report.rejected, report.warnings, report.skipped) == (8, 1, 2, 1)
    assert report.mb_per_second == 2.0
    assert FileReport("x", size_bytes=5).mb_per_second == 0.0
    shown = report.as_dict()
    assert (shown["mb_per_second"], shown["rejections"][0]["place"]) == (2.0, "line 3")


def test_lists_are_cut_and_counts_are_not() -> None:
    report = FileReport("x")
    for index in range(MOST_ENTRIES + 5):
        report.reject(f"line {index}", "empty", "", "")
        report.warn("r", None, str(index))
    report.skip([str(index) for index in range(MOST_ENTRIES - 1)])
    report.skip(["a", "b", "c"])
    assert (report.rejected, report.warnings, report.skipped) == (MOST_ENTRIES + 5, MOST_ENTRIES + 5, MOST_ENTRIES + 2)
    assert len(report.rejections) == len(report.warned) == len(report.skipped_names) == MOST_ENTRIES
    assert report.skipped_names[-1] == "a"


def test_totals_add_up_over_files() -> None:
    report = ImportReport([filled(), filled(), FileReport("y", redactions=3, seconds=1.0)], ["folder/notes.txt"])
    assert report.totals == {
        "size_bytes": 6_000_000,
        "imported": 4,
        "updated": 2,
        "replaced": 0,
        "unchanged": 8,
        "rejected": 2,
        "warnings": 4,
        "redactions": 3,
        "skipped": 3,
    }
    assert (report.seconds, report.mb_per_second) == (4.0, 1.5)
    shown = json.loads(report.to_json())
    assert (shown["totals"]["files"], shown["totals"]["imported"], len(shown["files"])) == (3, 4, 3)
    assert shown["skipped_names"] == ["folder/notes.txt"]
