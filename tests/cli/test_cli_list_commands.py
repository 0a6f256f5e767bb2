"""`runs`, `calls`, `findings`, `stats` and `show`."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.cli.conftest import COUNT, RUNS, Command
from tests.store.building import boundary
from trace_store.cli.options import GROUPS, SORTS, check_sort
from trace_store.cli.run_text import format_run
from trace_store.contract import normalise
from trace_store.exports import tables
from trace_store.model import Run
from trace_store.store.query import ListName


def test_a_table_has_its_rows_and_the_total(on_samples: Command) -> None:
    done = on_samples("runs", "task:refund-damaged-item", "--limit", "2")
    header, rule, *rows, total = done.stdout.splitlines()
    assert header.split()[:4] == ["run_id", "started_at", "status", "judge_passed"]
    assert set(rule.strip()) == {"─"}
    assert len(rows) == 2
    assert all(row.startswith("support-") for row in rows)
    assert total == "2 of 7 runs"
    assert done.stderr == ""


def test_json_holds_the_total_and_every_column(on_samples: Command) -> None:
    page = json.loads(on_samples("runs", "run:support-refund-clean", "--format", "json").stdout)
    assert page["total"] == 1
    [row] = page["rows"]
    assert (row["calls"], row["view"], row["judge_passed"], row["model"]) == (3, "rich", True, "heron-2-large")


@pytest.mark.parametrize("command", ["runs", "calls", "findings"])
def test_json_of_nothing_is_an_empty_page(on_samples: Command, command: str) -> None:
    assert json.loads(on_samples(command, "run:nobody", "--format", "json").stdout) == {"total": 0, "rows": []}


def test_jsonl_prints_a_row_a_line_and_the_total_aside(on_samples: Command) -> None:
    done = on_samples("calls", "error_class:lock_contention", "--format", "jsonl", "--limit", "3")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["error_class"] for row in rows] == ["lock_contention"] * 3
    assert done.stderr == "3 of 9 calls\n"


def test_csv_prints_a_header_even_for_nothing(on_samples: Command) -> None:
    done = on_samples("calls", "run:nobody", "--format", "csv")
    [header] = csv.reader(io.StringIO(done.stdout))
    assert header[:3] == ["run_id", "sequence", "lane"]
    assert done.stderr == "0 of 0 calls\n"


def test_csv_cells_start_no_formula(command: Command) -> None:
    command("import", "-", stdin='{"run_id": "=1+1", "final_response": "@SUM(A1)", "status": "-2"}')
    [row] = csv.DictReader(io.StringIO(command("runs", "--format", "csv").stdout))
    assert (row["run_id"], row["answer"], row["status"]) == ("'=1+1", "'@SUM(A1)", "'-2")


def test_rows_come_sorted(on_samples: Command) -> None:
    done = on_samples("calls", "latency_ms>5000", "--sort", "-latency_ms", "--format", "json")
    latencies = [row["latency_ms"] for row in json.loads(done.stdout)["rows"]]
    assert latencies == sorted(latencies, reverse=True)
    assert latencies[0] == 120_003.0


def test_a_negated_term_is_no_option_and_words_make_one_query(on_samples: Command) -> None:
    words = on_samples("calls", "-source:odyssey", "tool:get_gift_card", "--format", "json")
    quoted = on_samples("calls", "-source:odyssey tool:get_gift_card", "--format", "json")
    assert json.loads(words.stdout) == json.loads(quoted.stdout) == {"total": 0, "rows": []}
    assert json.loads(on_samples("calls", "tool:get_gift_card", "--format", "json").stdout)["total"] == 3


def test_a_query_that_means_nothing_is_one_line_and_2(on_samples: Command) -> None:
    done = on_samples("runs", "fooo:1")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: at character 1: ")
    assert done.stderr.count("\n") == 1


def test_stats_group_calls(on_samples: Command) -> None:
    page = json.loads(on_samples("stats", "tool:book_seat", "--by", "source, tool", "--format", "json").stdout)
    groups = {(row["source"], row["tool"]): row for row in page["rows"]}
    assert page["total"] == len(groups) == 3
    assert groups["error", "book_seat"]["calls"] == groups["error", "book_seat"]["failures"] == 7
    assert (groups["error", "book_seat"]["retries"], groups["odyssey", "book_seat"]["retries"]) == (4, 1)
    assert groups["injected", "book_seat"]["failure_rate"] == 1.0
    assert groups["odyssey", "book_seat"]["failures"] == 0


def test_stats_print_null_for_what_is_not_known(on_samples: Command) -> None:
    done = on_samples("stats", "run:travel-unknown-outcome", "--by", "error_class", "--format", "jsonl")
    assert [json.loads(line)["error_class"] for line in done.stdout.splitlines()] == [None]


def test_stats_need_a_field(on_samples: Command) -> None:
    done = on_samples("stats", "tool:book_seat")
    assert done.exit_code == 2
    assert "--by" in done.stderr


def test_show_json_is_the_run_document(on_samples: Command) -> None:
    run = Run.from_json(on_samples("show", "support-refund-typo-actor", "--format", "json").stdout_bytes)
    assert run.run_id == "support-refund-typo-actor"
    assert (run.place, [chain.outcome for chain in run.chains]) == (
        "line 2",
        ["succeeded", "recovered", "succeeded", "recovered"],
    )


def test_show_raw_is_what_came_in_to_the_byte(on_samples: Command) -> None:
    whole = RUNS / "support-thin-answer.json"
    assert on_samples("show", "support-thin-answer", "--format", "raw").stdout_bytes == whole.read_bytes()
    second = (RUNS / "support.jsonl").read_bytes().splitlines()[1]
    assert on_samples("show", "support-refund-typo-actor", "--format", "raw").stdout_bytes == second


def test_show_text_tells_the_story(on_samples: Command) -> None:
    text = on_samples("show", "support-refund-typo-actor").stdout
    assert text.startswith("support-refund-typo-actor\n    status: completed\n    judge: passed\n")
    assert "\nAnswer\n    Invoice INV-88120 was paid" in text
    assert '\n    [4] assistant\n        asks get_invoice {"order_id": "NK-20418"}  = calls[2]\n' in text
    assert "    [1] supervisor/refund_agnt  get_order  failed  503  lock_contention  error  " in text
    assert "supervisor/refund_agnt  undeclared  calls 5, failed 3, did you mean refund_agent?" in text
    assert "    escalation_agent  declared silent  calls 0, failed 0\n" in text
    assert "trace  handoff" in text


def test_show_text_of_a_run_that_failed_has_the_error_for_an_answer(on_samples: Command) -> None:
    text = on_samples("show", "travel-out-of-time").stdout
    assert "    failed: yes\n    error class: agent_timeout\n" in text
    assert "\nAnswer\n    ResponseShapeError\n" in text


def test_show_text_of_a_thin_run_says_what_was_dropped(on_samples: Command) -> None:
    text = on_samples("show", "coding-no-transcript").stdout
    assert "    export  –  messages: expected an array, got a string\n" in text
    assert "    import  messages  expected an array" in text
    assert "\nTranscript\n" not in text


def test_show_text_cannot_drive_the_terminal(on_samples: Command) -> None:
    text = on_samples("show", "support-hostile-markup").stdout
    assert "\u001b" not in text
    assert "\u202e" not in text
    assert "<script>alert('hello')</script>" in text


def test_text_says_where_a_run_first_failed_and_which_call_is_its_receipt() -> None:
    run = normalise({"final_response": "x", "messages": [{"role": "assistant", "tool_calls": [{"name": "f"}]}]}).run
    run.boundary = boundary("receipt", "calls[3]", reason="It failed.", recovery="Ask again.")
    assert run.messages is not None and run.messages[0].tool_calls is not None
    run.messages[0].tool_calls[0].receipt = 3
    text = "\n".join(format_run(run))
    assert "    first failed at: receipt, calls[3]: It failed.\n    what may be done: Ask again.\n" in text
    assert "        asks f null  = calls[3]" in text


def test_a_run_that_is_not_there(on_samples: Command) -> None:
    done = on_samples("show", "nobody")
    assert done.exit_code == 2
    assert done.stderr == "error: there is no run 'nobody' (ids are matched exactly, capitals too)\n"


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_format_for_programs_has_every_row(on_samples: Command, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setattr(tables, "PAGE_ROWS", 7)
    done = on_samples("runs", "--format", form)
    assert done.stderr == f"{COUNT} of {COUNT} runs\n"
    rows = csv.DictReader(io.StringIO(done.stdout)) if form == "csv" else map(json.loads, done.stdout.splitlines())
    in_one = json.loads(on_samples("runs", "--format", "json", "--limit", "1000").stdout)["rows"]
    assert [row["run_id"] for row in rows] == [row["run_id"] for row in in_one]


@pytest.mark.parametrize("limit", [0, 7, 10, 14])
def test_a_limit_cuts_a_page_short(on_samples: Command, monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(tables, "PAGE_ROWS", 7)
    done = on_samples("findings", "--format", "jsonl", "--limit", str(limit))
    assert len(done.stdout.splitlines()) == limit
    assert done.stderr.startswith(f"{limit} of ")


def test_a_list_for_a_person_ends_after_50_rows_and_tells_the_total(on_samples: Command) -> None:
    assert on_samples("runs").stdout.endswith(f"\n50 of {COUNT} runs\n")
    page = json.loads(on_samples("runs", "--format", "json").stdout)
    assert (len(page["rows"]), page["total"]) == (50, COUNT)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("runs --sort -failurs", "--sort: runs have no “failurs” to sort by (did you mean failures?)"),
        ("stats --by source,toool", "--by: there is no field “toool” (did you mean tool?)"),
        (
            "findings --sort xyzzy",
            "--sort: there is no field “xyzzy” (it takes severity, finding, run, started, imported and others)",
        ),
        (
            "stats --by finding",
            "--by: a run may have many a finding (it takes tool, actor, error_class, outcome, source, model, scenario, "
            "agent and others)",
        ),
    ],
)
def test_a_name_that_an_option_does_not_take_is_a_fault_of_the_option(
    on_samples: Command, words: str, expected: str
) -> None:
    done = on_samples(*words.split())
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {expected}\n")


def test_a_fault_of_the_query_of_stats_is_not_one_of_the_option(on_samples: Command) -> None:
    assert on_samples("stats", "tol:x", "--by", "nope").stderr.startswith("error: at character 1: ")


@pytest.mark.parametrize("listed", ["runs", "calls", "findings"])
def test_the_names_that_an_error_offers_can_be_sorted_by(listed: ListName) -> None:
    for name in SORTS[listed]:
        check_sort(name, listed)


@pytest.mark.parametrize("name", GROUPS)
def test_the_names_that_an_error_offers_can_be_grouped_by(on_samples: Command, name: str) -> None:
    assert on_samples("stats", "--by", name).exit_code == 0


def test_show_tells_the_gravest_findings_first(on_samples: Command) -> None:
    findings = on_samples("show", "support-expired-sub-agent").stdout.partition("\nFindings\n")[2].splitlines()[:3]
    assert [line.split()[:2] for line in findings] == [
        ["error", "stale_token"],
        ["warning", "actor_undeclared"],
        ["info", "actor_silent"],
    ]
