"""Seeded runs that look like real ones: a transcript, its proxy log, sub-agents, retries and a mix of errors.

    python -m benchmarks.generate --runs 1000 --messages 20 --calls 12 --seed 1 > runs.jsonl

Run n of a seed is always the same, whatever else is generated.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Any

import orjson

_START = datetime(2026, 3, 1, tzinfo=UTC)
# Words that look like a language, the frequent ones first.
_SYLLABLES = [
    "ba",
    "de",
    "fi",
    "go",
    "ku",
    "la",
    "me",
    "no",
    "pri",
    "ra",
    "sto",
    "tu",
    "ven",
    "wi",
    "zel",
    "char",
    "dor",
]
_FREQUENT = ["the", "order", "was", "to", "and", "of", "for", "please", "a", "not", "is", "in", "your", "on", "with"]
_NOUNS = ["order", "invoice", "refund", "shipment", "customer", "ticket", "payment", "account", "flight", "booking"]
_TOOLS = [f"{verb}_{noun}" for noun in _NOUNS for verb in ("get", "list", "update")]
_ACTORS = ["supervisor", *(f"supervisor/{name}_agent" for name in ("refund", "billing", "travel", "support"))]
_MODELS = ["gpt-5-mini", "gpt-5", "claude-sonnet-4-5", "claude-haiku-4-5", "gemini-2.5-pro"]
_SYSTEM = "You are a support agent. "

# What a failing attempt says: source, status, class, retryable; and how often it is drawn.
_FAILURES: list[tuple[tuple[str, int | None, str | None, bool], int]] = [
    (("error", 503, "lock_contention", True), 30),
    (("error", 503, "context_store_unavailable", True), 10),
    (("error", 429, None, True), 15),
    (("injected", 503, None, False), 15),
    (("injected", 422, None, False), 8),
    (("error", 422, None, False), 8),
    (("error", 404, "run_not_registered", False), 3),
    (("error", 401, "run_token_expired", False), 5),
    (("transport_error", None, None, False), 6),
]
_FAILING = [failure for failure, _ in _FAILURES]
_FAILING_WEIGHTS = list(accumulate(weight for _, weight in _FAILURES))


def _vocabulary() -> tuple[list[str], list[float]]:
    rng = random.Random("vocabulary")
    rare = ["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) for _ in range(4000)]
    words = [*_FREQUENT, *_NOUNS, *rare]
    return words, list(accumulate(1 / (rank + 3) for rank in range(len(words))))  # as words are in any language


_WORDS, _WORD_WEIGHTS = _vocabulary()


def runs(count: int, *, messages: int = 20, calls: int = 12, seed: int = 1, first: int = 0) -> Iterator[dict[str, Any]]:
    """Yield `count` run bodies with that many messages and logged calls each, from number `first` on."""
    for number in range(first, first + count):
        yield run(number, messages=messages, calls=calls, seed=seed)


def run(number: int, *, messages: int = 20, calls: int = 12, seed: int = 1) -> dict[str, Any]:
    """Run `number` of `seed`, as an export carries it."""
    rng = random.Random(f"{seed}:{number}")
    log = _log(rng, calls, _START + timedelta(seconds=40 * number))
    transcript = _transcript(rng, log, messages)
    thin = rng.random() < 0.03
    body: dict[str, Any] = {
        "run_id": f"run-{seed}-{number:07d}",
        "task_id": f"task-{number % 400}",
        "check_id": f"check-{number // 2000}",
        "scenario": f"{rng.choice(_NOUNS)} scenario {number % 40}",
        "agent_id": f"agent-{number % 6}",
        "status": rng.choices(["completed", "failed", "timeout"], [92, 5, 3])[0],
        "judge_passed": rng.random() < 0.7,
        "final_response": "" if rng.random() < 0.02 else _answer(rng, log),
        "messages": None if thin else transcript,
        "metadata": {
            "model": _MODELS[number % len(_MODELS)],
            "system_prompt_id": f"prompt-{number % 12}",
            "total_input_tokens": rng.randint(4_000, 60_000),
            "total_output_tokens": rng.randint(200, 6_000),
            "agent_runtime_ms": round(rng.uniform(3_000, 90_000), 1),
        },
        "started_at": log[0]["started_at"] if log else None,
        "sub_agents": [{"actor_id": actor.rpartition("/")[2]} for actor in _ACTORS],
        "tools_schema": [_declared(name) for name in sorted({entry["tool_name"] for entry in log})],
        "proxy_calls": log,
    }
    if rng.random() < 0.05:
        body["soft_warnings"] = ["messages[3]: content was not a string"]
    return body


def _log(rng: random.Random, calls: int, clock: datetime) -> list[dict[str, Any]]:
    log: list[dict[str, Any]] = []
    while len(log) < calls:
        tool = rng.choice(_TOOLS)
        actor = rng.choice(_ACTORS) if rng.random() < 0.985 else "supervisor/refnd_agent"
        arguments = _arguments(rng)
        attempt = 0
        while len(log) < calls:
            failing = rng.choices(_FAILING, cum_weights=_FAILING_WEIGHTS)[0] if rng.random() < 0.12 else None
            latency_ms = round(rng.lognormvariate(6, 0.7), 2)
            log.append(_entry(rng, tool, actor, arguments, failing, latency_ms, clock))
            clock += timedelta(milliseconds=latency_ms + rng.uniform(0.8, 1.2) * 500 * 2**attempt)
            attempt += 1
            if failing is None or not failing[3] or attempt == 4:
                break
    return log


def _entry(
    rng: random.Random,
    tool: str,
    actor: str,
    arguments: dict[str, Any],
    failing: tuple[str, int | None, str | None, bool] | None,
    latency_ms: float,
    clock: datetime,
) -> dict[str, Any]:
    source, status, error_class, _ = failing or (rng.choice(["odyssey", "odyssey", "passthrough"]), 200, None, False)
    entry: dict[str, Any] = {
        "tool_name": tool,
        "arguments": arguments,
        "response": _response(rng, arguments) if failing is None else None,
        "source": source,
        "latency_ms": latency_ms,
        "matched_rule_index": rng.randint(0, 3) if source == "injected" else None,
        "validation": None,
        "actor_id": actor,
        "started_at": clock.isoformat(timespec="milliseconds"),
        "status_code": status,
    }
    if error_class:
        entry["error"] = {"detail": {"error_class": error_class, "message": _sentence(rng, 8)}}
    elif failing is not None:
        entry["error"] = _sentence(rng, 6)
    return entry


def _transcript(rng: random.Random, log: list[dict[str, Any]], messages: int) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = []
    for entry in log:  # the attempts of one call are one call of the transcript
        if not (asked and (asked[-1]["tool_name"], asked[-1]["arguments"]) == (entry["tool_name"], entry["arguments"])):
            asked.append(entry)
        asked[-1] = entry
    turns = max(1, messages - 3 - len(asked))
    transcript: list[dict[str, Any]] = [
        {"role": "system", "content": _SYSTEM + _sentence(random.Random(len(log)), 120)},
        {"role": "user", "content": _sentence(rng, 40)},
    ]
    for turn in range(turns):
        claimed = list(enumerate(asked))[turn * len(asked) // turns : (turn + 1) * len(asked) // turns]
        transcript.append({"role": "assistant", "content": _sentence(rng, 25), "tool_calls": [
            {"id": f"call_{number}", "type": "function", "function": {
                "name": entry["tool_name"], "arguments": orjson.dumps(entry["arguments"]).decode()}}
            for number, entry in claimed
        ]})  # fmt: skip
        for number, entry in claimed:
            told = entry["response"] if entry["response"] is not None else {"error": entry.get("error")}
            transcript.append(
                {"role": "tool", "tool_call_id": f"call_{number}", "content": orjson.dumps(told).decode()}
            )
    transcript.append({"role": "assistant", "content": _sentence(rng, 50)})
    return transcript


def _declared(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"{name.replace('_', ' ')} by its id",
        "input_schema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        "output_schema": {"type": "object"},
    }


def _arguments(rng: random.Random) -> dict[str, Any]:
    return {
        "id": f"{rng.choice('ABCDEFG')}{rng.randint(10_000, 99_999)}",
        "limit": rng.randint(1, 50),
        "note": _sentence(rng, 5),
    }


def _response(rng: random.Random, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": arguments["id"],
        "status": rng.choice(["open", "shipped", "delivered", "refunded"]),
        "amount": round(rng.uniform(5, 900), 2),
        "placed": f"2026-02-{rng.randint(1, 28):02d}",
        "customer": {"name": _sentence(rng, 2), "email": f"c{rng.randint(1, 9999)}@example.com"},
        "items": [
            {"sku": f"SKU-{rng.randint(100, 999)}", "quantity": rng.randint(1, 4), "title": _sentence(rng, 4)}
            for _ in range(rng.randint(1, 6))
        ],
        "history": _sentence(rng, 30),
    }


def _answer(rng: random.Random, log: list[dict[str, Any]]) -> str:
    response = next((entry["response"] for entry in reversed(log) if entry["response"]), None)
    fact = f"The amount of {response['id']} is ${response['amount']:.2f}. " if response else ""
    return fact + _sentence(rng, 60)


def _sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, cum_weights=_WORD_WEIGHTS, k=words))


def main() -> None:
    """Write JSON lines to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=20)
    parser.add_argument("--calls", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for body in runs(options.runs, messages=options.messages, calls=options.calls, seed=options.seed):
        sys.stdout.buffer.write(orjson.dumps(body) + b"\n")


if __name__ == "__main__":
    main()
