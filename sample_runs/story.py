"""How a sample run is told: a clock, a transcript and a proxy log that agree with each other.

A story is written forward: who says what, which tool is asked, what the proxy answered. Times, latencies, retry waits
and token counts follow from a random generator seeded with the run's id, so that changing one story never moves
another. Faults are told too: what the transcript claims and what the log holds can be set apart on purpose.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

JSON = Any

BASE_WAIT_S, MAX_WAIT_S = 0.5, 4.0  # R26
AS_ANSWERED = object()
"""The default of `Ask.told`: the model is given what the proxy answered."""


@dataclass(frozen=True)
class Answer:
    """One answer of the proxy: the fields of its log entry, and how long it took (milliseconds, from and to)."""

    fields: dict[str, JSON]
    took_ms: tuple[float, float] = (90, 800)

    def told(self) -> JSON:
        """Return what a well-behaved tool body hands to the model: the payload, or the class of the error."""
        if self.fields.get("response") is not None:
            return self.fields["response"]
        error = self.fields.get("error")
        detail = error.get("detail") if isinstance(error, dict) else None
        known = detail.get("error_class") if isinstance(detail, dict) else None
        return {"error": known or "tool_call_failed"}


def ok(response: JSON, **more: JSON) -> Answer:
    """Return an answer of the simulator: `source` odyssey, with the validation that only it carries."""
    validation = {"output_schema": "passed", "regenerations": 0}
    return Answer(_envelope(response, source="odyssey", validation=validation, status_code=200) | more)


def live(response: JSON, **more: JSON) -> Answer:
    """Return an answer of a live endpoint through the proxy."""
    return Answer(_envelope(response, source="passthrough", status_code=200) | more, (180, 2400))


def injected(rule: int, response: JSON) -> Answer:
    """Return an answer of a failure rule: an HTTP 200 whose payload is the failure."""
    return Answer(_envelope(response, source="injected", matched_rule_index=rule, status_code=200), (5, 40))


def failed(status: int, error_class: str | None = None, message: str = "", *, source: str = "error") -> Answer:
    """Return a refusal or failure of the proxy. Without a class the error body is the legacy plain text."""
    detail: JSON = {"error_class": error_class, "message": message} if error_class else message
    body = _envelope(None, source=source, status_code=status, error={"detail": detail})
    return Answer(body, (8, 60) if status < 500 else (20, 240))


def no_answer(took_ms: float, **more: JSON) -> Answer:
    """Return a live hop that never came back: the effect may or may not have happened."""
    return Answer(_envelope(None, source="transport_error", status_code=None) | more, (took_ms, took_ms))


def _envelope(response: JSON, *, source: str | None, status_code: int | None, **more: JSON) -> dict[str, JSON]:
    fields = {"response": response, "source": source, "matched_rule_index": None, "validation": None}
    return fields | more | {"status_code": status_code}


@dataclass(frozen=True)
class Ask:
    """One tool call: what is asked, and the answer to each attempt in turn.

    `told` is what the tool message says; None means that no tool message follows. `written` is the call's
    arguments as the transcript holds them, where they differ from what was sent. `fields` join each log entry.
    `waits_s` replaces the waits that the retry policy would draw.
    """

    tool: str
    arguments: JSON
    answers: tuple[Answer, ...]
    actor: str | None = None
    told: JSON = AS_ANSWERED
    written: JSON = AS_ANSWERED
    fields: dict[str, JSON] = field(default_factory=dict)
    waits_s: tuple[float, ...] | None = None
    call_id: str | None = None
    numbered: bool = False

    def to_model(self) -> str | None:
        """Return the text of the tool message."""
        told = self.answers[-1].told() if self.told is AS_ANSWERED else self.told
        return told if told is None or isinstance(told, str) else json.dumps(told, ensure_ascii=False)


def ask(tool: str, arguments: JSON, *answers: Answer, **more: Any) -> Ask:
    """Return an `Ask`, with its answers as arguments."""
    return Ask(tool, arguments, answers, **more)


class Story:
    """One run as it unfolds. Times are UTC; the clock moves with everything that happens."""

    def __init__(self, run_id: str, shows: str, *, started: str, **facts: JSON) -> None:
        """`shows` is the sentence for the table of samples; `facts` are keys of the run body."""
        self.run_id = run_id
        self.shows = shows
        self.random = random.Random(run_id)
        self.began = self.now = datetime.fromisoformat(started).replace(tzinfo=UTC)
        self.facts = facts
        self.messages: list[JSON] = []
        self.log: list[JSON] = []
        self.trace_events: list[JSON] = []
        self.telemetry: list[JSON] = []
        self.tokens_in = self.tokens_out = 0
        self.body: JSON = None

    # --- the transcript -------------------------------------------------------------------------------------------

    def system(self, text: str) -> None:
        self.messages.append({"role": "system", "content": text})

    def user(self, content: str | list[JSON]) -> None:
        self.messages.append({"role": "user", "content": content})

    def says(self, text: str, *, thinking: str | None = None) -> None:
        """Let the assistant speak without asking for a tool."""
        self._speaks({"role": "assistant", "content": text}, thinking)

    def turn(self, *asks: Ask, says: str | None = None, thinking: str | None = None) -> None:
        """Let the assistant ask for one or several tools at once; the log and the tool messages follow."""
        calls: list[dict[str, JSON]] = []
        for one in asks:
            written = one.arguments if one.written is AS_ANSWERED else one.written
            calls.append({"id": one.call_id or self._next_id(calls), "name": one.tool, "arguments": written})
        self._speaks({"role": "assistant", "content": says, "tool_calls": calls}, thinking)
        self.behind(*asks)
        for call, one in zip(calls, asks, strict=True):
            text = one.to_model()
            if text is not None:
                self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})

    def call(self, tool: str, arguments: JSON, *answers: Answer, **more: Any) -> None:
        """Add a turn with one call."""
        says, thinking = more.pop("says", None), more.pop("thinking", None)
        self.turn(ask(tool, arguments, *answers, **more), says=says, thinking=thinking)

    def claims(self, tool: str, arguments: JSON, told: JSON) -> None:
        """Add a call to the transcript that the proxy never saw."""
        self.turn(ask(tool, arguments, told=told))

    def _next_id(self, siblings: Sequence[JSON]) -> str:
        so_far = sum(len(message.get("tool_calls") or ()) for message in self.messages if isinstance(message, dict))
        return f"call_{so_far + len(siblings) + 1}"

    def _speaks(self, message: dict[str, JSON], thinking: str | None) -> None:
        if thinking:
            message["thinking"] = [{"type": "thinking", "thinking": thinking}]
        self.tokens_in += len(json.dumps(self.messages, ensure_ascii=False)) // 4
        self.tokens_out += len(json.dumps(message, ensure_ascii=False)) // 4
        self.wait(self.random.uniform(0.6, 2.4))
        self.messages.append(message)

    # --- the log --------------------------------------------------------------------------------------------------

    def behind(self, *asks: Ask) -> None:
        """Add calls to the log alone, all begun at once; each attempt is logged when it ends."""
        ended = []
        for place, one in enumerate(asks):
            at = self.now + timedelta(milliseconds=7 * place)
            for attempt, answer in enumerate(one.answers):
                latency_ms = round(self.random.uniform(*answer.took_ms), 1)
                entry = {"tool_name": one.tool, "arguments": one.arguments, **answer.fields}
                entry |= {"latency_ms": latency_ms, "started_at": stamp(at)} | one.fields
                if one.actor is not None:
                    entry["actor_id"] = one.actor
                if one.numbered:
                    entry["attempt"] = attempt + 1
                end = at + timedelta(milliseconds=latency_ms)
                ended.append((end, entry))
                at = end + timedelta(seconds=self._wait_after(one, attempt))
        ended.sort(key=lambda pair: pair[0])
        self.log += [entry for _, entry in ended]
        self.now = max([self.now, *(end for end, _ in ended)])

    def _wait_after(self, one: Ask, attempt: int) -> float:
        if one.waits_s is not None and attempt < len(one.waits_s):
            return one.waits_s[attempt]
        return min(BASE_WAIT_S * 2.0**attempt, MAX_WAIT_S) * self.random.uniform(0.8, 1.2)

    # --- beside the calls -----------------------------------------------------------------------------------------

    def event(self, event_type: str, payload: JSON) -> None:
        """Add a trace event, numbered in order (R31)."""
        sequence = len(self.trace_events) + 1
        entry = {"event_type": event_type, "payload": payload, "sequence": sequence, "__occurred_at": stamp(self.now)}
        self.trace_events.append(entry)

    def hands_off(self, source: str, target: str, reason: str | None = None) -> None:
        payload = {"from_sub_agent": source, "to_sub_agent": target}
        self.event("handoff", payload | ({"reason": reason} if reason else {}))
        self.wait(0.05)

    def notes(self, kind: str, payload: JSON, *, actor: str | None = None, step: str | None = None) -> None:
        """Add a telemetry record (R31)."""
        entry = {"kind": kind, "payload": payload, "step_ref": step, "actor_id": actor, "occurred_at": stamp(self.now)}
        self.telemetry.append({key: value for key, value in entry.items() if value is not None})

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    # --- the end --------------------------------------------------------------------------------------------------

    def answers(self, text: JSON, **facts: JSON) -> Story:
        """Add the final answer, which is also the last message, and finish `body`. `facts` win over all else."""
        if self.messages and isinstance(text, str) and text:
            self.says(text)
        runtime_ms = round((self.now - self.began).total_seconds() * 1000)
        metadata = {
            "model": "heron-2-large",
            "total_input_tokens": self.tokens_in,
            "total_output_tokens": self.tokens_out or len(str(text)) // 4,
            "agent_runtime_ms": runtime_ms,
        }
        body: dict[str, JSON] = {"run_id": self.run_id, "status": "completed", "started_at": stamp(self.began)}
        body |= {"run_token_jti": f"jti-{self.random.getrandbits(40):010x}"}
        body |= self.facts
        body |= {"final_response": text, "messages": self.messages, "metadata": metadata | body.pop("metadata", {})}
        body |= {"proxy_calls": self.log, "trace_events": self.trace_events, "telemetry": self.telemetry}
        for key in ("messages", "proxy_calls", "trace_events", "telemetry"):
            if not body[key]:
                del body[key]
        self.body = {key: value for key, value in (body | facts).items() if value is not LEFT_OUT}
        return self


LEFT_OUT = object()
"""As a fact: the body does not have this key."""


def stamp(at: datetime) -> str:
    """Return a time as the log writes it: UTC, to the millisecond."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def tool(name: str, description: str, takes: str, gives: str | None, mode: str | None = None, **more: JSON) -> JSON:
    """Return an entry of `tools_schema` (R33). `takes`, `gives`: properties, as `order_id amount:number reason?`."""
    entry: dict[str, JSON] = {"name": name, "description": description, "input_schema": _schema(takes)}
    entry["input_schema"]["additionalProperties"] = False
    if gives is not None:
        entry["output_schema"] = _schema(gives)
    if mode is not None:
        entry["default_execution_mode"] = mode
    return entry | more


def _schema(properties: str) -> dict[str, JSON]:
    words = [(word.rstrip("?").partition(":"), word.endswith("?")) for word in properties.split()]
    return {
        "type": "object",
        "properties": {name: {"type": kind or "string"} for (name, _, kind), _ in words},
        "required": [name for (name, _, _), optional in words if not optional],
    }
