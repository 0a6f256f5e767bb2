"""Runs that the component tests draw, by name. Each is `(run, original messages or None)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from app.components.actor_tree import ActorTreeData, build_actor_tree
from trace_store.model import (
    JSON,
    Actor,
    Call,
    Chain,
    Edge,
    Finding,
    Message,
    Path,
    Run,
    SoftWarning,
    ToolCall,
    Topology,
    View,
)

Case = tuple[Run, Sequence[JSON] | None]

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ"
    "RU5ErkJggg=="
)
EXACT_TEXTS = {
    "tab and CRLF": "a\tb\r\nc  d\n\n  e",
    "NBSP": "10\u00a0000 kr",
    "zero width": "zero\u200bwidth\ufeff",
    "RTL": "שלום abc \u202eevil\u202c end",
    "math": "costs $x$ or $y$ and :red[no]",
    "markup": "<img src=x onerror=\"document.title='owned'\"><script>document.title=1</script> **b** [l](javascript:1)",
    "backslashes": "\\n \\u0041 `code` ${x}",
}
CONTROL_TEXT = "nul\x00 esc\x1b[31mred\x1b[0m bell\x07 del\x7f lone\rreturn"
CONTROL_SHOWN = "nul␀ esc␛[31mred␛[0m bell␇ del␡ lone␍return"


def call(sequence: int, tool: str | None = "get_order", **fields: JSON) -> Call:
    """A logged call that was answered ok, unless `fields` say otherwise."""
    known: dict[str, JSON] = {
        "lane": "tool",
        "arguments": {},
        "arguments_decoded": True,
        "response": None,
        "source": "odyssey",
        "family": "simulated",
        "latency_ms": 412.0,
        "matched_rule_index": None,
        "validation": None,
        "status_code": 200,
        "error": None,
        "error_class": None,
        "envelope": None,
        "outcome": "ok",
        "retryable": False,
        "stale_token": False,
        "actor_id": None,
        "actor_status": "unattributed",
        "started_at": None,
        "idempotency_key": None,
        "chain": sequence,
        "attempt": 1,
    }
    return Call(sequence=sequence, tool_name=tool, **{**known, **fields})


def run(run_id: str, messages: list[Message] | None, **fields: JSON) -> Run:
    """A run of `messages`, answered with "done"."""
    known: dict[str, JSON] = {
        "format": "run-body",
        "final_response": "done",
        "final_response_cut": 0,
        "response_error": None,
    }
    view: View = "rich" if messages else "thin"
    return Run(run_id=run_id, view=view, failed=fields.pop("failed", False), messages=messages, **{**known, **fields})


def card() -> Case:
    """A retried call that recovered, a dropped message, a tool call without a receipt, an injected failure."""
    shipped = {"status": "shipped", "shipped_at": "2026-04-01"}
    busy = {"detail": {"error_class": "lock_contention", "message": "a sibling call holds the lock"}}
    actor: dict[str, JSON] = {"actor_id": "supervisor/refund_agnt", "actor_status": "undeclared"}
    failed: dict[str, JSON] = {
        **actor,
        "chain": 0,
        "outcome": "failed",
        "retryable": True,
        "status_code": 503,
        "source": None,
    }
    messages = [
        Message(0, "user", "Refund order #4521, it never arrived."),
        Message(1, "assistant", None, tool_calls=[ToolCall("c1", "get_order", {"order_id": "4521"}, receipt=2)]),
        Message(
            2,
            "tool",
            '{"status": "shipped", "shipped_at": "2026-04-01"}',
            "c1",
            answers=Path("messages[1].tool_calls[0]"),
        ),
        Message(
            4,
            "assistant",
            "It is shipped. I refund it.",
            tool_calls=[
                ToolCall("c2", "issue_refund", {"order_id": "4521", "amount": 79.5}),
                ToolCall(
                    "c3",
                    "notify",
                    {"to": "the customer", "text": "Your refund is on its way. " * 4},
                    receipt=3,
                    index=1,
                ),
            ],
        ),
        Message(5, "tool", '{"success": true}', "c2", answers=Path("messages[4].tool_calls[0]")),
        Message(6, "tool", "sent", "c3", answers=Path("messages[4].tool_calls[1]")),
        Message(7, "assistant", "The refund of $79.50 has been issued for order #4521."),
    ]
    calls = [
        call(0, arguments={"order_id": "4521"}, error_class="lock_contention", error=busy, latency_ms=120.0, **failed),
        call(
            1,
            arguments={"order_id": "4521"},
            error_class="lock_contention",
            error=busy,
            latency_ms=100.0,
            **{**failed, "attempt": 2},
        ),
        call(2, arguments={"order_id": "4521"}, response=shipped, **{**actor, "chain": 0, "attempt": 3}),
        call(
            3,
            "notify",
            chain=1,
            source="injected",
            outcome="injected_failure",
            matched_rule_index=0,
            status_code=500,
            error="the mail server is down",
            actor_id="supervisor",
            actor_status="declared",
        ),
        call(4, "check_policy", chain=2, arguments={"order_id": "4521"}, response={"eligible": True}, **actor),
    ]
    chains = [
        Chain(0, "get_order", actor["actor_id"], [0, 1, 2], "recovered", error_classes=["lock_contention"],
              waits_ms=[480.0, 1200.0], wasted_ms=1900.0),
        Chain(1, "notify", "supervisor", [3], "failed"),
        Chain(2, "check_policy", actor["actor_id"], [4], "succeeded"),
    ]  # fmt: skip
    reason = 'role "developer" is not one of system, user, assistant, tool'
    findings = [
        Finding("call_without_receipt", "error", Path("messages[4].tool_calls[0]"), "The log has no such call.", "R36"),
        Finding(
            "failure_hidden",
            "warning",
            Path("messages[6]"),
            "The receipt failed, the message says nothing of it.",
            "R36",
        ),
        Finding("failure_injected", "info", Path("calls[3]"), "Deliberate, by rule 0.", "R20"),
        Finding("answer_ungrounded", "info", Path("final_response"), "$79.50 stands in no receipt.", "R37"),
    ]
    built = run(
        "run_81",
        messages,
        final_response="The refund of $79.50 has been issued for order #4521.",
        has_log=True,
        calls=calls,
        chains=chains,
        findings=findings,
        warnings=[
            SoftWarning("import", Path("messages[3]"), reason, "dropped"),
            SoftWarning("import", Path("messages[1].thinking"), "not an array"),
        ],
        actors=[Actor("supervisor/refund_agnt", "supervisor", "undeclared", suggestion="refund_agent")],
    )
    return built, [
        None,
        None,
        None,
        {"role": "developer", "content": "Be brief. <b>9007199254740993</b>", "n": 9007199254740993},
    ]


def exact() -> Case:
    """Texts that must come through unchanged, one a message, and one with control characters."""
    texts = [*EXACT_TEXTS.values(), CONTROL_TEXT]
    return run("exact", [Message(n, "user", text) for n, text in enumerate(texts)]), None


def parts() -> Case:
    """Array contents, thinking, other fields, undecoded arguments, parallel calls without ids."""
    content = [
        {"type": "text", "text": "Look at this:"},
        {"type": "image_url", "image_url": {"url": PIXEL}},
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
        {"type": "audio", "seconds": 1.0, "id": 12345678901234567890},
        "a bare string",
    ]
    calls = [
        ToolCall(None, "search", '{"q": "unclosed', arguments_decoded=False),
        ToolCall(None, "search", [1, 2], arguments_decoded=False, index=1),
        ToolCall(None, "ping", None, index=2, extra={"type": "function"}),
    ]
    messages = [
        Message(0, "system", "Rules.\n" * 40),
        Message(1, "user", content, extra={"name": "ann", "locale": "sv"}),
        Message(
            2,
            "assistant",
            "",
            tool_calls=calls,
            thinking=[{"type": "thinking", "thinking": "hidden plan", "signature": "abc"}],
        ),
        Message(3, "tool", "found", answers=Path("messages[2].tool_calls[0]"), extra={"name": "search"}),
        Message(4, "tool", [{"type": "text", "text": "second"}], answers=Path("messages[2].tool_calls[1]")),
        Message(5, "tool", None, "nobody-asked"),
    ]
    return run("parts", messages), None


def unlinked() -> Case:
    """A log beside a transcript that pairs with none of it."""
    built, raw = card()
    messages = [
        replace(m, tool_calls=m.tool_calls and [replace(c, receipt=None) for c in m.tool_calls])
        for m in built.messages or []
    ]
    return replace(built, run_id="unlinked", messages=messages, findings=[]), raw


def steps() -> Case:
    """A multi-agent log of steps: many calls, no tool call in the transcript."""
    names = ["Orchestrator", "WebSurfer", "Assistant"]
    messages = [
        Message(n, "assistant", f"Step {n}. " + "Words go by. " * (n % 7), extra={"name": names[n % 3]})
        for n in range(90)
    ]
    calls = [
        call(n, "say", arguments={"step": n}, latency_ms=None, actor_id=names[n % 3],
             actor_status="undeclared" if n % 3 == 2 else "declared",
             **({"outcome": "failed", "status_code": 500, "error": "boom"} if n == 60 else {"status_code": None}))
        for n in range(90)
    ]  # fmt: skip
    chains = [Chain(n, "say", names[n % 3], [n], "failed" if n == 60 else "succeeded") for n in range(90)]
    return run("steps", messages, has_log=True, calls=calls, chains=chains), None


def split() -> Case:
    """Two tool calls that share one chain of the log, for the caller retried by itself (R36); a label and a source
    that are words of the browser's own language."""
    messages = [
        Message(0, "assistant", None, tool_calls=[ToolCall("a", "t", {}, receipt=0)]),
        Message(1, "assistant", None, tool_calls=[ToolCall("b", "t", {}, receipt=2)]),
    ]
    odd = {"actor_id": "constructor", "actor_status": "undeclared", "source": "constructor", "chain": 0}
    calls = [
        call(0, "t", outcome="failed", status_code=503, **odd),
        call(1, "t", outcome="failed", status_code=503, attempt=2, **odd),
        call(2, "t", response={"a": 1}, attempt=3, **odd),
    ]
    chains = [Chain(0, "t", "constructor", [0, 1, 2], "recovered", waits_ms=[100.0, None], wasted_ms=900.0)]
    return run("split", messages, has_log=True, calls=calls, chains=chains), None


def behind() -> Case:
    """A paired call whose answer is not what its receipt says, and an actor that works outside the transcript."""
    messages = [
        Message(0, "assistant", None, tool_calls=[ToolCall("a", "ask", {}, receipt=0)]),
        Message(1, "tool", "yes", "a", answers=Path("messages[0].tool_calls[0]")),
    ]
    calls = [
        call(0, "ask", response={"answer": "no"}, actor_id="desk", actor_status="declared"),
        call(1, "score", actor_id="fraud", actor_status="declared"),
    ]
    chains = [Chain(0, "ask", "desk", [0], "succeeded"), Chain(1, "score", "fraud", [1], "succeeded")]
    findings = [Finding("tool_result_differs", "info", Path("messages[1]"), "The model was told yes.", "R36")]
    return run("behind", messages, has_log=True, calls=calls, chains=chains, findings=findings), None


def thin() -> Case:
    """Nothing of the messages survived; the log did."""
    built, _ = card()
    warnings = [
        SoftWarning("export", None, "transcript not collected"),
        SoftWarning("import", Path("messages[0]"), "the entry is not an object", "dropped"),
        SoftWarning("import", Path("messages[1]"), "content is a number", "dropped"),
    ]
    return (
        replace(built, run_id="thin", messages=None, view="thin", warnings=warnings, findings=[]),
        ["just a string", {"role": "user", "content": 7}],
    )


def failed_run() -> Case:
    """No messages, no log, no answer."""
    return run("failed", None, final_response=None, response_error="ResponseShapeError", error_class="agent_timeout",
               error={"message": "no answer in 120 s"}, failed=True), None  # fmt: skip


def long() -> Case:
    """Texts that are folded: 61,234 characters of text, a large JSON answer, a cut final answer."""
    text = ("word " * 12_246) + "last"
    listing = {"rows": [{"id": n, "name": f"row {n}", "price": 1.0} for n in range(400)]}
    rows = "[" + ",".join(f'{{"id":{n},"price":1.50}}' for n in range(400)) + "]"
    messages = [
        Message(0, "user", text),
        Message(1, "assistant", None, tool_calls=[ToolCall("a", "list_rows", listing)]),
        Message(2, "tool", rows, "a", answers=Path("messages[1].tool_calls[0]")),
    ]
    return run("long", messages, final_response="x" * 50_000 + "…[truncated]", final_response_cut=1234), None


def big() -> Case:
    """10,000 messages with 5,000 calls, each with its receipt."""
    messages: list[Message] = []
    calls: list[Call] = []
    chains: list[Chain] = []
    words = "the quick brown fox jumps over the lazy dog and finds an order that was shipped late "
    for n in range(5000):
        arguments = {"order_id": f"{n:05}", "fields": ["status", "total", "items"]}
        response = {"status": "shipped", "total": n / 4, "note": words * (1 + n % 4)}
        failed = n % 500 == 499
        messages.append(
            Message(2 * n, "assistant", f"Step {n}: {words * (1 + n % 3)}",
                    tool_calls=[ToolCall(f"c{n}", "get_order", arguments, receipt=n)])
        )  # fmt: skip
        text = '{"error": "not found"}' if failed else str(response).replace("'", '"')
        messages.append(Message(2 * n + 1, "tool", text, f"c{n}", answers=Path(f"messages[{2 * n}].tool_calls[0]")))
        outcome: dict[str, JSON] = (
            {"outcome": "failed", "status_code": 500, "error": "not found", "source": "error"} if failed else {}
        )
        calls.append(
            call(n, arguments=arguments, response=None if failed else response, latency_ms=float(n % 900), **outcome)
        )
        chains.append(Chain(n, "get_order", None, [n], "failed" if failed else "succeeded"))
    messages[-1].content = "the needle at the end"
    return run("big", messages, has_log=True, calls=calls, chains=chains), None


RUNS: dict[str, Callable[[], Case]] = {
    builder.__name__: builder
    for builder in (card, exact, parts, unlinked, steps, split, behind, thin, failed_run, long, big)
}


def small_tree() -> ActorTreeData:
    """A node of every status, a silent one, and hand-offs of every kind."""
    actors = [
        Actor("supervisor", None, "declared", calls=1, subtree_calls=7, subtree_failed=3, subtree_latency_ms=2400.0,
              tools=["plan"], subtree_error_classes={"lock_contention": 2, "run_token_expired": 1}),
        Actor("supervisor/refund_agent", "supervisor", "declared", calls=4, failed=1, subtree_calls=4,
              subtree_failed=1, subtree_latency_ms=1600.0, tools=["get_order", "issue_refund"],
              subtree_error_classes={"lock_contention": 1}),
        Actor("supervisor/refund_agnt", "supervisor", "undeclared", calls=2, failed=2, subtree_calls=2,
              subtree_failed=2, subtree_latency_ms=800.0, tools=["get_order"], suggestion="refund_agent",
              subtree_error_classes={"lock_contention": 1, "run_token_expired": 1}),
        Actor("billing_agent", None, "declared", silent=True),
        Actor("team", None, "structural", subtree_calls=1),
        Actor("team/worker", "team", "unchecked", calls=1, subtree_calls=1),
        Actor("bad//<b>label</b>", None, "malformed", calls=1, subtree_calls=1, subtree_latency_ms=3.5),
        Actor(None, None, "unattributed", calls=3, subtree_calls=3),
    ]  # fmt: skip
    edges: list[Edge] = [
        {"from": "supervisor", "to": "refund_agent", "kind": "declared", "reason": None},
        {"from": "supervisor", "to": "billing_agent", "kind": "declared", "reason": None},
        {"from": "supervisor", "to": "refund_agent", "kind": "observed", "reason": "refund asked"},
        {"from": "supervisor", "to": "refund_agent", "kind": "observed", "reason": "again"},
        {"from": "refund_agent", "to": "stranger", "kind": "observed", "reason": None},
    ]
    return build_actor_tree(actors, Topology(entry="supervisor", edges=edges))


def large_tree() -> ActorTreeData:
    """5,051 nodes: 50 teams of 100 workers under one root, one of them undeclared."""
    actors = [Actor("root", None, "declared", subtree_calls=5000)]
    for team in range(50):
        actors.append(Actor(f"root/team_{team:02}", "root", "structural", subtree_calls=100))
        for worker in range(100):
            path = f"root/team_{team:02}/worker_{team:02}_{worker:02}"
            status = "undeclared" if (team, worker) == (31, 7) else "declared"
            actors.append(Actor(path, f"root/team_{team:02}", status, calls=1, subtree_calls=1))  # type: ignore[arg-type]
    return build_actor_tree(actors, Topology())


TREES: dict[str, Callable[[], ActorTreeData]] = {builder.__name__: builder for builder in (small_tree, large_tree)}
