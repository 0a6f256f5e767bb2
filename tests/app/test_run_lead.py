"""What is said first of a run, and which runs are offered where none is open."""

from __future__ import annotations

import pytest

from app.parts.run import lead
from tests.app.conftest import OpenPage
from tests.app.runs import a_call, a_run
from tests.store.building import boundary
from trace_store.model import Finding, SoftWarning

ANSWER = boundary("answer", "final_response", call=None)


def finding(kind: str, severity: str = "warning") -> Finding:
    return Finding(kind, severity, "final_response", "said", "R4")  # type: ignore[arg-type]  # read from a parameter


def test_an_answer_that_was_only_cut_is_no_failure() -> None:
    assert lead.is_mere_cut(a_run(boundary=ANSWER, findings=[finding("response_cut")]))
    assert not lead.is_mere_cut(a_run(boundary=ANSWER, findings=[finding("answer_unverified")]))
    both = [finding("response_cut"), finding("answer_unverified")]
    assert not lead.is_mere_cut(a_run(boundary=ANSWER, findings=both))
    elsewhere = boundary("receipt")
    assert not lead.is_mere_cut(a_run(boundary=elsewhere, findings=[finding("response_cut")]))


def test_without_a_boundary_errors_and_undeclared_actors_are_named() -> None:
    calls = [a_call(n, actor_id="x", actor_status="undeclared") for n in range(3)]
    run = a_run(calls=calls, findings=[finding("call_failed", "error")])
    assert lead.looks(run) == "1 finding is an error · 1 actor that nobody declared"
    assert lead.looks(a_run(findings=[finding("response_cut")])) == ""


@pytest.mark.parametrize(
    ("warnings", "why"),
    [
        ([], "the export carries no messages, only the final response"),
        ([SoftWarning("import", "messages", "not an array")], "the messages could not be read: not an array"),
        (
            [SoftWarning("import", "messages[0]", "no role"), SoftWarning("import", "messages[1]", "no role")],
            "none of the 2 messages of the export could be kept",
        ),
    ],
)
def test_a_thin_run_says_why(warnings: list[SoftWarning], why: str) -> None:
    assert lead.why_thin(a_run(view="thin", warnings=warnings)) == why


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
