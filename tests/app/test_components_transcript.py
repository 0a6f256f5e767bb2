"""The transcript component's data: what the browser is told of a run."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import orjson
import pytest

from app.components.frontend import encode_payload
from app.components.transcript import build_transcript
from tests.app.runs import a_call, a_run
from tests.browser import component_runs as cases
from tests.browser.component_runs import call, run
from trace_store.contract import normalise
from trace_store.importing import check_stream
from trace_store.model import Chain, Finding, Message, Path, Run, SoftWarning, ToolCall


def items(built: Run, raw: Any = None) -> list[Any]:
    return list(build_transcript(built, raw)["items"])


def types(built: Run) -> list[str]:
    return [item["type"] for item in items(built)]


def asked(index: int, *calls: ToolCall) -> Message:
    return Message(index, "assistant", None, tool_calls=list(calls))


def test_items_stand_in_the_order_of_the_original_with_the_dropped_in_their_place() -> None:
    built, raw = cases.card()
    order = [item.get("index", item["type"]) for item in items(built, raw)]
    assert order == [0, 1, 2, 3, 4, 5, 6, "log", 7, "final"]


def test_a_dropped_entry_keeps_its_reason_and_its_original_to_the_last_digit() -> None:
    built, raw = cases.card()
    dropped = items(built, raw)[3]
    assert dropped["reason"] == 'role "developer" is not one of system, user, assistant, tool'
    assert '"n": 9007199254740993' in dropped["entry"]


def test_a_dropped_entry_without_the_original_gives_its_reason_only() -> None:
    built, _ = cases.card()
    assert "entry" not in items(built)[3]


def test_a_dropped_entry_with_half_a_surrogate_pair_can_still_be_sent() -> None:
    built = run(
        "r", [Message(1, "user", "hi")], warnings=[SoftWarning("import", Path("messages[0]"), "no role", "dropped")]
    )
    data = build_transcript(built, [{"content": "a\ud800b", "nan": float("nan")}])
    entry = orjson.loads(encode_payload(data).split(b"\n", 1)[1])["items"][0]["entry"]
    assert entry == '{\n  "content": "a\ufffdb",\n  "nan": NaN\n}'


def test_a_gap_without_a_warning_says_that_no_reason_is_recorded() -> None:
    built = run("r", [Message(2, "user", "hi")])
    assert [item.get("reason") for item in items(built)[:2]] == ["no reason is recorded"] * 2


def test_entries_dropped_after_the_last_message_have_their_place_too() -> None:
    built = normalise({"final_response": "x", "messages": [{"role": "user", "content": "a"}, 7]}).run
    assert [(item["type"], item.get("index")) for item in items(built)] == [
        ("message", 0),
        ("dropped", 1),
        ("final", None),
    ]


def test_an_entry_that_became_null_and_was_dropped_is_one_dropped_message() -> None:
    (built,) = check_stream("a.json", BytesIO(b'{"run_id":"a","final_response":"x","messages":[NaN]}'))
    assert isinstance(built, Run)
    thin, dropped, _ = items(built)
    assert thin["reason"] == "The only message of the export could not be kept."
    assert (dropped["type"], dropped["index"], [note["title"] for note in dropped["notes"]]) == (
        "dropped",
        0,
        ["import warning"],
    )


def test_payloads_travel_as_text_so_that_numbers_keep_their_digits() -> None:
    built = run("r", [asked(0, ToolCall("c", "pay", {"amount": 1.0, "id": 9007199254740993}))])
    assert items(built)[0]["calls"][0]["arguments"] == '{"amount":1.0,"id":9007199254740993}'


@pytest.mark.parametrize(
    ("arguments", "decoded", "text", "undecoded"),
    [
        ({"a": 1}, True, '{"a":1}', None),
        ('{"a', False, '{"a', "text"),
        ([1], False, "[1]", "value"),
        (None, True, None, None),
    ],
)
def test_arguments_say_how_they_failed_to_decode(
    arguments: Any, decoded: bool, text: str | None, undecoded: str | None
) -> None:
    wire = items(run("r", [asked(0, ToolCall("c", "t", arguments, decoded))]))[0]["calls"][0]
    assert (wire.get("arguments"), wire.get("undecoded")) == (text, undecoded)


def test_equal_response_is_not_sent_twice() -> None:
    built, _ = cases.card()
    data = build_transcript(built)
    card: Any = data["items"][1]
    assert card["calls"][0]["agreement"] == "same"
    assert "response" not in data["calls"][2]
    assert "arguments" not in data["calls"][2]


def test_equality_with_the_receipt_tells_true_from_one() -> None:
    messages = [
        asked(0, ToolCall("c", "t", {}, receipt=0)),
        Message(1, "tool", '{"a": 1}', "c", answers=Path("messages[0].tool_calls[0]")),
    ]
    log = {"has_log": True, "chains": [Chain(0, "t", None, [0], "succeeded")]}
    different = build_transcript(run("r", messages, calls=[call(0, "t", response={"a": True})], **log))
    assert different["calls"][0]["response"] == {"json": '{"a":true}'}
    equal = build_transcript(run("r", messages, calls=[call(0, "t", response={"a": 1})], **log))
    assert "response" not in equal["calls"][0]


@pytest.mark.parametrize(
    ("finding", "outcome", "agreement"),
    [
        ("tool_result_differs", "ok", "differs"),
        ("failure_hidden", "failed", "hidden"),
        (None, "failed", "reported"),
        (None, "ok", "agrees"),
    ],
)
def test_agreement_is_what_the_findings_say(finding: str | None, outcome: str, agreement: str) -> None:
    messages = [
        asked(0, ToolCall("c", "t", {}, receipt=0)),
        Message(1, "tool", "text", "c", answers=Path("messages[0].tool_calls[0]")),
    ]
    findings = [Finding(finding, "warning", Path("messages[1]"), "why", "R36")] if finding else []
    built = run("r", messages, has_log=True, calls=[call(0, "t", response={"a": 1}, outcome=outcome)],
                chains=[Chain(0, "t", None, [0], "succeeded")], findings=findings)  # fmt: skip
    assert items(built)[0]["calls"][0]["agreement"] == agreement


def test_attempts_repeat_no_arguments() -> None:
    built, _ = cases.card()
    sent = build_transcript(replace(built, messages=None, view="thin"))["calls"]
    assert [one.get("arguments") for one in sent[:3]] == [None, None, '{"order_id":"4521"}']


def test_an_attempt_with_other_arguments_keeps_them() -> None:
    calls = [call(0, "t", arguments={"a": 1}, chain=0), call(1, "t", arguments={"a": 2}, chain=0, attempt=2)]
    built = run("r", None, has_log=True, calls=calls, chains=[Chain(0, "t", None, [0, 1], "recovered")])
    assert [one.get("arguments") for one in build_transcript(built)["calls"]] == ['{"a":1}', '{"a":2}']


def test_an_unpaired_call_of_a_known_actor_stands_after_the_receipt_before_it() -> None:
    built, raw = cases.card()
    order = [(item["type"], item.get("chain")) for item in items(built, raw)]
    assert order.index(("log", 2)) == 7  # after the last answer of message 4, whose receipt is the call before
    assert "heading" not in types(built)


def test_calls_of_actors_outside_the_transcript_stand_apart_at_the_end() -> None:
    built, _ = cases.steps()
    found = items(built)
    assert [item["type"] for item in found[88:93]] == ["message", "message", "heading", "log", "log"]
    assert found[90] == {"type": "heading", "call_count": 90, "chain_count": 90}
    assert found[91]["apart"] is True
    assert found[-1]["type"] == "final"


def test_a_thin_run_says_why_and_shows_its_log_in_order() -> None:
    built, raw = cases.thin()
    found = items(built, raw)
    assert found[0] == {
        "type": "thin",
        "reason": "None of the 2 messages of the export could be kept.",
        "export_warnings": ["transcript not collected"],
    }
    assert [item["type"] for item in found] == ["thin", "dropped", "dropped", "heading", "log", "log", "log", "final"]
    assert found[1]["entry"] == '"just a string"'


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"final_response": "x"}, "The export carries no messages, only the final response."),
        ({"final_response": "x", "messages": "lost"}, "The messages could not be read: "),
        ({"final_response": "x", "messages": [1]}, "The only message of the export could not be kept."),
    ],
)
def test_each_way_to_be_thin_has_its_reason(body: Any, reason: str) -> None:
    assert items(normalise(body).run)[0]["reason"].startswith(reason)


def test_the_final_answer_points_at_the_message_that_holds_it() -> None:
    built, _ = cases.card()
    final = items(built)[-1]
    assert final["same_as"] == 7
    assert "text" not in final


def test_a_cut_answer_counts_what_was_cut_and_null_means_the_platform_cut_it() -> None:
    assert items(run("r", None, final_response_cut=12))[-1]["cut"] == 12
    assert items(run("r", None, final_response_cut=None))[-1]["cut"] is None
    assert "cut" not in items(run("r", None))[-1]


def test_a_run_without_an_answer_says_so_at_the_end() -> None:
    built, _ = cases.failed_run()
    final = items(built)[-1]
    assert (final["response_error"], final["error_class"], final["failed"]) == (
        "ResponseShapeError",
        "agent_timeout",
        True,
    )
    assert final["error"] == {"json": '{"message":"no answer in 120 s"}'}
    assert "text" not in final


def test_notes_stand_where_their_path_points() -> None:
    warnings = [
        SoftWarning("import", Path("messages[0].thinking"), "not an array"),
        SoftWarning("import", Path("messages[0].tool_calls[1]"), "no name"),
        SoftWarning("import", Path("messages[0].tool_calls[2].id"), "not a string"),
        SoftWarning("import", Path("final_response"), "cut"),
        SoftWarning("import", Path("metadata.model"), "not a string"),
    ]
    findings = [
        Finding("tool_call_unanswered", "warning", Path("messages[0].tool_calls[0]"), "No answer.", "R35"),
        Finding("actor_undeclared", "warning", Path("calls[0].actor_id"), "Not in the catalog.", "R30"),
        Finding("rich_mode_dropped", "warning", Path("messages[0].thinking"), "again", "R12"),
        Finding("run_failed", "error", Path("error.stage"), "The run failed.", "R22"),
    ]
    message = asked(0, ToolCall("a", "t", {}), ToolCall(None, "u", {}, index=2))
    built = run("r", [message], warnings=warnings, findings=findings, has_log=True, calls=[call(0)],
                chains=[Chain(0, "get_order", None, [0], "succeeded")])  # fmt: skip
    data = build_transcript(built)
    shown: Any = data["items"][0]
    assert [note["message"] for note in shown["notes"]] == ["thinking: not an array", "tool_calls[1]: no name"]
    assert [[note["message"] for note in one["notes"]] for one in shown["calls"]] == [
        ["No answer."],
        ["id: not a string"],
    ]
    assert data["calls"][0]["notes"][0]["kind"] == "actor_undeclared"
    final: Any = data["items"][-1]
    assert [note["message"] for note in final["notes"]] == ["cut", "The run failed."]


def test_a_tool_message_and_the_call_it_answers_know_each_other() -> None:
    built, _ = cases.card()
    shown = items(built)
    assert [(item["index"], item["answers"]) for item in shown if "answers" in item] == [
        (2, (1, 0)),
        (5, (4, 0)),
        (6, (4, 1)),
    ]
    assert [one["answer"] for one in shown[4]["calls"]] == [5, 6]


def test_array_contents_thinking_and_other_fields_travel_as_json_text() -> None:
    built, _ = cases.parts()
    user, assistant = items(built)[1:3]
    assert user["parts"][3] == '{"type":"audio","seconds":1.0,"id":12345678901234567890}'
    assert user["parts"][4] == '"a bare string"'
    assert (user["name"], user["more"], user["extra"]) == ("ann", True, '{"name":"ann","locale":"sv"}')
    assert assistant["thinking"] == ['{"type":"thinking","thinking":"hidden plan","signature":"abc"}']
    assert assistant["calls"][2]["extra"] == '{"type":"function"}'


def test_who_spoke_is_read_from_the_fields_that_exports_use() -> None:
    extras: list[dict[str, Any]] = [{"name": "a", "actor": "b"}, {"actor": "b"}, {"actor_id": "c"}, {"name": 7}]
    found = items(run("r", [Message(at, "assistant", "x", extra=extra) for at, extra in enumerate(extras)]))[:4]
    assert [(item.get("name"), item.get("more", False)) for item in found] == [
        ("a", True), ("b", False), ("c", False), (None, True),
    ]  # fmt: skip


def test_suggestions_are_those_of_undeclared_actors() -> None:
    built, _ = cases.card()
    assert build_transcript(built)["suggestions"] == {"supervisor/refund_agnt": "refund_agent"}


def test_ten_thousand_messages_stay_far_below_the_limit() -> None:
    built, _ = cases.big()
    data = build_transcript(built)
    assert len(data["items"]) == 10_001
    assert len(encode_payload(data, height=700, focus=None)) < 8_000_000


def test_the_head_of_a_payload_changes_without_its_digest() -> None:
    first, second = (
        orjson.loads(encode_payload({"a": 1}, focus=focus).split(b"\n")[0]) for focus in (None, "calls[0]")
    )
    assert first["digest"] == second["digest"]
    assert (first["focus"], second["focus"]) == (None, "calls[0]")
    assert orjson.loads(encode_payload({"a": 2}).split(b"\n")[0])["digest"] != first["digest"]


def test_the_transcript_names_the_retry_delays_that_are_off_policy() -> None:
    calls = [a_call(n, chain=0, outcome="failed", retryable=True) for n in range(2)]
    chain = Chain(0, "get_order", None, [0, 1], "gave_up", waits_ms=[9_000.0])
    wire = build_transcript(a_run(calls=calls, chains=[chain], has_log=True))["chains"]["0"]
    assert (wire["windows_ms"], wire["off_policy"]) == ([(375.0, 625.0)], [0])


def test_results_in_parts_are_what_their_cards_show() -> None:
    content = [
        {"type": "tool_use", "id": "a", "name": "f", "input": {"n": 1}},
        {"type": "tool_use", "id": "b", "name": "f", "input": {"n": 2}},
    ]
    results = [
        {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "other"}]},
        {"type": "tool_result", "tool_use_id": "a", "content": '{"status": 1}'},
    ]
    log = [
        {"tool_name": "f", "arguments": {"n": n}, "source": "odyssey", "response": {"status": n}, "status_code": 200}
        for n in (1, 2)
    ]
    messages = [{"role": "assistant", "content": content}, {"role": "user", "content": results}]
    document = {"final_response": "Done.", "messages": messages, "proxy_calls": log}
    (built,) = check_stream("a.json", BytesIO(orjson.dumps(document)))
    assert isinstance(built, Run)
    asking, answering = items(built)[:2]
    first, second = asking["calls"]
    assert (first["answer"], first["answer_part"], first["agreement"]) == (1, 1, "same")
    assert (second["answer"], second["answer_part"], second["agreement"]) == (1, 0, "differs")
    assert asking["part_calls"] == {"0": 0, "1": 1}
    assert answering["results"] == {"0": {"id": "b", "answers": (0, 1)}, "1": {"id": "a", "answers": (0, 0)}}
    assert len(answering["parts"]) == 2
