"""What the parts of the pages say, as plain values."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd
import pytest

from app import glossary
from app.dropped_messages import dropped_messages
from app.parts.imports import import_report
from app.parts.run import calls_panel, header, panels, raw_panel, side_panel
from app.parts.table.columns import columns_that_fit, columns_with_values, fit_widths
from app.parts.table.facets import apply_choice
from app.parts.table.listing import Rows, count_line, toggled_sort
from app.parts.table.run_list import severity_words
from tests.app.runs import a_call, a_recovered_run, a_run
from trace_store.model import Chain, Path, SoftWarning
from trace_store.reports import FileReport, RejectedDocument


class TestTheRunHeader:
    def words(self, **said: object) -> list[str]:
        return [f"{detail} {term.word}".strip() for term, detail in header.chips(a_run(**said), {})]

    def test_an_uneventful_run_shows_its_verdict_its_view_and_its_log(self) -> None:
        assert self.words() == ["not judged", "rich", "no log"]
        assert self.words(judge_passed=True, has_log=True, calls=[a_call()]) == [
            "passed by the judge",
            "rich",
            "1 call",
        ]

    def test_what_is_unusual_is_counted(self) -> None:
        calls = [
            a_call(0, outcome="failed"),
            a_call(1, outcome="injected_failure"),
            a_call(2, actor_id="refund_agnt", actor_status="undeclared"),
            a_call(3, actor_id="refund_agnt", actor_status="undeclared"),
        ]
        words = self.words(has_log=True, calls=calls, failed=True, judge_passed=False, view="thin")
        assert words == ["failed by the judge", "run failed", "thin", "4 calls, 2 failed", "1 undeclared"]

    def test_measures_are_shown_where_the_metadata_has_them(self) -> None:
        metadata = {"model": "m-1", "total_input_tokens": 1842, "agent_runtime_ms": 4800.0}
        assert self.words(metadata=metadata)[2:5] == ["`m-1`", "1,842 → ? tokens", "4.8 s"]

    def test_a_measure_of_the_wrong_type_is_no_measure(self) -> None:
        assert self.words(metadata={"model": 7, "agent_runtime_ms": True}) == ["not judged", "rich", "no log"]

    def test_a_run_goes_by_its_scenario_and_never_by_a_task_s_number(self) -> None:
        assert header.title_of(a_run(scenario="Refund", task_id="0")) == "Refund"
        assert header.title_of(a_run(task_id="0")) == "run_81"
        assert header.ids(a_run(task_id="0")) == [("task", "0")]

    def test_a_cut_answer_is_said(self) -> None:
        assert "answer cut" in self.words(final_response_cut=12)
        assert "answer cut" in self.words(final_response_cut=None)
        assert "answer cut" not in self.words(final_response=None, final_response_cut=None)


class TestTheCallsPanel:
    def test_the_address_chooses_the_call(self) -> None:
        assert calls_panel.chosen_row(a_recovered_run(), "calls[2]") == 2
        assert calls_panel.chosen_row(a_recovered_run(), "calls[1].arguments") == 1

    @pytest.mark.parametrize("step", ["", "messages[1]", "calls[99]"])
    def test_else_the_first_failure_is_chosen(self, step: str) -> None:
        assert calls_panel.chosen_row(a_recovered_run(), step) == 0
        run = a_run(calls=[a_call(0), a_call(1, outcome="failed")])
        assert calls_panel.chosen_row(run, step) == 1

    def test_attempts_are_counted_within_their_chain(self) -> None:
        table = calls_panel.table(a_recovered_run())
        assert list(table["attempt"]) == ["1/3", "2/3", "3/3", ""]
        assert list(table["outcome"]) == [["failed"], ["failed"], ["ok"], ["failed"]]

    def test_the_card_leaves_little_to_be_said_below_it(self) -> None:
        call = a_call(started_at="2026-04-01T09:00:00Z", idempotency_key="k\u202e1", retryable=True)
        assert calls_panel.facts(call) == [
            ("retryable", "yes"),
            ("started", "2026-04-01 09:00:00 UTC"),
            ("idempotency key", "k\ufffd1"),
        ]
        assert calls_panel.facts(a_call()) == []

    def test_the_log_fits_beside_its_detail(self) -> None:
        fit = fit_widths(calls_panel.COLUMNS, list(calls_panel.COLUMNS), calls_panel.FLEXIBLE, calls_panel.TABLE_PX)
        assert sum(column["width"] for column in fit.values()) <= calls_panel.TABLE_PX

    def test_what_retries_cost_is_said(self) -> None:
        assert calls_panel.summary(a_recovered_run()) == "4 calls in 2 chains · 1.9 s lost to retries"
        calls = [a_call(n, chain=0, outcome="failed", retryable=True) for n in range(2)]
        run = a_run(calls=calls, chains=[Chain(0, "t", None, [0, 1], "gave_up", waits_ms=[9_000.0])])
        assert calls_panel.summary(run) == "2 calls in 1 chain · 1 wait off policy"


class TestTheWarnings:
    def test_only_a_message_that_the_import_left_out_is_a_dropped_one(self) -> None:
        warnings = [
            SoftWarning("import", Path("messages[1]"), "no role", "dropped"),
            SoftWarning("import", Path("messages[2]"), "NaN", "changed"),
            SoftWarning("import", Path("messages[3].tool_call_id"), "no string", "nulled"),
            SoftWarning("export", Path("messages[4]"), "…"),
        ]
        assert dropped_messages(a_run(warnings=warnings)) == {1: "no role"}

    def test_each_is_shown_with_its_origin(self) -> None:
        warnings = [SoftWarning("export", None, "rich\nmode"), SoftWarning("import", Path("messages[3]"), "no role")]
        assert panels.warning_table(a_run(warnings=warnings)).to_numpy().tolist() == [
            ["export", "", "rich␊mode"],
            ["import", "messages[3]", "no role"],
        ]


class TestTheRawDocument:
    def test_matches_carry_their_line_and_surroundings(self) -> None:
        matches, total = raw_panel.find('{\n  "a": "Refund",\n  "b": "refund"\n}', "refund")
        assert total == 2
        assert [match.line for match in matches] == [2, 3]
        assert matches[0].context == '{␊  "a": "Refund",␊  "b": "refund"␊}'

    def test_only_the_first_matches_are_listed_but_all_are_counted(self) -> None:
        matches, total = raw_panel.find("a" * 1000, "A")
        assert (len(matches), total) == (raw_panel.MOST_MATCHES, 1000)

    def test_what_is_searched_is_text_and_no_pattern(self) -> None:
        assert raw_panel.find("a.c abc", "a.c")[1] == 1

    def test_numbers_stay_as_they_stand(self) -> None:
        assert raw_panel.indented('{"a":1.0,"b":123456789012345678901234567890}') == (
            '{\n  "a": 1.0,\n  "b": 123456789012345678901234567890\n}'
        )

    def test_what_is_not_valid_json_is_shown_as_it_is(self) -> None:
        assert raw_panel.indented("{broken") == "{broken"
        assert raw_panel.indented('"\\ud800"') == '"?"'


class TestLists:
    def rows(self, shown: int, matching: int, total: int) -> Rows:
        return Rows(pd.DataFrame({"a": range(shown)}), matching, total)

    def test_n_of_m(self) -> None:
        assert count_line("runs", self.rows(7, 7, 7), 1) == "**7** runs"
        assert count_line("runs", self.rows(7, 7, 1204), 1) == "**7** of 1,204 runs"
        assert count_line("runs", self.rows(50, 318, 1204), 2) == "**318** of 1,204 runs, 51 to 100 on this page"

    def test_a_header_sorts_the_most_first_and_then_the_other_way(self) -> None:
        assert toggled_sort("-imported", "failures") == "-failures"
        assert toggled_sort("-failures", "failures") == "failures"
        assert toggled_sort("failures", "failures") == "-failures"


class TestTheListOfRuns:
    def test_the_worst_finding_is_named(self) -> None:
        assert severity_words({"errors": 2, "cautions": 5}) == ["error"]
        assert severity_words({"errors": 0, "cautions": 1}) == ["warning"]
        assert severity_words({"errors": 0, "cautions": 0}) == []


class TestFacets:
    def test_values_of_one_field_join_with_a_comma(self) -> None:
        assert apply_choice("", "view", [], ["thin"]) == "view:thin"
        assert apply_choice("view:thin", "view", ["thin"], ["thin", "rich"]) == "view:thin,rich"

    def test_what_is_clicked_away_leaves_the_rest_alone(self) -> None:
        query = 'error_class:a,b "refund issued" -tool:get_*'
        assert apply_choice(query, "error_class", ["a", "b"], ["b"]) == 'error_class:b "refund issued" -tool:get_*'
        assert apply_choice(query, "error_class", ["a", "b"], []) == '"refund issued" -tool:get_*'

    def test_a_value_that_reads_as_syntax_is_quoted(self) -> None:
        assert apply_choice("", "tool", [], ['a "b", c']) == 'tool:"a \\"b\\", c"'


class TestTheImportReport:
    def test_only_what_happened_is_said(self) -> None:
        assert import_report.summary_line([FileReport("a.json", 2_000_000, 0.5, imported=3)]) == (
            "**3 imported**, none rejected · 0.50 s, 4.0 MB/s"
        )

    def test_everything_that_happened_is_said(self) -> None:
        report = FileReport(
            "a.json",
            1_000_000,
            2.0,
            imported=1,
            updated=4,
            replaced=2,
            unchanged=3,
            rejected=5,
            warnings=6,
            redactions=7,
        )
        assert import_report.summary_line([report, FileReport("b.json", imported=1)]) == (
            "**2 imported**, 4 updated (2 of them replaced within their file), 3 unchanged, :red[**5 rejected**]"
            " · 6 warnings · 7 secrets redacted · 2.00 s, 0.5 MB/s"
        )

    def test_a_rejection_is_told_in_full(self) -> None:
        reason = "JSON is cut short at line 2, column 37: unterminated string " + "and more " * 50
        rejected = RejectedDocument("line 2", "broken", reason, "Export it\nagain.")
        assert import_report.in_full([("a.jsonl", rejected)] * 2) == "\n\n".join(
            [f"a.jsonl: line 2\n  {reason}\n  → Export it␊again."] * 2
        )


@pytest.mark.parametrize("terms", [glossary.VERDICT, glossary.OUTCOME, glossary.CHAIN, glossary.ACTOR, glossary.SOURCE])
def test_every_word_of_the_glossary_is_explained(terms: dict[object, glossary.Term]) -> None:
    assert all(term.meaning.endswith(".") and len(term.meaning) > 15 for term in terms.values())


class TestRoomForColumns:
    COLUMNS: ClassVar = {"id": {}, "text": {}, "a": {"width": 300}, "b": {"width": 300}, "c": {"width": 300}}

    def test_dispensable_columns_give_way_one_after_the_other(self) -> None:
        shown = columns_that_fit(list(self.COLUMNS), self.COLUMNS, {"id", "text"}, ["c", "b"])
        assert shown == ["id", "text", "a", "b"]

    def test_what_fits_stays(self) -> None:
        assert columns_that_fit(["id", "text", "a"], self.COLUMNS, {"id", "text"}, ["a"]) == ["id", "text", "a"]

    def test_flexible_columns_share_what_is_left(self) -> None:
        fit = fit_widths(self.COLUMNS, ["id", "text", "a"], {"id": 1, "text": 2})
        assert (fit["id"]["width"], fit["text"]["width"]) == (205, 410)
        assert fit["a"]["width"] == 300

    def test_a_column_without_a_word_is_left_out_unless_it_is_asked_for(self) -> None:
        frame = pd.DataFrame({"a": ["", ""], "b": [None, 1], "c": [[], []], "d": [[], ["x"]]})
        assert columns_with_values(frame, ["a", "b", "c", "d"], {"c"}) == ["b", "c", "d"]


class TestFindings:
    @pytest.mark.parametrize(
        ("path", "panel"),
        [
            ("messages[4].tool_calls[0]", None),
            ("final_response", None),
            ("calls[3].arguments.id", None),
            ("error.stage", None),
            ("calls", "raw"),
            ("sub_agents", "actors"),
            ("tools_schema[2].input_schema", "raw"),
        ],
    )
    def test_evidence_is_shown_where_it_stands(self, path: str, panel: str | None) -> None:
        assert panels.panel_of(path) == panel

    def test_a_reader_of_the_calls_stays_with_them(self) -> None:
        assert panels.panel_of("calls[3]", "calls") == "calls"
        assert panels.panel_of("messages[3]", "calls") is None


@pytest.mark.parametrize(
    ("actor", "path"),
    [("lead", "calls[2]"), ("crew", "calls[1]"), ("crew/writer", "calls[1]"), ("", "calls[0]"), ("cre", None)],
)
def test_an_actor_leads_to_its_own_first_call_else_to_the_first_below_it(actor: str, path: str | None) -> None:
    calls = [a_call(n, actor_id=name) for n, name in enumerate([None, "crew/writer", "lead", "crew/editor"])]
    assert side_panel.first_call(a_run(calls=calls), actor) == path
