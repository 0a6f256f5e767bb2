"""What the head of a run says went wrong, why it is thin, and which runs are offered where none is open."""

from __future__ import annotations

from pathlib import Path as FilePath

import pytest

from app import state
from app.components.transcript import build_transcript
from app.dropped_messages import dropped_messages, explain_thin
from app.parts.run import calls_panel, header, panels
from tests.app.conftest import OpenPage
from tests.app.runs import a_call, a_run
from tests.store.building import boundary
from trace_store.contract import normalise
from trace_store.importing.files import import_paths
from trace_store.model import Finding, Path, Run, SoftWarning

ANSWER = boundary("answer", "final_response", call=None)


def finding(kind: str, severity: str = "warning") -> Finding:
    return Finding(kind, severity, "final_response", "said", "R4")  # type: ignore[arg-type]  # read from a parameter


def test_an_answer_that_was_only_cut_is_no_failure() -> None:
    assert header.is_mere_cut(a_run(boundary=ANSWER, findings=[finding("response_cut")]))
    assert not header.is_mere_cut(a_run(boundary=ANSWER, findings=[finding("answer_unverified")]))
    both = [finding("response_cut"), finding("answer_unverified")]
    assert not header.is_mere_cut(a_run(boundary=ANSWER, findings=both))
    elsewhere = boundary("receipt")
    assert not header.is_mere_cut(a_run(boundary=elsewhere, findings=[finding("response_cut")]))


def test_without_a_boundary_errors_and_undeclared_actors_are_named() -> None:
    calls = [a_call(n, actor_id="x", actor_status="undeclared") for n in range(3)]
    run = a_run(calls=calls, findings=[finding("call_failed", "error")])
    assert header.describe_doubts(run) == "1 finding is an error · 1 undeclared actor"
    assert header.describe_doubts(a_run(findings=[finding("response_cut")])) == ""


def a_repeating_run() -> Run:
    """A call with two attempts that failed, and the model's own repeat of it."""
    failed = {"source": "error", "status_code": 500}
    lock = {"source": "error", "status_code": 503, "error": {"detail": {"error_class": "lock_contention"}}}
    calls = [{"tool_name": "get", "arguments": {}, **fields} for fields in (lock, failed, {"source": "odyssey"})]
    return normalise({"final_response": "Done.", "proxy_calls": calls}).run


def test_the_models_own_repeats_are_counted_apart_from_the_retries_of_the_sdk() -> None:
    run = a_repeating_run()
    words = [f"{detail} {term.word}".strip() for term, detail in header.chips(run, {})]
    assert {"1 retry", "1 repeat"} < set(words)
    assert calls_panel.table(run)["repeats"].tolist() == ["", "", "call 1"]


@pytest.mark.parametrize(
    ("wall", "words"),
    [
        (12_000.0, "The log spans 12.0 s of it"),
        (59_000.0, "The log spans more: 59.0 s."),
    ],
)
def test_the_running_time_says_why_the_log_spans_another(wall: float, words: str) -> None:
    run = a_run(metadata={"agent_runtime_ms": 48_000})
    meanings = {term.word: term.meaning for term, _ in header.chips(run, {"wall": wall, "runtime": 48_000.0})}
    assert words in meanings["48.0 s"]
    meanings = {term.word: term.meaning for term, _ in header.chips(run, {"wall": 48_000.0})}
    assert "spans" not in meanings["48.0 s"]


def test_no_findings_do_not_clear_a_run_that_the_judge_failed() -> None:
    assert "the judge failed the run" in panels.without_findings(a_run(judge_passed=False))
    assert "judge" not in panels.without_findings(a_run(judge_passed=True))


@pytest.mark.parametrize(
    ("warnings", "why"),
    [
        ([], "The export carries no messages, only the final response."),
        ([SoftWarning("import", Path("messages"), "not an array")], "The messages could not be read: not an array."),
        (
            [SoftWarning("import", Path.message(n), "no role", "dropped") for n in range(2)],
            "None of the 2 messages of the export could be kept.",
        ),
        (
            normalise({"final_response": "x", "messages": [5] * 3_000}).run.warnings,
            "None of the 1,000 messages or more of the export could be kept.",
        ),
    ],
)
def test_a_thin_run_says_why(warnings: list[SoftWarning], why: str) -> None:
    assert explain_thin(a_run(view="thin", warnings=warnings)) == why


def test_a_message_that_two_warnings_speak_of_is_dropped_once_on_the_whole_page(
    url: str, tmp_path: FilePath, open_page: OpenPage
) -> None:
    file = tmp_path / "nan.json"
    file.write_text('{"run_id":"a","final_response":"x","messages":[NaN]}')
    import_paths(state.store(), [file])
    run = state.store().run("a")
    assert dropped_messages(run) == {0: "expected an object, found null"}
    only = "The only message of the export could not be kept."
    assert next(item for item in build_transcript(run)["items"] if item["type"] == "thin")["reason"] == only
    at = open_page("run", run="a")
    assert f"No transcript. {only}" in [text.value for text in at.text]
    assert "2 warnings, 1 message dropped" in [note.value for note in at.caption]


@pytest.mark.usefixtures("filled")
def test_a_page_without_a_run_offers_the_latest(open_page: OpenPage) -> None:
    at = open_page("run")
    at.button(key="run-latest-1").click().run()
    assert at.query_params["run"] == "run_empty"
    assert not at.exception


@pytest.mark.usefixtures("filled")
def test_a_run_that_is_not_there_offers_those_opened_before(open_page: OpenPage) -> None:
    at = open_page("run", run="run_good")
    at.query_params["run"] = "nobody"
    at.run()
    at.button(key="run-opened-0").click().run()
    assert at.query_params["run"] == "run_good"
