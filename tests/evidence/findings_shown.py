"""Bodies that show each kind of finding, with the paths at which they do, and bodies that must not."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.evidence.runs_of import TOOL, claim, failed, injected, ok, result, run_of, without_log

ENVELOPE = {
    "schema_version": "openmed.agent.error.v1",
    "error_class": "timeout",
    "error_code": "request_timeout",
    "stage": "provider",
    "retryable": True,
    "run_id": "r1",
    "action_id": None,
}
LOCK = failed(503, "lock_contention")
BUSY = failed(429)
NO_ANSWER = {"tool_name": "get_order", "arguments": {"order_id": "4521"}, "source": "transport_error"}
STALE = failed(401, "run_token_expired")
NO_TOKEN = failed(401, "run_token_missing")
NO_STOCK = ok(response={"error": "no stock"})
USER = {"role": "user", "content": "hi"}
CATALOG: dict[str, Any] = {"sub_agents": [{"actor_id": "refund_agent", "tools": ["issue_refund"]}, "billing"]}
A_REFUND = ok("issue_refund", {"n": 1}, actor_id="refund_agent")
BY_BILLING = ok("get_invoice", {"n": 1}, actor_id="billing")


def at(second: float) -> str:
    return f"2026-04-01T00:00:{second:06.3f}Z"


def keyed(*calls: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**call, "idempotency_key": "k"} for call in calls]


def numbered(*calls: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**call, "attempt": n} for n, call in enumerate(calls, 1)]


class Shown(NamedTuple):
    """A body that shows a kind, at exactly these paths, and words that its first message has."""

    body: Any
    paths: list[str]
    words: str = ""


SHOWN: dict[str, list[Shown]] = {
    "response_missing": [
        Shown({"final_response": ""}, ["final_response"], "no final answer"),
        Shown({"messages": [USER]}, ["final_response"]),
        Shown({"final_response": None, "status": "failed", "error_class": "agent_timeout"}, ["final_response"]),
    ],
    "response_cut": [
        Shown({"final_response": "a" * 50_007}, ["final_response"], "7 characters"),
        Shown({"final_response": "a…[truncated]"}, ["final_response"], "the platform has cut"),
    ],
    "run_failed": [
        Shown({"final_response": "x", "status": "timeout"}, ["status"], "timeout"),
        Shown({"final_response": "x", "error": {"error_class": "agent_5xx"}}, ["error"], "agent_5xx"),
        Shown({"final_response": "x", "error_json": '{"error_class": "agent_5xx"}'}, ["error"]),
        Shown({"final_response": "x", "error_class": "boom", "status": "failed"}, ["error_class"], "boom"),
        Shown({"final_response": "x", "error_class": "", "error": {"error_class": "boom"}}, ["error"]),
    ],
    "answer_ungrounded": [Shown(run_of(ok(), answer="$79.50"), ["final_response"], "$79.50")],
    "answer_unverified": [Shown(run_of(failed()), ["final_response"], "the only call")],
    "rich_mode_dropped": [
        Shown(without_log(answer="x") | {"messages": 5}, ["messages"]),
        Shown(without_log({"role": "developer"}, USER), ["messages[0]"], "developer"),
        Shown(without_log("x", {**USER, "content": 5}), ["messages[0]", "messages[1]"]),
        Shown(
            without_log({**USER, "tool_call_id": 5, "tool_calls": 5}),
            ["messages[0].tool_call_id", "messages[0].tool_calls"],
        ),
        Shown(without_log({**USER, "thinking": "x"}), ["messages[0].thinking"]),
        Shown(
            without_log({"role": "assistant", "tool_calls": ["x", {"id": 5, "name": "f"}]}),
            ["messages[0].tool_calls[0]", "messages[0].tool_calls[1].id"],
        ),
        Shown({"final_response": "x", "metadata": [1]}, ["metadata"]),
        Shown(
            {"final_response": "x", "metadata": {"model": 5, "total_input_tokens": True}},
            ["metadata.model", "metadata.total_input_tokens"],
        ),
    ],
    "arguments_undecoded": [
        Shown(run_of(ok(arguments="{broken")), ["calls[0].arguments"], "{broken"),
        Shown(without_log(claim(arguments=[1]), result()), ["messages[0].tool_calls[0].arguments"]),
        Shown(
            run_of(ok(arguments="[1]"), messages=[claim(arguments="[1]"), result()]),
            ["messages[0].tool_calls[0].arguments", "calls[0].arguments"],
        ),
    ],
    "tool_call_id_duplicate": [Shown(without_log(claim("a"), claim("a")), ["messages[1].tool_calls[0]"], "“a”")],
    "tool_call_id_missing": [Shown(without_log(claim(None)), ["messages[0].tool_calls[0]"])],
    "tool_result_orphan": [Shown(without_log(result("zz")), ["messages[0]"], "“zz”")],
    "tool_call_unanswered": [
        Shown(without_log(claim(), claim("b")), ["messages[0].tool_calls[0]", "messages[1].tool_calls[0]"])
    ],
    "unreadable_call": [Shown(run_of("x", {"source": "odyssey"}), ["calls[0]", "calls[1]"])],
    "unknown_source": [Shown(run_of(ok(source="cache"), ok(source=5)), ["calls[0]", "calls[1]"], "“cache”")],
    "rule_index_inconsistent": [
        Shown(
            run_of(ok(matched_rule_index=0), injected(None), failed(matched_rule_index=1)),
            ["calls[0]", "calls[1]", "calls[2]"],
        )
    ],
    "validation_inconsistent": [Shown(run_of(ok(source="passthrough", validation={"ok": True})), ["calls[0]"])],
    "call_failed": [
        Shown(run_of(failed(), ok("g")), ["calls[0]"], "failed with 500: “plain text”"),
        Shown(run_of(failed(200)), ["calls[0]"], "with 200 and the source error"),
        Shown(run_of({"tool_name": "f", "error": "reset"}), ["calls[0]"], "failed without an answer: “reset”"),
        Shown(run_of(failed(404, "run_not_registered")), ["calls[0]"], "404 run_not_registered"),
        Shown(run_of({"tool_name": "f", "status_code": 500}), ["calls[0]"], "with 500 (the server"),
        Shown(run_of(failed(403, "run_token_expired")), ["calls[0]"]),
        Shown(run_of(failed(403, "run_token_missing")), ["calls[0]"]),
        Shown(run_of(failed(401)), ["calls[0]"]),
        Shown(run_of(*keyed(failed(), failed())), ["calls[1]"]),
        Shown(run_of(failed(lane="data", tool_name=None, operation="orders")), ["calls[0]"], "orders"),
    ],
    "stale_token": [
        Shown(run_of(ok(), STALE, ok("g"), ok("h")), ["calls[1]"], "2 calls came after"),
        Shown(run_of({**STALE, "tool_name": "f"}, STALE), ["calls[0]"], "1 call came after"),
        Shown(run_of(STALE), ["calls[0]"], "no call came after"),
    ],
    "token_missing": [
        Shown(run_of(NO_TOKEN, {**NO_TOKEN, "tool_name": "f"}), ["calls[0]"]),
        Shown(run_of({"tool_name": "f", "error_class": "run_token_missing"}), ["calls[0]"]),
    ],
    "retry_exhausted": [
        Shown(run_of(LOCK, LOCK, LOCK, LOCK), ["calls[3]"], "after 4 attempts, the last with 503 lock_contention")
    ],
    "retry_gave_up": [
        Shown(run_of(BUSY, BUSY), ["calls[1]"], "2 of 4 attempts, the last with 429"),
        Shown(run_of(LOCK), ["calls[0]"], "1 of 4 attempts, with 503"),
    ],
    "failure_injected": [
        Shown(run_of(injected(3)), ["calls[0]"], "by rule 3"),
        Shown(run_of(injected(None)), ["calls[0]"], "does not name"),
        Shown(run_of(injected(0), ok()), ["calls[0]"], "by rule 0"),
    ],
    "application_error": [
        Shown(run_of(NO_STOCK), ["calls[0]"], "no stock"),
        Shown(run_of(ok(response=ENVELOPE)), ["calls[0]"], "request_timeout"),
    ],
    "outcome_unknown": [
        Shown(run_of(NO_ANSWER), ["calls[0]"]),
        Shown(run_of({"tool_name": "f", "error": "x", "latency_ms": 119_500}), ["calls[0]"], "timeout"),
        Shown(run_of(NO_ANSWER, ok()), ["calls[0]"]),
    ],
    "possible_duplicate_effect": [Shown(run_of(NO_ANSWER, ok("g"), ok()), ["calls[2]"], "calls[0]")],
    "repeated_call": [
        Shown(run_of(ok(), ok("g"), ok()), ["calls[2]"], "calls[0]"),
        Shown(run_of(LOCK, ok(), failed(), failed()), ["calls[2]", "calls[3]"], "calls[1]"),
        Shown(
            run_of(*(ok(tool_name=None, lane="data", kind="a", intent="b", operation=o) for o in "xyx")), ["calls[2]"]
        ),
    ],
    "retry_over_budget": [Shown(run_of(*numbered(*[BUSY] * 6)), ["calls[4]"], "6 times")],
    "retried_terminal": [
        Shown(run_of(*keyed(failed(), ok())), ["calls[1]"]),
        Shown(run_of(*numbered(failed(), failed(), ok())), ["calls[1]", "calls[2]"]),
        Shown(run_of(*keyed(NO_ANSWER, ok())), ["calls[1]"], "without an answer"),
    ],
    "retry_wait_off_policy": [
        Shown(
            run_of({**LOCK, "started_at": at(0), "latency_ms": 100}, {**ok(), "started_at": at(2), "latency_ms": 1}),
            ["calls[1]"],
            "waited 1.90 s before attempt 2; the policy waits 375 ms to 625 ms",
        ),
        Shown(run_of({**LOCK, "started_at": at(0), "latency_ms": 100}, {**ok(), "started_at": at(0.15)}), ["calls[1]"]),
    ],
    "agent_retry": [
        Shown(run_of(failed(), failed(), ok()), ["calls[1]", "calls[2]"]),
        Shown(run_of(NO_STOCK, ok()), ["calls[1]"], "had answered with an error"),
    ],
    "envelope_invalid": [
        Shown(
            {"final_response": "x", "error": {**ENVELOPE, "retryable": False}},
            ["error.retryable"],
            "retryable_mismatch",
        )
    ],
    "actor_undeclared": [
        Shown(
            run_of(ok(actor_id="refund_agnt"), ok(actor_id="refund_agnt"), ok(actor_id="x/zz"), **CATALOG),
            ["calls[0].actor_id", "calls[2].actor_id"],
            "2 calls have the label refund_agnt, which no declared actor has; did you mean refund_agent?",
        )
    ],
    "actor_malformed": [
        Shown(
            run_of(ok(actor_id="a//b"), ok(actor_id="a//b"), ok(actor_id="b c")),
            ["calls[0].actor_id", "calls[2].actor_id"],
        )
    ],
    "actor_silent": [
        Shown(run_of(A_REFUND, **CATALOG), ["sub_agents"], "billing"),
        Shown(run_of(ok(), **CATALOG), ["sub_agents", "sub_agents"]),
    ],
    "actor_unattributed": [Shown(run_of(ok(), A_REFUND, ok("g")), ["calls[0]"], "2 of 3 calls name no actor")],
    "actor_tool_not_owned": [
        Shown(
            run_of(
                A_REFUND,
                ok(actor_id="refund_agent"),
                ok(actor_id="refund_agent"),
                ok("g", actor_id="x/refund_agent"),
                **CATALOG,
            ),
            ["calls[1]", "calls[3]"],
            "lists only issue_refund",
        )
    ],
    "attribution_suspect": [
        Shown(
            run_of(
                {**A_REFUND, "started_at": at(0), "latency_ms": 500},
                ok("issue_refund", {"n": 2}, actor_id="b", started_at=at(0.2), latency_ms=100),
                ok("issue_refund", {"n": 3}, actor_id="b", started_at=at(0.3), latency_ms=100),
                ok("issue_refund", {"n": 4}, actor_id="b", started_at=at(0.6), latency_ms=100),
                sub_agents=[*CATALOG["sub_agents"], {"actor_id": "b", "tools": ["other"]}],
            ),
            ["calls[1]", "calls[2]"],
        )
    ],
    "tool_undeclared": [Shown(run_of(ok("g"), tools_schema=[TOOL]), ["calls[0].tool_name"], "the tool g ")],
    "arguments_invalid": [
        Shown(run_of(ok(arguments={}), tools_schema=[TOOL]), ["calls[0].arguments"], "`required` wants order_id")
    ],
    "response_invalid": [
        Shown(run_of(ok(response={}), tools_schema=[TOOL]), ["calls[0].response"], "`required` wants status")
    ],
    "wrong_family_source": [Shown(run_of(ok(source="passthrough"), tools_schema=[TOOL]), ["calls[0]"], "simulated")],
    "output_schema_missing": [
        Shown(run_of(ok("f"), tools_schema=[{"name": "f", "input_schema": {}}]), ["tools_schema[0]"])
    ],
    "schema_invalid": [Shown(run_of(ok(), tools_schema=[TOOL, TOOL]), ["tools_schema[1].name"], "more than once")],
    "tool_binding_missing": [
        Shown(
            run_of(ok(), tools_schema=[TOOL, {**TOOL, "name": "f", "default_execution_mode": "live"}]),
            ["tools_schema[1]"],
        )
    ],
    "no_tool_calls": [Shown(run_of(tools_schema=[TOOL]), ["calls"])],
    "call_without_receipt": [
        Shown(
            run_of(ok("g"), messages=[claim(), result()]),
            ["messages[0].tool_calls[0]"],
            'get_order with {"order_id": "4521"}',
        )
    ],
    "receipt_without_call": [Shown(run_of(ok(), ok("g"), messages=[claim(), result()]), ["calls[1]"], "g ")],
    "actor_outside_transcript": [
        Shown(run_of(ok(), A_REFUND, messages=[claim(), result()]), ["calls[1]"], "refund_agent")
    ],
    "tool_result_differs": [Shown(run_of(ok(), messages=[claim(), result(content="lost")]), ["messages[1]"], "“lost”")],
    "failure_hidden": [Shown(run_of(failed(), messages=[claim(), result()]), ["messages[1]"], "with 500")],
}

CLEAN: dict[str, list[Any]] = {
    "response_missing": [{"final_response": " "}, {"final_response": "x", "error_class": "boom"}],
    "response_cut": [{"final_response": "é" * 50_000}, {"final_response": None}],
    "run_failed": [
        {"final_response": "x", "status": "completed"},
        {"final_response": "", "status": "failed"},
        {"final_response": "x", "judge_passed": False},
        {"final_response": "x", "error": ENVELOPE},
        run_of(failed()),
    ],
    "answer_ungrounded": [run_of(ok(), answer="4521"), {"final_response": "4521"}],
    "answer_unverified": [run_of(failed(), ok("g")), {"final_response": "x"}],
    "rich_mode_dropped": [
        without_log(USER, soft_warnings=["messages[0] was bad"]),
        {"final_response": "x", "messages": [], "metadata": None},
        {"final_response": "x", "soft_warnings": 5, "metadata": {"soft_warnings": 5, "total_input_tokens": 1.0}},
        {"final_output": "x", "proxy_calls": 5},
    ],
    "arguments_undecoded": [run_of(ok(arguments='{"a": 1}'), ok(arguments=""), ok(arguments=None), "x")],
    "tool_call_id_duplicate": [without_log(claim("a"), claim("b")), without_log(claim(None), claim(None))],
    "tool_call_id_missing": [without_log(claim("a"), result("a")), without_log(USER)],
    "tool_result_orphan": [without_log(claim("a"), result("a"))],
    "tool_call_unanswered": [without_log(claim("a"), result("a"))],
    "unreadable_call": [run_of(ok(), {"lane": "telemetry"}, {"kind": "a", "intent": "b", "operation": "c"})],
    "unknown_source": [
        run_of(*(ok(source=s) for s in ("odyssey", "injected", "error", "passthrough", "transport_error", None)))
    ],
    "rule_index_inconsistent": [run_of(ok(), injected(0), injected(2), failed())],
    "validation_inconsistent": [run_of(ok(validation={"ok": True}), ok(source="passthrough", validation=None))],
    "call_failed": [
        run_of(STALE),
        run_of(STALE, {**STALE, "tool_name": "f"}),
        run_of(NO_TOKEN, {**NO_TOKEN, "tool_name": "f"}),
        run_of(LOCK),
        run_of(*[LOCK] * 4),
        run_of(injected()),
        run_of(failed(), ok()),
        run_of(NO_STOCK),
        run_of(*keyed(failed(401, "run_token_expired"), failed())),
    ],
    "stale_token": [run_of(failed(403, "run_token_expired")), run_of(NO_TOKEN), run_of(failed(401, "other"))],
    "token_missing": [run_of(STALE), run_of(failed(403, "run_token_missing")), run_of(failed(401))],
    "retry_exhausted": [run_of(*[LOCK] * 3), run_of(*[LOCK] * 4, ok()), run_of(*numbered(*[failed()] * 4))],
    "retry_gave_up": [run_of(*[LOCK] * 4), run_of(LOCK, ok()), run_of(failed(503)), run_of(failed())],
    "failure_injected": [run_of(failed(), NO_STOCK, ok())],
    "application_error": [
        run_of(NO_STOCK, ok()),
        run_of(failed(response={"error": "x"})),
        run_of(ok(response={"error": None})),
    ],
    "outcome_unknown": [
        run_of(failed(), STALE),
        run_of({"tool_name": "f", "error_class": "x"}),
        run_of({"tool_name": "f", "error": None}),
    ],
    "possible_duplicate_effect": [
        run_of(failed(), ok()),
        run_of(NO_ANSWER, ok(arguments={"n": 2})),
        run_of(*keyed(NO_ANSWER, ok())),
    ],
    "repeated_call": [
        run_of(failed(), ok()),
        run_of(ok(), ok(arguments={"n": 2}), ok("g"), ok(actor_id="a")),
        run_of(ok("f", None, lane="data"), ok("f", None)),
        run_of("x", "x"),
        run_of(NO_STOCK, NO_STOCK),
    ],
    "retry_over_budget": [run_of(*[BUSY] * 5), run_of(*numbered(*[BUSY] * 4))],
    "retried_terminal": [
        run_of(failed(), ok()),
        run_of(LOCK, ok()),
        run_of(*keyed(ok(), ok())),
        run_of(*keyed(injected(), ok())),
    ],
    "retry_wait_off_policy": [
        run_of(LOCK, ok()),
        run_of({**LOCK, "started_at": at(0), "latency_ms": 100}, {**ok(), "started_at": at(0.6)}),
        run_of({**LOCK, "started_at": at(0), "latency_ms": 0}, {**ok(), "started_at": at(0.875)}),
        run_of({**LOCK, "started_at": at(0), "latency_ms": 0}, {**ok(), "started_at": at(0.125)}),
        run_of(*keyed({**failed(), "started_at": at(0), "latency_ms": 0}, {**ok(), "started_at": at(9)})),
    ],
    "agent_retry": [
        run_of(LOCK, ok()),
        run_of(ok(), ok()),
        run_of(*keyed(failed(), ok())),
        run_of(failed(), ok(actor_id="a")),
    ],
    "envelope_invalid": [{"final_response": "x", "error": ENVELOPE}, run_of(ok(response={"error_class": "timeout"}))],
    "actor_undeclared": [
        run_of(A_REFUND, ok(actor_id="boss/refund_agent"), ok(), ok(actor_id="a//b"), **CATALOG),
        run_of(ok(actor_id="anyone")),
        run_of(ok(actor_id="anyone"), sub_agents=[]),
    ],
    "actor_malformed": [run_of(A_REFUND, ok(actor_id=" a/b "), ok(actor_id=""))],
    "actor_silent": [
        run_of(A_REFUND, BY_BILLING, **CATALOG),
        run_of(ok(actor_id="x")),
        run_of(A_REFUND, ok(actor_id="billing/sub"), **CATALOG),
    ],
    "actor_unattributed": [run_of(ok(), ok("g")), run_of(A_REFUND, BY_BILLING), run_of(A_REFUND, "x")],
    "actor_tool_not_owned": [
        run_of(A_REFUND, ok(actor_id="billing"), ok(actor_id="other"), ok(), **CATALOG),
        run_of(ok(actor_id="a//refund_agent"), ok(actor_id="refund_agent", lane="telemetry"), **CATALOG),
    ],
    "attribution_suspect": [
        run_of(ok(actor_id="refund_agent"), ok("issue_refund", actor_id="billing"), **CATALOG),
        run_of(
            {**A_REFUND, "started_at": at(0), "latency_ms": 100},
            ok("issue_refund", actor_id="b", started_at=at(0.1), latency_ms=100),
            sub_agents=[*CATALOG["sub_agents"], {"actor_id": "b", "tools": ["other"]}],
        ),
        run_of(
            ok("issue_refund", actor_id="billing", started_at=at(0), latency_ms=100),
            ok("issue_refund", actor_id="b", started_at=at(0), latency_ms=100),
            sub_agents=[*CATALOG["sub_agents"], {"actor_id": "b", "tools": ["other"]}],
        ),
    ],
    "tool_undeclared": [run_of(ok(), ok("g")), run_of(ok(), tools_schema=[TOOL]), run_of("x", tools_schema=[TOOL])],
    "arguments_invalid": [run_of(ok(), tools_schema=[TOOL]), run_of(ok(arguments={}))],
    "response_invalid": [run_of(ok(), tools_schema=[TOOL]), run_of(failed(response={}), tools_schema=[TOOL])],
    "wrong_family_source": [run_of(ok(), failed(), injected(), tools_schema=[TOOL])],
    "output_schema_missing": [run_of(ok(), tools_schema=[TOOL]), run_of(ok("g"), tools_schema=[TOOL])],
    "schema_invalid": [run_of(ok(), tools_schema=[TOOL])],
    "tool_binding_missing": [run_of(ok(), tools_schema=[TOOL])],
    "no_tool_calls": [run_of(), run_of(ok(), tools_schema=[TOOL]), without_log(USER, tools_schema=[TOOL])],
    "call_without_receipt": [run_of(ok(), messages=[claim(), result()]), without_log(claim(), result())],
    "receipt_without_call": [run_of(ok(), messages=[claim(), result()]), run_of(ok(), messages=[USER])],
    "actor_outside_transcript": [run_of({**ok(), "actor_id": "a"}, messages=[claim(), result()])],
    "tool_result_differs": [run_of(ok(), messages=[claim(), result()])],
    "failure_hidden": [run_of(failed(), messages=[claim(), result(content="error")])],
}
