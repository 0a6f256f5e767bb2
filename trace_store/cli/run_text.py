"""A run as text for a terminal: what `show` prints, in the order in which a reviewer reads."""

from __future__ import annotations

import json
from collections.abc import Iterator

from trace_store.cli.output import plain, visible
from trace_store.model import JSON, Actor, Call, Finding, Message, Run

INDENT = "    "
SEVERITIES = ("error", "warning", "info")
"""As they weigh: what matters most is read first."""


def format_run(run: Run) -> Iterator[str]:
    """Return the lines of the text, without their ends."""
    yield from _head(run)
    yield from _indent_section("Answer", _answer(run))
    yield from _indent_section("Warnings", (f"{w.origin}  {w.path or '–'}  {w.reason}" for w in run.warnings))
    yield from _indent_section("Findings", _findings(run.findings))
    yield from _indent_section("Transcript", _transcript(run.messages or []))
    yield from _indent_section("Calls", (line for call in run.calls for line in _call(run, call)))
    yield from _indent_section("Actors", (_actor(actor) for actor in run.actors))
    yield from _indent_section("Events", (f"{e.at or '–'}  {e.lane}  {e.kind}  {_json(e.payload)}" for e in run.events))


def _indent_section(title: str, lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == 0:
            yield from ("", title)
        yield INDENT + visible(line).replace("\n", f"\n{INDENT}")


def _head(run: Run) -> Iterator[str]:
    yield visible(run.run_id)
    verdict = None if run.judge_passed is None else "passed" if run.judge_passed else "not passed"
    facts: dict[str, JSON] = {
        "status": run.status,
        "judge": verdict,
        "failed": "yes" if run.failed else None,
        "error class": run.error_class,
        "error": run.error,
        "view": run.view,
        "model": (run.metadata or {}).get("model"),
        "task": run.task_id,
        "scenario": run.scenario,
        "check": run.check_id,
        "agent": run.agent_id,
        "started": run.started_at,
        "from": ": ".join(part for part in (run.file, run.place) if part),
    }
    if run.boundary:
        facts["first failed at"] = f"{run.boundary.stage}, {run.boundary.path}: {run.boundary.reason}"
        facts["what may be done"] = run.boundary.recovery
    yield from (f"{INDENT}{name}: {plain(value)}" for name, value in facts.items() if value not in (None, ""))


def _answer(run: Run) -> Iterator[str]:
    yield run.response_error or "" if run.final_response is None else run.final_response
    if run.final_response_cut:
        yield f"({run.final_response_cut:,} more characters are in the raw document)"


def _findings(findings: list[Finding]) -> Iterator[str]:
    for one in sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)):
        yield f"{one.severity}  {one.kind}  {one.path}  {one.message} ({one.rule})"


def _transcript(messages: list[Message]) -> Iterator[str]:
    for message in messages:
        answers = f" to {message.tool_call_id}" if message.tool_call_id else ""
        yield f"[{message.index}] {message.role}{answers}"
        for thought in message.thinking or ():
            yield f"{INDENT}(thinking) {_json(thought)}"
        if message.content is not None:
            yield INDENT + (message.content if isinstance(message.content, str) else _json(message.content))
        for result in message.tool_results:
            yield f"{INDENT}part {result.part} answers {result.answers or 'no tool call'}"
        for tool_call in message.tool_calls or ():
            receipt = "" if tool_call.receipt is None else f"  = calls[{tool_call.receipt}]"
            yield f"{INDENT}asks {tool_call.name} {_json(tool_call.arguments)}{receipt}"


def _call(run: Run, call: Call) -> Iterator[str]:
    attempt = f"attempt {call.attempt} of {len(run.chains[call.chain].calls)}"
    latency = None if call.latency_ms is None else f"{plain(call.latency_ms)} ms"
    rule = None if call.matched_rule_index is None else f"rule {call.matched_rule_index}"
    facts = (call.outcome, call.status_code, call.error_class, call.source, latency, rule, attempt)
    text = "  ".join(str(fact) for fact in facts if fact is not None)
    yield f"[{call.sequence}] {call.actor_id or '(unattributed)'}  {call.tool_name or '(unreadable)'}  {text}"
    yield f"{INDENT}sent {_json(call.arguments)}"
    yield f"{INDENT}got  {_json(call.response if call.error is None else call.error)}"


def _actor(actor: Actor) -> str:
    depth = (actor.path or "").count("/")
    name = actor.path or "(unattributed)"
    figures = f"calls {actor.calls}, failed {actor.failed}"
    hint = f", did you mean {actor.suggestion}?" if actor.suggestion else ""
    return f"{'  ' * depth}{name}  {actor.status}{' silent' if actor.silent else ''}  {figures}{hint}"


def _json(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False)
