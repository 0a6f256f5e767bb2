"""What queries find: the rules of docs/query.md, each on rows that tell it from its neighbours."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from tests.store.query.world import Call, Run, matching_calls, matching_findings, matching_runs, put


def of_class(error_class: str | None, source: str | None = "odyssey", **columns: object) -> Call:
    return Call({"error_class": error_class, "source": source} | columns)


@pytest.fixture
def told(connection: Connection) -> Connection:
    """Runs named after the calls they have: class and source."""
    put(
        connection,
        Run("x-odyssey", calls=[of_class("x"), of_class(None, "passthrough")]),
        Run("x-live", calls=[of_class("x", "passthrough"), of_class(None)]),
        Run("x-nowhere", calls=[of_class("x", None)]),
        Run("both", calls=[of_class("x"), of_class("x", "injected"), of_class("y")]),
        Run("plain", calls=[of_class(None)]),
        Run("empty"),
    )
    return connection


def test_terms_of_one_group_hold_of_one_and_the_same_call(told: Connection) -> None:
    assert matching_runs(told, "error_class:x source:passthrough") == ["x-live"]


def test_separate_parentheses_may_hold_of_different_calls(told: Connection) -> None:
    assert matching_runs(told, "(error_class:x) (source:passthrough)") == ["x-odyssey", "x-live"]
    assert matching_runs(told, "error_class:x (source:passthrough)") == ["x-odyssey", "x-live"]


def test_a_negated_term_beside_another_speaks_of_the_same_call(told: Connection) -> None:
    # A call without a source is not from odyssey either.
    assert matching_runs(told, "error_class:x -source:odyssey") == ["x-live", "x-nowhere", "both"]


def test_a_negated_term_in_parentheses_speaks_of_the_whole_run(told: Connection) -> None:
    assert matching_runs(told, "error_class:x (-source:odyssey)") == ["x-nowhere"]
    assert matching_runs(told, "error_class:x -(source:odyssey)") == ["x-nowhere"]


def test_only_negated_terms_mean_that_the_run_has_no_such_call(told: Connection) -> None:
    assert matching_runs(told, "-error_class:x") == ["plain", "empty"]
    assert matching_runs(told, "-error_class:x -source:odyssey") == ["empty"]


def test_a_negated_group_means_no_call_with_all_of_it(told: Connection) -> None:
    assert matching_runs(told, "-(error_class:x source:odyssey)") == ["x-live", "x-nowhere", "plain", "empty"]


def test_none_asks_for_a_call_without_and_a_negated_star_for_no_call_with(told: Connection) -> None:
    assert matching_runs(told, "error_class:none") == ["x-odyssey", "x-live", "plain"]
    assert matching_runs(told, "-error_class:*") == ["plain", "empty"]
    assert matching_runs(told, "-error_class:none") == ["x-nowhere", "both", "empty"]


def test_each_side_of_an_or_is_a_group(told: Connection) -> None:
    assert matching_runs(told, "error_class:y OR error_class:x source:passthrough") == ["x-live", "both"]
    # Within the parentheses, each side of the OR may be a call of its own.
    assert matching_runs(told, "error_class:none (source:injected OR source:passthrough)") == ["x-odyssey", "x-live"]


def test_commas_keep_alternatives_on_one_call(told: Connection) -> None:
    assert matching_runs(told, "error_class:x source:injected,passthrough") == ["x-live", "both"]
    assert matching_runs(told, "error_class:y,none source:passthrough,none") == ["x-odyssey"]
    assert matching_runs(told, "source:none,injected") == ["x-nowhere", "both"]


def test_nothing_asked_finds_everything(told: Connection) -> None:
    assert len(matching_runs(told, "  ")) == 6
    assert len(matching_calls(told, "")) == 9
    assert matching_findings(told, "") == []


def test_on_calls_each_term_speaks_of_the_call_listed(told: Connection) -> None:
    assert matching_calls(told, "error_class:x -source:odyssey") == [("x-live", 0), ("x-nowhere", 0), ("both", 1)]
    assert matching_calls(told, "(error_class:x) (source:passthrough)") == [("x-live", 0)]
    assert matching_calls(told, "-error_class:x -source:odyssey") == [("x-odyssey", 1)]
    assert matching_calls(told, "-(error_class:x source:odyssey) run:both") == [("both", 1), ("both", 2)]


def test_run_terms_speak_of_the_run_of_a_call(connection: Connection) -> None:
    put(
        connection,
        Run("bad", {"failed": 1, "judge_passed": 0}, calls=[of_class("x"), of_class(None)]),
        Run("good", {"failed": 0, "judge_passed": 1}, calls=[of_class("x")]),
    )
    assert matching_runs(connection, "failed:true error_class:x") == ["bad"]
    assert matching_calls(connection, "failed:true error_class:x") == [("bad", 0)]
    assert matching_calls(connection, "verdict:failed") == [("bad", 0), ("bad", 1)]
    assert matching_runs(connection, "-failed:true error_class:x") == ["good"]


def test_the_verdict_of_the_judge_can_be_missing(connection: Connection) -> None:
    put(connection, *(Run(f"{passed}", {"judge_passed": passed}) for passed in (1, 0, None)))
    assert matching_runs(connection, "verdict:passed") == ["1"]
    assert matching_runs(connection, "verdict:none") == ["None"]
    assert matching_runs(connection, "-verdict:passed") == ["0", "None"]
    assert matching_runs(connection, "verdict:*") == ["1", "0"]
    assert matching_runs(connection, "verdict:passed,none") == ["1", "None"]


def test_text_is_equal_letter_by_letter(connection: Connection) -> None:
    put(connection, Run("a", {"model": "gpt"}), Run("b", {"model": "GPT"}), Run("c", {"model": "gpt "}), Run("d"))
    assert matching_runs(connection, "model:gpt") == ["a"]
    assert matching_runs(connection, "model:g*") == ["a", "c"]
    assert matching_runs(connection, '-model:"gpt "') == ["a", "b", "d"]


def test_only_an_unquoted_star_is_a_wildcard(connection: Connection) -> None:
    names = ["get_order", "get_order[1]", "get_order1", "get?order", "get*order", "forget_order", "%et_order"]
    put(connection, *(Run(name, {"scenario": name}) for name in names))
    assert matching_runs(connection, "scenario:get_*") == ["get_order", "get_order[1]", "get_order1"]
    assert matching_runs(connection, "scenario:*get_order") == ["get_order", "forget_order"]
    assert matching_runs(connection, "scenario:*[1]") == ["get_order[1]"]
    assert matching_runs(connection, "scenario:get?o*") == ["get?order"]
    assert matching_runs(connection, 'scenario:"get*"*') == ["get*order"]
    assert matching_runs(connection, 'scenario:"get*order"') == ["get*order"]
    assert matching_runs(connection, "scenario:%*") == ["%et_order"]
    assert matching_runs(connection, "scenario:g*t*1*") == ["get_order[1]", "get_order1"]


def test_quotes_make_the_special_values_plain(connection: Connection) -> None:
    put(connection, *(Run(f"run-{tag}", {"status": tag}) for tag in ("none", "*", "a,b", 'say "x"', "back\\slash", "")))
    assert matching_runs(connection, 'run_status:"none"') == ["run-none"]
    assert matching_runs(connection, 'run_status:"*"') == ["run-*"]
    assert matching_runs(connection, 'run_status:"a,b"') == ["run-a,b"]
    assert matching_runs(connection, 'run_status:"say \\"x\\""') == ['run-say "x"']
    assert matching_runs(connection, 'run_status:"back\\\\slash",back\\slash') == ["run-back\\slash"]
    assert matching_runs(connection, 'run_status:""') == ["run-"]


def test_a_subtree_is_the_node_and_all_below_it(connection: Connection) -> None:
    labels = ["supervisor", "supervisor/a", "supervisor/a/b", "supervisors", "other/supervisor", None]
    put(connection, Run("r", calls=[Call({"actor_id": label}) for label in labels]))
    assert matching_calls(connection, "actor:supervisor/**") == [("r", 0), ("r", 1), ("r", 2)]
    assert matching_calls(connection, "actor:supervisor/a/**") == [("r", 1), ("r", 2)]
    assert matching_calls(connection, "actor:*/**") == [("r", number) for number in range(5)]
    assert matching_calls(connection, "-actor:supervisor/**") == [("r", 3), ("r", 4), ("r", 5)]
    assert matching_calls(connection, "actor:none") == [("r", 5)]


def test_numbers_compare_as_numbers_and_the_unknown_is_neither_more_nor_less(connection: Connection) -> None:
    put(connection, Run("r", calls=[Call({"latency_ms": ms}) for ms in (None, 0, 99.5, 500, 1000.25)]))
    assert matching_calls(connection, "latency_ms>99.5") == [("r", 3), ("r", 4)]
    assert matching_calls(connection, "latency_ms>=99.5") == [("r", 2), ("r", 3), ("r", 4)]
    assert matching_calls(connection, "latency_ms<5e2") == [("r", 1), ("r", 2)]
    assert matching_calls(connection, "latency_ms<=500") == [("r", 1), ("r", 2), ("r", 3)]
    assert matching_calls(connection, "latency_ms:500,0.0") == [("r", 1), ("r", 3)]
    assert matching_calls(connection, "-latency_ms>0") == [("r", 0), ("r", 1)]
    assert matching_calls(connection, "latency_ms:none") == [("r", 0)]
    assert matching_calls(connection, f"latency_ms<{10**30} latency_ms>-{10**30} latency_ms>600") == [("r", 4)]


def test_a_count_compares_with_any_number(connection: Connection) -> None:
    put(connection, *(Run(f"{count}", {"failures": count, "retries": count}) for count in (0, 1, 5)))
    assert matching_runs(connection, "failures>0") == ["1", "5"]
    assert matching_runs(connection, "failures>=0") == ["0", "1", "5"]
    assert matching_runs(connection, "failures>-1") == ["0", "1", "5"]
    assert matching_runs(connection, "retries>=1 retries<5") == ["1"]
    assert matching_runs(connection, "retries:0,5") == ["0", "5"]


def test_tokens_are_both_counts_and_unknown_only_without_either(connection: Connection) -> None:
    counts = {"both": (10, 5), "in": (10, None), "out": (None, 5), "neither": (None, None)}
    put(connection, *(Run(name, {"input_tokens": i, "output_tokens": o}) for name, (i, o) in counts.items()))
    assert matching_runs(connection, "tokens:15") == ["both"]
    assert matching_runs(connection, "tokens<=10") == ["in", "out"]
    assert matching_runs(connection, "tokens:none") == ["neither"]


def test_an_envelope_counts_wherever_it_stands_in_the_run(connection: Connection) -> None:
    put(
        connection,
        Run("own", {"envelope_class": "policy"}),
        Run("of-a-call", calls=[Call(), Call({"envelope_class": "policy"})]),
        Run("other", {"envelope_class": "timeout"}, calls=[Call({"envelope_class": "internal"})]),
        Run("without", calls=[Call()]),
    )
    assert matching_runs(connection, "envelope_class:policy") == ["own", "of-a-call"]
    assert matching_runs(connection, "envelope_class:internal,timeout") == ["other"]
    assert matching_runs(connection, "-envelope_class:policy") == ["other", "without"]
    assert matching_runs(connection, "envelope_class:none") == ["without"]
    assert matching_runs(connection, "envelope_class:*") == ["own", "of-a-call", "other"]
    # A run term, so on calls it speaks of the run of the call.
    assert matching_calls(connection, "envelope_class:policy") == [("of-a-call", 0), ("of-a-call", 1)]


def test_findings_are_of_the_run_and_on_their_own_list_of_themselves(connection: Connection) -> None:
    put(
        connection,
        Run("two", findings=[{"kind": "call_failed", "severity": "error"}, {"kind": "agent_retry"}]),
        Run("one", findings=[{"kind": "agent_retry"}], calls=[of_class("x")]),
        Run("clean"),
    )
    assert matching_runs(connection, "finding:call_failed finding:agent_retry") == ["two"]
    assert matching_runs(connection, "-severity:error") == ["one", "clean"]
    assert matching_runs(connection, "finding:none") == ["clean"]
    assert matching_runs(connection, "finding:*_retry,call_failed") == ["two", "one"]
    assert matching_findings(connection, "finding:agent_retry") == [("two", 1), ("one", 0)]
    assert matching_findings(connection, "-finding:call_failed -severity:error") == [("two", 1), ("one", 0)]
    assert matching_findings(connection, "error_class:x") == [("one", 0)]
    assert matching_calls(connection, "finding:agent_retry") == [("one", 0)]


def test_reviews_by_verdict_age_mode_and_tag(connection: Connection) -> None:
    put(
        connection,
        Run("passed", review={"verdict": "pass", "digest": b"now"}, tags=["seen"]),
        Run("old", review={"verdict": "fail", "digest": b"then", "failure_mode": "wrong tool"}, tags=["seen", "hard"]),
        Run("noted", review={"digest": b"now"}),
        Run("new"),
    )
    assert matching_runs(connection, "reviewed:true") == ["passed", "old", "noted"]
    assert matching_runs(connection, "reviewed:false") == ["new"]
    assert matching_runs(connection, "review:fail") == ["old"]
    assert matching_runs(connection, "review:stale") == ["old"]
    assert matching_runs(connection, "review:pass,stale") == ["passed", "old"]
    assert matching_runs(connection, "-review:stale reviewed:true") == ["passed", "noted"]
    assert matching_runs(connection, "review:none") == ["noted", "new"]
    assert matching_runs(connection, 'failure_mode:"wrong tool"') == ["old"]
    assert matching_runs(connection, "failure_mode:none") == ["passed", "noted", "new"]
    assert matching_runs(connection, "tag:seen tag:hard") == ["old"]
    assert matching_runs(connection, "-tag:hard tag:*") == ["passed"]
    assert matching_runs(connection, "tag:none") == ["noted", "new"]


def test_a_flag_takes_both_values(connection: Connection) -> None:
    put(connection, Run("r", calls=[Call({"retryable": 1}), Call({"retryable": 0})]))
    assert matching_calls(connection, "retryable:true") == [("r", 0)]
    assert matching_calls(connection, "retryable:false") == [("r", 1)]
    assert matching_calls(connection, "retryable:true,false") == [("r", 0), ("r", 1)]


def test_started_is_of_what_is_listed(connection: Connection) -> None:
    put(connection, Run("r", {"started_us": 0}, calls=[Call({"started_us": 86_400_000_000}), Call()]))
    assert matching_runs(connection, "started:1970-01-01") == ["r"]
    assert matching_calls(connection, "started:1970-01-01") == []
    assert matching_calls(connection, "started:1970-01-02") == [("r", 0)]
    assert matching_calls(connection, "started:none") == [("r", 1)]


def test_words_are_looked_for_in_what_is_listed(connection: Connection) -> None:
    put(
        connection,
        Run("a", said="The refund was issued", calls=[Call(said="order 4521"), Call(said="refund pending")]),
        Run("b", said="refunds, issued", findings=[{"kind": "call_failed", "message": "The refund: 100% late"}]),
    )
    assert matching_runs(connection, "refund") == ["a"]
    assert matching_runs(connection, "refund*") == ["a", "b"]
    assert matching_runs(connection, '"refund was issued" 4521') == ["a"]
    assert matching_runs(connection, '"refund issued"') == []
    assert matching_runs(connection, "-refund") == ["b"]
    assert matching_runs(connection, "pending OR refunds") == ["a", "b"]
    assert matching_calls(connection, "refund") == [("a", 1)]
    assert matching_findings(connection, "REFUND") == [("b", 0)]
    assert matching_findings(connection, '"100% l"') == [("b", 0)]
    assert matching_findings(connection, '"0_ l"') == []


def test_the_index_is_never_spoken_to_by_what_is_searched(connection: Connection) -> None:
    put(connection, Run("a", said='the "best" NEAR(order) text:x'), Run("b", said="worst"))
    for words in ('"\\"best\\" NEAR"', '"NEAR(order)"', '"text:x"', '"best* AND"'):
        assert matching_runs(connection, words) == ([] if "AND" in words else ["a"])
