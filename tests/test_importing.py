"""Imports end to end: what they write, what they report, and what they leave alone (R41-R44)."""

from __future__ import annotations

import gc
import io
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.readers.reading import zipped
from trace_store.contract import NormalisedRun
from trace_store.errors import NotFoundError
from trace_store.evidence import examine as examine_run
from trace_store.importing import files, pipeline
from trace_store.importing.files import check_paths, import_paths, import_stream
from trace_store.model import Run
from trace_store.readers import Rejection
from trace_store.reports import FileReport, ImportReport
from trace_store.store import Store

BEARER = "Bearer abcdefghijklmnop0123456789"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path / 'traces.db'}") as opened:
        yield opened


def body(run_id: object, answer: str = "done", **more: object) -> dict[str, object]:
    return {"run_id": run_id, "final_response": answer} | more


def written(path: Path, *values: object) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


def counts(report: FileReport) -> dict[str, int]:
    names = ("imported", "updated", "replaced", "unchanged", "rejected", "warnings", "redactions")
    return {name: getattr(report, name) for name in names if getattr(report, name)}


def only(store: Store, *paths: Path) -> FileReport:
    (report,) = import_paths(store, paths).files
    return report


def ids(store: Store) -> set[str]:
    return {str(row["run_id"]) for row in store.runs(limit=1000).rows}


# ---- what is written --------------------------------------------------------------------------------------------


def test_a_file_is_imported_with_its_place_and_its_raw_document(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "nightly.jsonl"
    path.write_bytes(b'\n{"run_id":  "a", "final_response": "caf\\u00e9"}\r\n"text"\n')
    report = only(store, path)
    assert counts(report) == {"imported": 2}
    run = store.run("a")
    assert (run.file, run.place, run.format, run.final_response) == (str(path), "line 2", "run-body", "café")
    assert run.import_id is not None
    assert store.raw("a") == b'{"run_id":  "a", "final_response": "caf\\u00e9"}'


def test_a_run_without_an_id_goes_by_its_digest(store: Store, tmp_path: Path) -> None:
    only(store, written(tmp_path / "a.jsonl", "note", {"final_response": "x", "env": {"DYSTOPIC_RUN_ID": "ctx"}}))
    digest = sha256(b'"note"').hexdigest()
    assert ids(store) == {"ctx", digest}
    assert store.run(digest).final_response == "note"
    assert counts(only(store, written(tmp_path / "b.jsonl", "note"))) == {"unchanged": 1}


@pytest.mark.parametrize(("value", "run_id"), [(0, "0"), (17, "17"), ("r", "r")])
def test_numbers_become_ids(store: Store, tmp_path: Path, value: object, run_id: str) -> None:
    only(store, written(tmp_path / "a.jsonl", body(value)))
    assert ids(store) == {run_id}


def test_an_archive_is_one_file(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "runs.zip"
    lines = (json.dumps(body("b")) + "\n" + json.dumps(body("c"))).encode()
    path.write_bytes(zipped({"x/a.json": json.dumps(body("a")).encode(), "b.jsonl": lines, "notes.md": b"#"}))
    report = only(store, path)
    assert counts(report) == {"imported": 3}
    assert (report.skipped, report.skipped_names) == (1, ["notes.md"])
    assert store.run("c").place == "b.jsonl: line 2"
    assert len(store.imports.page().rows) == 1


def test_the_facts_of_a_rollup_are_on_its_runs(store: Store, tmp_path: Path) -> None:
    scenario = {"task_id": "t", "name": "Refund", "status": "completed", "judge_passed": False, "runs": [body("a")]}
    path = written(tmp_path / "check.json", {"check_id": "nightly", "totals": {}, "scenarios": [scenario]})
    only(store, path)
    run = store.run("a")
    assert (run.check_id, run.task_id, run.scenario, run.status, run.judge_passed) == (
        "nightly",
        "t",
        "Refund",
        "completed",
        False,
    )
    assert (run.place, run.warnings) == ("scenarios[0].runs[0]", [])
    assert json.loads(store.raw("a")) == body("a")


def test_secrets_are_in_nothing_that_is_written(store: Store, tmp_path: Path) -> None:
    secret = body("a", f"used {BEARER}", calls=[{"tool_name": "t", "arguments": json.dumps({"run_token": "s3cr3t"})}])
    path = written(tmp_path / "a.jsonl", secret, {"detail": BEARER})
    report = only(store, path)
    assert counts(report) == {"imported": 1, "rejected": 1, "redactions": 2}
    run = store.run("a")
    assert [finding.path for finding in run.findings if finding.kind == "secret_redacted"] == ["final_response"]
    store.vacuum()
    for file in tmp_path.glob("traces.db*"):
        assert b"s3cr3t" not in file.read_bytes() and BEARER.encode() not in file.read_bytes()
    for text in (run.to_json(), store.raw("a"), report.to_json()):
        assert b"s3cr3t" not in text and BEARER.encode() not in text


def test_runs_are_examined(store: Store, tmp_path: Path) -> None:
    only(store, written(tmp_path / "a.jsonl", body("a", "")))
    run = store.run("a")
    assert "response_missing" in {finding.kind for finding in run.findings}
    assert run.boundary is not None and run.boundary.stage == "answer"


def test_warnings_of_the_reader_are_warnings_of_the_run(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"run_id": "a", "final_response": "x", "proxy_calls": [{"tool_name": "t", "latency_ms": NaN}]}')
    report = only(store, path)
    assert [(w.run_id, w.path) for w in report.warned] == [("a", "calls[0].latency_ms")]
    assert [(w.origin, w.path) for w in store.run("a").warnings] == [("import", "calls[0].latency_ms")]
    assert b"NaN" in store.raw("a")


# ---- again ------------------------------------------------------------------------------------------------------


def test_importing_again_changes_nothing(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "a.jsonl", body("a"), body("b"), "text")
    only(store, path)
    before = [store.run(run_id) for run_id in sorted(ids(store))]

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a known document was normalised again")

    monkeypatch.setattr(pipeline, "normalise", refuse)
    assert counts(only(store, path)) == {"unchanged": 3}
    assert [store.run(run_id) for run_id in sorted(ids(store))] == before


def test_the_same_document_written_otherwise_is_the_same(store: Store, tmp_path: Path) -> None:
    only(store, written(tmp_path / "a.jsonl", body("a", x=1)))
    other = tmp_path / "b.json"
    other.write_text(json.dumps([dict(reversed(body("a", x=1).items()))], indent=4))
    assert counts(only(store, other)) == {"unchanged": 1}


def test_a_different_document_under_a_known_id_replaces_it(store: Store, tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", body("a", "old"), body("b"))
    only(store, path)
    report = only(store, written(tmp_path / "b.jsonl", body("a", "new"), body("c")))
    assert counts(report) == {"imported": 1, "updated": 1}
    assert (store.run("a").final_response, store.run("a").file) == ("new", str(tmp_path / "b.jsonl"))
    assert ids(store) == {"a", "b", "c"}


def test_within_one_file_the_last_wins_and_is_reported_as_replaced(store: Store, tmp_path: Path) -> None:
    report = only(store, written(tmp_path / "a.jsonl", body("a", "1"), body("a", "2"), body("a", "2"), body("a", "3")))
    assert counts(report) == {"imported": 1, "updated": 2, "replaced": 2, "unchanged": 1}
    assert report.documents == 4
    assert store.run("a").final_response == "3"


# ---- what goes wrong --------------------------------------------------------------------------------------------


def test_what_is_rejected_is_reported_and_the_rest_is_imported(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"run_id": "a", "final_response": "x"}\n{"b\n42\n{"detail": "no", "status": 401}\n"last"')
    report = only(store, path)
    assert counts(report) == {"imported": 2, "rejected": 3}
    assert [(r.place, r.kind) for r in report.rejections] == [
        ("line 2", "truncated_json"),
        ("line 3", "not_a_run"),
        ("line 4", "api_error"),
    ]
    assert all(r.reason and r.hint for r in report.rejections)
    page = store.imports.page()
    assert store.imports.report(1) == report and len(page.rows) == 1


def test_a_path_that_is_not_there_is_reported_and_the_others_are_imported(store: Store, tmp_path: Path) -> None:
    good = written(tmp_path / "a.jsonl", body("a"))
    report = import_paths(store, [tmp_path / "nowhere.json", good])
    assert [counts(file) for file in report.files] == [{"rejected": 1}, {"imported": 1}]
    (rejection,) = report.files[0].rejections
    assert (rejection.kind, rejection.reason) == ("unreadable", "cannot be read: No such file or directory")
    assert len(store.imports.page().rows) == 1


def test_rejections_are_listed_up_to_a_thousand_and_counted_beyond(store: Store, tmp_path: Path) -> None:
    report = only(store, written(tmp_path / "a.jsonl", *({"x": i} for i in range(1200))))
    assert (report.rejected, len(report.rejections)) == (1200, 1000)


def test_a_fault_of_ours_costs_one_document(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = examine_run

    def examine(normalised: NormalisedRun, **named: Any) -> None:
        if normalised.run.run_id == "bad":
            raise ZeroDivisionError(f"with {BEARER}")
        original(normalised, **named)

    monkeypatch.setattr(pipeline, "examine", examine)
    report = only(store, written(tmp_path / "a.jsonl", body("a"), body("bad"), body("b")))
    assert counts(report) == {"imported": 2, "rejected": 1}
    (rejection,) = report.rejections
    assert (rejection.place, rejection.kind) == ("line 2", "internal")
    assert rejection.reason == "it could not be examined: ZeroDivisionError: with [redacted]"


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_interrupt_leaves_nothing_of_the_file_and_all_of_those_before(
    store: Store, tmp_path: Path, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_PROGRESS_EVERY_S", 0)
    first, second = written(tmp_path / "a.jsonl", body("a")), written(tmp_path / "b.jsonl", body("b"), body("c"))

    def stop(file: str, done: int, size: int, runs: int) -> None:
        if file == str(second):
            raise error

    with pytest.raises(error):
        import_paths(store, [first, second], stop)
    assert ids(store) == {"a"}


def test_the_interrupted_file_is_rolled_back(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = written(tmp_path / "a.jsonl", body("a"))
    second = written(tmp_path / "b.jsonl", body("b"), body("a", "other"), body("c"))
    only(store, first)
    original = examine_run

    def examine(normalised: NormalisedRun, **named: Any) -> None:
        if normalised.run.run_id == "c":
            raise KeyboardInterrupt
        original(normalised, **named)

    monkeypatch.setattr(pipeline, "examine", examine)
    with pytest.raises(KeyboardInterrupt):
        only(store, second)
    assert ids(store) == {"a"}
    assert store.run("a").final_response == "done"
    assert len(store.imports.page().rows) == 1
    with pytest.raises(NotFoundError):
        store.run("b")
    monkeypatch.undo()
    assert counts(only(store, second)) == {"imported": 2, "updated": 1}


# ---- folders, streams, progress, check --------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "exports"
    (root / "b").mkdir(parents=True)
    written(root / "b" / "one.json", body("one"))
    written(root / "a.jsonl", body("two"), 3)
    (root / "notes.txt").write_text("nothing")
    return root


def test_a_folder_is_imported_file_by_file(store: Store, folder: Path) -> None:
    report = import_paths(store, [str(folder)])
    assert [(file.file, counts(file)) for file in report.files] == [
        (str(folder / "a.jsonl"), {"imported": 1, "rejected": 1}),
        (str(folder / "b" / "one.json"), {"imported": 1}),
    ]
    assert report.skipped_names == [str(folder / "notes.txt")]
    size = sum(path.stat().st_size for path in (folder / "a.jsonl", folder / "b" / "one.json"))
    totals = {"size_bytes": size, "imported": 2, "rejected": 1, "skipped": 1}
    assert {name: count for name, count in report.totals.items() if count} == totals


def test_a_stream_is_imported_under_its_name(store: Store) -> None:
    report = import_stream(store, "upload.jsonl", io.BytesIO(b'{"run_id": "a", "final_response": "x"}\n"b"\n'))
    assert (report.file, report.size_bytes, counts(report)) == ("upload.jsonl", 43, {"imported": 2})
    assert store.run("a").file == "upload.jsonl"


def test_an_empty_file_is_an_import_too(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"")
    (tmp_path / "b.json").write_bytes(b"[]")
    assert counts(only(store, tmp_path / "a.json")) == {"rejected": 1}
    assert counts(only(store, tmp_path / "b.json")) == {"rejected": 1}
    assert len(store.imports.page().rows) == 2


def test_progress_is_told_and_ends_at_the_whole(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_PROGRESS_EVERY_S", 0)
    path = written(tmp_path / "a.jsonl", *(body(f"r{i}") for i in range(20)), 5)
    size = path.stat().st_size
    told: list[tuple[str, int, int, int]] = []
    import_paths(store, [path], lambda *now: told.append(now))
    assert len(told) == 22
    assert {(file, total) for file, _, total, _ in told} == {(str(path), size)}
    assert [done for _, done, _, _ in told] == sorted(done for _, done, _, _ in told)
    assert told[-1] == (str(path), size, size, 20)


def test_check_reads_the_same_and_writes_nothing(store: Store, folder: Path) -> None:
    found = list(check_paths([folder, folder / "gone.json"]))
    runs = [item for item in found if isinstance(item, Run)]
    rejections = [item for item in found if isinstance(item, Rejection)]
    assert [(run.run_id, run.file, run.place) for run in runs] == [
        ("two", str(folder / "a.jsonl"), "line 1"),
        ("one", str(folder / "b" / "one.json"), "document"),
    ]
    assert [(r.file, r.place, r.kind) for r in rejections] == [
        (str(folder / "a.jsonl"), "line 2", "not_a_run"),
        (str(folder / "gone.json"), "document", "unreadable"),
    ]
    import_paths(store, [folder])
    for run in runs:
        stored = store.run(run.run_id)
        stored.import_id = None
        assert stored == run


def test_check_fills_in_a_report(folder: Path) -> None:
    report = ImportReport()
    list(check_paths([folder], report))
    assert [counts(file) for file in report.files] == [{"imported": 1, "rejected": 1}, {"imported": 1}]
    assert report.skipped_names == [str(folder / "notes.txt")]
    assert report.totals["size_bytes"] > 0 and report.seconds > 0


def test_the_garbage_collector_stays_on_during_an_import(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_PROGRESS_EVERY_S", 0)
    states: list[bool] = []
    import_paths(store, [written(tmp_path / "a.jsonl", body("a"))], lambda *_: states.append(gc.isenabled()))
    assert states and all(states)
