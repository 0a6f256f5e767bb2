"""What the comparison components are given: figures, pairs, the sentence on where runs part, and rates with words."""

from __future__ import annotations

from typing import Any

import pytest

from app.components.comparison import build_comparison, build_rates
from app.components.comparison.run_sets import MOST_ROWS, RateData
from app.components.comparison.two_runs import Figure, PairData
from tests.comparing.runs_of import asks, given, logged, run_of, says, user
from trace_store.model import Run
from trace_store.store import Rates, ToolCounts

GO = user("Go.")


def parting(left: Run, right: Run) -> str:
    return build_comparison(left, right)["parting"]


def figure(left: Run, right: Run, name: str) -> Figure:
    return next(figure for figure in build_comparison(left, right)["figures"] if figure["name"] == name)


class TestWhereRunsPart:
    def test_two_that_did_the_same(self) -> None:
        assert parting(run_of(GO), run_of(GO)) == "Both runs took the same 2 steps."

    def test_other_arguments_of_one_tool(self) -> None:
        assert parting(run_of(GO, asks("get", id=1)), run_of(GO, asks("get", id=2))) == (
            "They part at step 2: get is called with other arguments."
        )

    def test_the_same_call_that_ended_otherwise(self) -> None:
        left = run_of(calls=[logged("charge", "paid")])
        right = run_of(calls=[logged("charge", "paid", status_code=402, source="error")])
        assert parting(left, right) == "They part at step 1: charge is called alike, but the outcome differs."

    def test_what_the_model_saw_instead_of_the_response(self) -> None:
        log = [logged("get", {"a": 1})]
        left = run_of(asks("get"), given('{"a": 2}'), calls=log)
        right = run_of(asks("get"), given('{"a": 1}'), calls=log)
        assert parting(left, right) == "They part at step 1: get is called alike, but what the model saw differs."

    def test_a_message_in_other_words(self) -> None:
        assert parting(run_of(GO, says("Yes.")), run_of(GO, says("No."))) == (
            "They part at step 2: the assistant message reads differently."
        )

    def test_one_tool_where_the_other_calls_another(self) -> None:
        assert parting(run_of(GO, asks("get")), run_of(GO, asks("put"))) == (
            "They part at step 2: the left run calls get where the right one calls put."
        )

    def test_a_step_that_only_one_has(self) -> None:
        assert parting(run_of(GO), run_of(GO, asks("put"))) == "They part at step 2: only the right run calls put."
        assert parting(run_of(GO, asks("put")), run_of(GO)) == "They part at step 2: only the left run calls put."

    def test_other_answers(self) -> None:
        assert parting(run_of(GO, answer="A"), run_of(GO, answer="B")) == "They part at step 2: the answers differ."

    def test_steps_that_each_run_counts_otherwise(self) -> None:
        left, right = run_of(GO, says("Hm."), asks("get", id=1)), run_of(GO, asks("get", id=1), answer="Other.")
        both = [pair for pair in build_comparison(left, right)["pairs"] if "left" in pair and "right" in pair]
        assert [(pair["left"]["number"], pair["right"]["number"]) for pair in both] == [(1, 1), (3, 2), (4, 3)]


class TestPairs:
    def pairs(self, left: Run, right: Run) -> list[PairData]:
        return build_comparison(left, right)["pairs"]

    def test_the_same_step_is_sent_once_as_its_first_words(self) -> None:
        long = "word " * 400
        (same, _) = self.pairs(run_of(user(long)), run_of(user(long)))
        assert same == {
            "change": "same",
            "left": {"number": 1, "path": "messages[0]", "kind": "message", "name": "user", "brief": long[:240]},
            "right": {"number": 1, "path": "messages[0]", "kind": "message", "name": "user", "brief": long[:240]},
        }

    def test_a_changed_step_is_sent_whole_with_what_differs_marked(self) -> None:
        left, right = run_of(calls=[logged("get", {"n": 1})]), run_of(calls=[logged("get", {"n": 2})])
        (changed, _) = self.pairs(left, right)
        assert changed["differs"] == ["response"]
        assert changed["right"]["parts"] == [
            {"name": "arguments", "json": "{}"},
            {"name": "outcome", "text": "ok", "tone": "ok"},
            {"name": "response", "json": '{"n":2}', "differs": True},
        ]

    def test_attempts_are_told_where_there_were_more_than_one(self) -> None:
        lock = {"source": "error", "status_code": 503, "error": {"detail": {"error_class": "lock_contention"}}}
        left, right = run_of(calls=[logged("get", 1)]), run_of(calls=[logged("get", **lock), logged("get", 1)])
        (changed, _) = self.pairs(left, right)
        assert changed["differs"] == ["attempts"]
        assert {"name": "attempts", "json": "2", "differs": True} in changed["right"]["parts"]


class TestFigures:
    def test_numbers_say_how_the_right_stands_to_the_left(self) -> None:
        left, right = run_of(calls=[logged("get")]), run_of(calls=[logged("get"), logged("put")])
        assert figure(left, right, "calls") == {
            "name": "calls", "left": "1", "right": "2", "differs": True, "more": "+1",
        }  # fmt: skip

    def test_equal_ones_say_so(self) -> None:
        assert figure(run_of(GO), run_of(GO), "judge") == {
            "name": "judge", "left": "not judged", "right": "not judged", "differs": False,
        }  # fmt: skip

    def test_what_came_out_of_a_run_is_literal_and_what_is_absent_a_dash(self) -> None:
        named = run_of(GO)
        named.metadata = {"model": "heron", "total_input_tokens": 10, "agent_runtime_ms": 1500}
        assert figure(named, run_of(GO), "model") == {
            "name": "model", "left": "heron", "right": "–", "differs": True, "literal": True,
        }  # fmt: skip
        assert figure(named, run_of(GO), "tokens")["left"] == "10 → ?"
        assert figure(named, run_of(GO), "running time")["left"] == "1.5 s"

    def test_a_log_that_is_missing_is_not_a_log_without_calls(self) -> None:
        found = figure(run_of(GO), run_of(GO, calls=[]), "calls")
        assert (found["left"], found["left_tone"], found["right"]) == ("no log", "warn", "0")


def rates(**counts: Any) -> Rates:
    known: dict[str, Any] = {
        "runs": 1000, "calls": 0, "judged": 1000, "passed": 900, "failed": 0, "with_errors": 0, "undeclared": 0,
        "exhausted": 0, "thin": 0, "classes": {}, "boundaries": {}, "tools": {},
    }  # fmt: skip
    return Rates(**(known | counts))


def rows(left: Rates, right: Rates) -> dict[str, RateData]:
    data = build_rates(("model:a", "model:b"), left, right)
    return {f"{group['title']}/{row['name']}": row for group in data["groups"] for row in group["rows"]}


class TestRates:
    def test_a_regression_shows_with_counts_interval_and_word(self) -> None:
        passed = rows(rates(), rates(passed=700))["Outcomes/passed by the judge"]
        assert (passed["left"]["count"], passed["left"]["total"], passed["word"]) == (900, 1000, "lower")
        assert passed["difference"] == pytest.approx((-0.2, -0.2339, -0.1656), abs=1e-3)
        assert (passed["left"]["counted"], passed["left"]["of"]) == ("verdict:passed", "verdict:passed,failed")

    def test_ten_runs_are_no_proof(self) -> None:
        few = {"runs": 10, "judged": 10}
        assert (
            rows(rates(**few, passed=10), rates(**few, passed=6))["Outcomes/passed by the judge"]["word"] == "unclear"
        )

    def test_a_class_that_only_one_side_met_counts_zero_on_the_other(self) -> None:
        met = rows(rates(classes={"lock_contention": 80}), rates())["Error classes of calls/lock_contention"]
        assert (met["left"]["count"], met["right"]["count"], met["word"]) == (80, 0, "lower")
        assert met["left"]["counted"] == "(error_class:lock_contention)"

    def test_a_tool_is_held_to_the_runs_that_called_it(self) -> None:
        left, right = rates(tools={"pay": ToolCounts(40, 10, 90, 12)}), rates(tools={"pay": ToolCounts(50, 10, 60, 11)})
        pay = rows(left, right)["Tools that failed/pay"]
        assert (pay["left"]["count"], pay["left"]["total"]) == (10, 40)
        assert pay["meaning"].startswith("Calls that failed: 12 of 90 on the left, 11 of 60 on the right.")
        assert pay["left"]["counted"] == "(tool:pay outcome:failed,injected_failure,application_error)"

    def test_a_tool_that_one_side_never_called_cannot_be_compared(self) -> None:
        only = rows(rates(tools={"pay": ToolCounts(40, 10, 90, 12)}), rates())["Tools that failed/pay"]
        assert (only["word"], only["right"]["total"]) == ("nothing", 0)
        assert "difference" not in only

    def test_what_nobody_met_makes_no_group(self) -> None:
        titles = [group["title"] for group in build_rates(("", "b"), rates(), rates())["groups"]]
        assert titles == ["Outcomes"]

    def test_of_many_classes_the_most_frequent_are_shown_and_the_others_counted(self) -> None:
        many = {f"class_{number:03d}": number + 1 for number in range(60)}
        group = build_rates(("", "b"), rates(classes=many), rates())["groups"][1]
        assert (group["shown"], group["total"], len(group["rows"])) == (MOST_ROWS, 60, MOST_ROWS)
        assert group["rows"][0]["name"] == "class_059"

    def test_the_drawing_has_room_for_the_largest_interval(self) -> None:
        group = build_rates(("", "b"), rates(classes={"lock_contention": 80}), rates())["groups"][1]
        assert group["most"] == 0.1
