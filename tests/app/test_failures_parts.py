"""What the parts of the pages Failures and Judge decide: steps of time, the terms behind a number, agreement."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

from app import state
from app.parts.failures.breakdowns import tool_target
from app.parts.failures.charts import Period, group_hours, narrow_to_time
from app.parts.failures.signatures import Signature, fold_rare
from app.parts.judge import agreement

APRIL = datetime(2026, 4, 1, tzinfo=UTC)


def hours(*starts: datetime) -> pd.DataFrame:
    """One run in each of these hours; every second one failed."""
    return pd.DataFrame(
        {
            "hour_us": [int(start.timestamp()) * 1_000_000 for start in starts],
            "runs": [1] * len(starts),
            "failed": [number % 2 for number in range(len(starts))],
        }
    )


def test_a_few_days_are_drawn_by_the_hour() -> None:
    step, stretches = group_hours(hours(APRIL, APRIL + timedelta(hours=30)))
    assert step == "hour"
    assert stretches[1] == Period(APRIL + timedelta(hours=30), APRIL + timedelta(hours=31), 1, 1)


def test_weeks_are_drawn_by_the_day() -> None:
    step, stretches = group_hours(hours(APRIL, APRIL + timedelta(hours=5), APRIL + timedelta(days=20)))
    assert step == "day"
    assert stretches == [
        Period(APRIL, APRIL + timedelta(days=1), 2, 1),
        Period(APRIL + timedelta(days=20), APRIL + timedelta(days=21), 1, 0),
    ]


def test_a_year_is_drawn_by_weeks_that_begin_on_monday() -> None:
    step, stretches = group_hours(hours(APRIL, APRIL + timedelta(days=300)))
    assert step == "week"
    assert (stretches[0].start, stretches[0].end) == (
        datetime(2026, 3, 30, tzinfo=UTC),
        datetime(2026, 4, 6, tzinfo=UTC),
    )


def test_many_years_are_drawn_by_the_month() -> None:
    december = datetime(2028, 12, 31, 23, tzinfo=UTC)
    step, stretches = group_hours(hours(APRIL, december))
    assert step == "month"
    assert (stretches[1].start, stretches[1].end) == (
        datetime(2028, 12, 1, tzinfo=UTC),
        datetime(2029, 1, 1, tzinfo=UTC),
    )


def test_another_time_takes_the_place_of_the_one_asked_for() -> None:
    once = narrow_to_time("model:x", APRIL, APRIL + timedelta(days=1))
    assert once == "model:x started>=2026-04-01 started<2026-04-02"
    again = narrow_to_time(once, APRIL + timedelta(hours=9), APRIL + timedelta(hours=10))
    assert again == "model:x started>=2026-04-01T09:00 started<2026-04-01T10:00"


@pytest.mark.parametrize(
    ("column", "page", "terms"),
    [
        ("calls", state.CALLS_PAGE, ["tool:get"]),
        (None, state.CALLS_PAGE, ["tool:get"]),
        ("failures", state.CALLS_PAGE, ["outcome:failed,injected_failure", "tool:get"]),
        ("rate", state.CALLS_PAGE, ["outcome:failed,injected_failure", "tool:get"]),
        ("p95", state.CALLS_PAGE, ["tool:get", "latency_ms>=290"]),
        ("retries", state.CALLS_PAGE, ["tool:get", "attempt>1"]),
        ("violations", state.RUNS_PAGE, ["tool:get", "finding:arguments_invalid,response_invalid"]),
    ],
)
def test_each_number_of_a_tool_has_something_behind_it(column: str | None, page: str, terms: list[str]) -> None:
    assert tool_target("get", 290.2, column) == (page, terms)


def test_a_tool_without_latencies_has_no_slowest_calls() -> None:
    assert tool_target(None, None, "p95") == (state.CALLS_PAGE, ["tool:none"])


def test_a_signature_is_written_as_a_query_whatever_its_names() -> None:
    assert (
        Signature("receipt", 'a "b"', None, 3, 0, "total is <number>").terms
        == 'boundary:receipt boundary_tool:"a \\"b\\"" boundary_class:none boundary_message:"total is <number>"'
    )
    assert Signature("answer", None, "none", 1, 0).terms == 'boundary:answer boundary_tool:none boundary_class:"none"'
    assert Signature("answer", None, "contract_error", 1, 0).name == "answer · contract_error"
    assert Signature(None, None, None, 4, 0).terms == "verdict:failed boundary:none"


def test_signatures_of_one_run_fold_unless_they_are_few_or_chosen() -> None:
    pair, *alone = [Signature("receipt", f"tool_{n}", "x", 2 if n == 0 else 1, 0) for n in range(6)]
    assert fold_rare([pair, *alone], is_open=False, selected=None) == ([pair], alone)
    assert fold_rare([pair, *alone], is_open=False, selected=alone[2]) == ([pair, alone[2]], [*alone[:2], *alone[3:]])
    assert fold_rare([pair, *alone], is_open=True, selected=None) == ([pair, *alone], [])
    assert fold_rare([pair, *alone[:3]], is_open=False, selected=None) == ([pair, *alone[:3]], [])


def test_only_runs_that_both_decided_tell_of_agreement() -> None:
    counts = {
        ("passed", "pass"): 7, ("passed", "fail"): 2, ("failed", "fail"): 5, ("failed", "pass"): 1,
        ("passed", "unsure"): 20, ("failed", None): 30, (None, "pass"): 40,
    }  # fmt: skip
    assert agreement(counts) == (12, 15)
