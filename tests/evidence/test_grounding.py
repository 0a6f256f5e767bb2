"""Whether the facts of the answer stand in what the run could rest on (R37)."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from tests.evidence.runs_of import (
    TOOL,
    claim,
    examined,
    facts,
    failed,
    findings_of,
    injected,
    kinds,
    ok,
    paths,
    result,
    run_of,
    without_log,
)
from trace_store.evidence.facts import facts_of
from trace_store.evidence.grounding import Source, SourceTexts
from trace_store.model import Grounding, Path

ANSWERS: list[dict[str, Any]] = json.loads(
    (pathlib.Path(__file__).parent / "transcripts" / "harness-answers.json").read_text(encoding="utf-8")
)


def stated(answer: str) -> list[str]:
    return [fact.text for fact in facts_of(answer)]


def is_grounded(answer: str, response: Any) -> bool:
    return "answer_ungrounded" not in kinds(examined(run_of(ok(arguments=None, response=response), answer=answer)))


class TestFacts:
    @pytest.mark.parametrize(
        ("answer", "expected"),
        [
            ("Refunded $1,079.50 for #4521.", ["$1,079.50", "#4521"]),
            ("It left on 2024-05-17, at 07:00.", ["2024-05-17", "07:00"]),
            (
                "Write to jane.doe@example.com or see https://example.com/a?b=1.",
                ["jane.doe@example.com", "https://example.com/a?b=1"],
            ),
            ("Order W2378156 (seat 12A) of card_4421486", ["W2378156", "12A", "card_4421486"]),
            ("May 20th, 2024", ["20th", "2024"]),
            ("**HAT136** and `HAT039`", ["HAT136", "HAT039"]),
            ("50% of 10 items", ["50", "10"]),
            ("€99,5 and £5.00", ["€99", "£5.00"]),
            ("A fee of $5, #5 and 5%", ["$5"]),
            (r"see: \r\nhttps://example.com/7. Saved as C:\reports\4521", ["https://example.com/7", "4521"]),
            ("one, 2, 3rd, 1-2 and 3/4", []),
            ("No digits, no facts.", []),
            ("1. First\n2) Second\n10. Tenth", []),
            ("In 10. we trust", ["10"]),
            ("101,102", ["101,102"]),
            (r"say \u201chello", []),
            ("x" * 1000, []),
            ("订单4521已于2024年5月17日发货，退款¥79.50。", ["4521", "2024", "17", "¥79.50"]),
            ("Straße 12b", ["12b"]),
        ],
    )
    def test_tokens_that_state_something(self, answer: str, expected: list[str]) -> None:
        assert stated(answer) == expected

    def test_the_place_in_the_answer_is_kept(self) -> None:
        answer = "The refund of $79.50 has been issued for order #4521."
        assert [(fact.start, fact.end) for fact in facts_of(answer)] == [(14, 20), (47, 52)]
        assert all(answer[fact.start : fact.end] == fact.text for fact in facts_of(answer))

    def test_an_answer_that_is_an_object_states_each_scalar(self) -> None:
        answer = '{"order": "o-1", "n": 3, "done": true, "why": null, "none": "", "all": ["x", -2.50], "s\\"": "a\\"b"}'
        assert stated(answer) == ["o-1", "3", "true", "x", "-2.50", 'a"b']
        assert [answer[fact.start : fact.end] for fact in facts_of(answer)][:2] == ["o-1", "3"]

    def test_an_answer_that_only_looks_like_an_object_is_text(self) -> None:
        assert stated('{"order": 4521') == ["4521"]

    @pytest.mark.parametrize("excerpt", ANSWERS, ids=lambda excerpt: excerpt["run"])
    def test_what_a_program_wrote_of_itself_is_not_stated_by_the_answer(self, excerpt: dict[str, Any]) -> None:
        assert stated(excerpt["answer"]) == excerpt["facts"]

    @pytest.mark.parametrize(
        ("answer", "expected"),
        [
            (
                "TypeError: 12 is not iterable\n    at load (/app/main.js:10:15)\n    at /app/run.js:44:9\nsee 4521",
                ["12", "4521"],
            ),
            ("Exception: order 4521\n\tat com.example.Orders.find(Orders.java:118)", ["4521"]),
            ('  File "/srv/a1.py", line 12\n    x = = 34\nSyntaxError: invalid syntax', []),
            ("  at Nero, 12:30", ["12:30"]),
            ("Warning: order 4521 is late", ["4521"]),
            ("I wrote reports/2024.csv, line 118 is wrong", ["reports/2024.csv", "118"]),
        ],
    )
    def test_frames_and_warnings_are_known_by_their_form(self, answer: str, expected: list[str]) -> None:
        assert stated(answer) == expected

    @pytest.mark.parametrize(
        "text", ["-" * 50_000, "#" * 50_000, "a.@" * 16_000, "1." * 25_000, " at (a.a:" * 5_000, "x:1: AB" * 7_000]
    )
    def test_long_runs_of_one_sign_take_no_time(self, text: str) -> None:
        assert len(stated(text)) <= 1


class TestFound:
    @pytest.mark.parametrize(
        ("answer", "response"),
        [
            ("$1,079.50", {"amount": 1079.5}),
            ("1079.50", "paid $1,079.5 in all"),
            ("1079.5", "1'079.50"),
            ("$79.00", {"amount": 79}),
            ("79", {"amount": 79.0}),
            ("$5.00", {"amount": 5}),
            ("#4521", {"id": "4521"}),
            ("W2378156", {"id": "#w2378156"}),
            ("2378156", {"id": "#W2378156"}),
            ("ending in 4242", {"card": "4111111111114242"}),
            ("2024-05-17", {"date": "17/05/2024"}),
            ("2024-05-01", {"at": "2024-05-01T04:50:18Z"}),
            ("04:50:18", {"at": "2024-05-01T04:50:18Z"}),
            ("May 20th", "2024-05-20"),
            ("9:00 PM", {"at": "21:00:00"}),
            ("09:00 a.m.", {"at": "09:00"}),
            ("10pm", {"hour": "22"}),
            ("12:30 AM", {"at": "00:30"}),
            ("card_4421486", {"card_4421486": {"brand": "visa"}}),
            ("mia.li3818@example.com", {"mail": "mia.li3818@example.com"}),
            ("jane@example.com", {"mail": "Jane@Example.com"}),
            ("https://example.com/orders", {"url": "https://example.com/orders"}),
            ("4521", "first line\n4521"),
            ("4521", {"note": "a\n4521\tb"}),
            ("101", {"ids": "101,102"}),
            ('{"status": "delivered"}', {"status": "Delivered"}),
            ('{"done": true}', {"done": True}),
            ('{"n": 3}', {"n": 3}),
            ("1.10.0", {"version": "1.10.0"}),
            ("订单4521", {"id": 4521}),
            ("4521", "订单4521已发货"),
        ],
    )
    def test_another_writing_of_a_fact_is_the_same_fact(self, answer: str, response: Any) -> None:
        assert is_grounded(answer, response)

    @pytest.mark.parametrize(
        ("answer", "response"),
        [
            ("$79.50", {"amount": 79.51}),
            ("$79.50", {"amount": 179.5}),
            ("$1,200", {"a": 1, "b": 200}),
            ("4521", {"id": "45210"}),
            ("521", {"id": "W4521"}),
            ("4521", {"amount": "1.4521"}),
            ("79", {"amount": 79.5}),
            ("5.79", {"amount": 79}),
            ("1079.5", "3,201,079.5 and 1,079.51"),
            ("2024-05-17", {"date": "2024-05-18"}),
            ("W2378156", {"id": "2378156"}),
            ("9:00 PM", {"at": "09:30"}),
            ("jane@example.com", ["jane", "bob@sample.com"]),
            ('{"status": "delivered"}', {"status": "processing"}),
            ('{"n": 3}', {"n": 4}),
            ("1,200", [1, 200]),
            ("12001", [1200, 1]),
        ],
    )
    def test_another_fact_is_not(self, answer: str, response: Any) -> None:
        assert not is_grounded(answer, response)

    def test_facts_without_digits_are_found_in_one_place(self) -> None:
        log = [ok(arguments=None, response={"a": "jane"}), ok(arguments=None, response={"a": "x@example.com"})]
        run = examined(run_of(*log, answer="jane@example.com"))
        assert facts(run) == {"jane@example.com": None}


class TestSources:
    def test_a_receipt_grounds_by_response_and_by_arguments(self) -> None:
        run = examined(run_of(ok(arguments={"n": 4521}, response={"list": [{"amount": 79.5}]}), answer="4521 $79.50"))
        assert facts(run) == {"4521": "calls[0].arguments.n", "$79.50": "calls[0].response.list[0].amount"}

    def test_a_key_grounds_at_its_payload(self) -> None:
        run = examined(run_of(ok(response={"a4521": 1}), answer="4521"))
        assert facts(run) == {"4521": "calls[0].response"}

    def test_a_fact_of_several_parts_is_where_it_is_written(self) -> None:
        flights = [{"seats": 10, "departs": "07:00:00"}, {"seats": 22, "departs": "19:00:00"}]
        run = examined(
            run_of(
                ok(response={"born": "1990-07-00", "at": "2024-05-17T19:00:29", "flights": flights}),
                answer="7:00 PM on 2024-05-17, 07:00, 17/05/2024",
            )
        )
        assert facts(run) == {
            "7:00": "calls[0].response.flights[1].departs",
            "2024-05-17": "calls[0].response.at",
            "07:00": "calls[0].response.flights[0].departs",
            "17/05/2024": "calls[0].response.at",
        }

    def test_user_system_and_task_input_ground(self) -> None:
        messages = [
            {"role": "system", "content": "rule 11"},
            {"role": "user", "content": [{"type": "text", "text": "12"}]},
        ]
        run = examined(without_log(*messages, answer="11 12 13", task_input={"order": {"id": 13}}))
        assert facts(run) == {"11": "messages[0]", "12": "messages[1]", "13": "task_input.order.id"}

    def test_what_the_model_said_itself_does_not(self) -> None:
        messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "4521"}]
        assert facts(examined(without_log(*messages, answer="4521"))) == {"4521": None}

    @pytest.mark.parametrize(
        "call", [failed(response={"n": 4521}), injected(response={"n": 4521}), ok(response={"error": "4521"})]
    )
    def test_a_call_that_did_not_succeed_does_not(self, call: dict[str, Any]) -> None:
        run = examined(run_of(call, answer="4521", task_input="x"))
        assert facts(run) == {"4521": None}

    def test_a_receipt_without_a_response_does_not_ground_by_its_arguments(self) -> None:
        run = examined(run_of(ok(arguments={"n": 4521}, response=None), answer="4521", task_input="x"))
        assert facts(run) == {"4521": None}

    def test_with_a_log_a_tool_message_is_no_source(self) -> None:
        run = examined(run_of(ok(), messages=[claim(), result(content="7421")], answer="7421"))
        assert facts(run) == {"7421": None}

    def test_without_a_log_it_is(self) -> None:
        assert facts(examined(without_log(claim(), result(content="7421"), answer="7421"))) == {"7421": "messages[1]"}

    def test_and_for_an_executed_tool(self) -> None:
        tools = [TOOL, {"name": "run_code", "input_schema": {}, "default_execution_mode": "code_intercepted"}]
        messages = [claim("a"), result("a", "7421"), claim("b", "run_code"), result("b", "8421")]
        run = examined(run_of(ok(), messages=messages, answer="7421 8421", tools_schema=tools))
        assert facts(run) == {"7421": None, "8421": "messages[3]"}

    def test_with_nothing_to_ground_on_nothing_is_said(self) -> None:
        run = examined({"final_response": "Order 4521"})
        assert run.grounding is None
        assert "answer_ungrounded" not in kinds(run)

    def test_without_an_answer_there_is_no_grounding(self) -> None:
        assert examined(run_of(ok(), answer=None)).grounding is None

    def test_an_answer_without_facts_has_none(self) -> None:
        assert examined(run_of(ok(), answer="Done.")).grounding == Grounding([])

    def test_the_finding_lists_each_fact_once_and_counts_the_rest(self) -> None:
        answer = "11 11 12 13 14 15 16 17 4521"
        (finding,) = findings_of(examined(run_of(ok(), answer=answer)), "answer_ungrounded")
        assert finding.path == "final_response"
        assert "7 facts" in finding.message
        assert "(1 other does)" in finding.message
        assert "“11”, “12”, “13”, “14”, “15” and 2 more" in finding.message


class TestManyParts:
    """Where facts and sources are too many to look for one by one, all texts are split once: to the same end."""

    TEXT = "order w2378156 paid $1,079.50 on 2024-05-01t04:50:18z; 101,102 and 12 of 4.50"

    @pytest.mark.parametrize("part", ["2378156", "w2378156", "1079.5", "01", "04", "101", "102", "12", "4.5", "2024"])
    def test_found_either_way(self, part: str) -> None:
        sources = [Source(Path("a"), "nothing"), Source(Path("b"), self.TEXT)]
        assert SourceTexts(sources, expected=1).path_of(part) == "b"
        assert SourceTexts(sources, expected=10**9).path_of(part) == "b"

    @pytest.mark.parametrize("part", ["378", "079.5", "1079", "4", "5", "378156x", "101102x", "02t04"])
    def test_not_found_either_way(self, part: str) -> None:
        sources = [Source(Path("b"), self.TEXT.replace("079.50", "x"))]
        assert SourceTexts(sources, expected=1).path_of(part) is None
        assert SourceTexts(sources, expected=10**9).path_of(part) is None

    def test_a_part_that_occurs_often_but_late_is_found(self) -> None:
        text = "x11x " * 1_000 + "11"
        assert SourceTexts([Source(Path("a"), text)], expected=1).path_of("11") == "a"
        assert SourceTexts([Source(Path("a"), {"k": text})], expected=1).path_of("12") is None


class TestUnverified:
    def test_an_answer_after_failures_alone(self) -> None:
        assert paths(examined(run_of(failed())), "answer_unverified") == ["final_response"]

    @pytest.mark.parametrize("call", [injected(), ok(response={"error": "no"}), {"tool_name": "f", "error": "reset"}])
    def test_no_other_outcome_verifies(self, call: dict[str, Any]) -> None:
        assert "answer_unverified" in kinds(examined(run_of(call)))

    def test_one_success_is_enough(self) -> None:
        assert "answer_unverified" not in kinds(examined(run_of(failed(), ok())))

    def test_no_answer_is_not_unverified(self) -> None:
        assert "answer_unverified" not in kinds(examined(run_of(failed(), answer=None)))

    def test_a_run_that_called_nothing_is_not_either(self) -> None:
        assert "answer_unverified" not in kinds(examined(run_of(messages=[{"role": "user", "content": "hi"}])))
        assert "answer_unverified" not in kinds(examined({"final_response": "hi"}))

    def test_claims_against_an_empty_log_are(self) -> None:
        assert "answer_unverified" in kinds(examined(run_of(messages=[claim(), result()])))

    def test_without_a_log_a_result_verifies(self) -> None:
        assert "answer_unverified" in kinds(examined(without_log(claim())))
        assert "answer_unverified" not in kinds(examined(without_log(claim(), result())))

    def test_executed_tools_are_verified_by_their_results(self) -> None:
        tools = [{**TOOL, "default_execution_mode": "executed"}]
        assert "answer_unverified" in kinds(examined(run_of(messages=[claim()], tools_schema=tools)))
        assert "answer_unverified" not in kinds(examined(run_of(messages=[claim(), result()], tools_schema=tools)))

    def test_a_log_counts_where_not_all_tools_are_executed(self) -> None:
        tools = [{**TOOL, "default_execution_mode": "executed"}, {**TOOL, "name": "f"}]
        messages = [claim("a"), result("a"), claim("b", "f"), result("b")]
        assert "answer_unverified" in kinds(
            examined(run_of(failed(tool_name="f"), messages=messages, tools_schema=tools))
        )
