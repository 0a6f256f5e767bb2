"""The cases of the chapters that `normalise` answers for alone."""

from __future__ import annotations

import json

import pytest

from tests.contract.matching import CHAPTERS, Case, mismatches, read_cases
from trace_store.contract import normalise

FINDINGS = ("findings_include", "findings_exclude", "findings_count", "messages_contain", "boundary")
"""What evidence adds, and is tested with it."""


@pytest.mark.parametrize("case", [case for chapter in CHAPTERS for case in read_cases(chapter)], ids=str)
def test_case(case: Case) -> None:
    run = json.loads(normalise(case.document).run.to_json())
    assert mismatches(case.expect, run, without=FINDINGS) == []


def test_a_case_that_is_not_met_is_told() -> None:
    run = json.loads(normalise({"final_response": "x", "soft_warnings": 5}).run.to_json())
    expect = {
        "final_response": "y",
        "calls": [{}],
        "judge_passed": False,
        "nowhere": None,
        "import_warnings_at": ["messages"],
        "actors_include": [{"path": "a"}],
        "actors_count": 1,
        "findings_include": [{"kind": "run_failed"}],
        "findings_count": {"run_failed": 1},
        "messages_contain": ["x"],
    }
    assert len(mismatches(expect, run)) == len(expect)
    assert mismatches({"findings_exclude": ["a"]}, {"findings": [{"kind": "a"}]}) != []
    assert mismatches(expect, run, without=expect) == []
