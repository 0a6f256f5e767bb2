"""A run as a list of steps: messages, tool calls, and the answer.

A tool call is one step, with its receipt, all attempts, and the result that the model received. A chain that only the
log has comes after the receipt that it follows in the log (R38); a thin run has only those.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import orjson

from trace_store.contract.arguments import canonical
from trace_store.contract.transcript import CALL_PARTS
from trace_store.model import JSON, Chain, Message, Path, Run, ToolCall

Kind: TypeAlias = Literal["message", "call", "answer"]
Part: TypeAlias = Literal[
    "text", "thinking", "arguments", "actor", "outcome", "error class", "attempts", "error", "response", "tool result"
]
"""The parts of a step that are compared. `attempts` is there from two on. `tool result` is what the model received, if
that is not the response."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `path` is its place in the run document; `name` is the role or the tool (null for a call that cannot be
    read); `parts` are the values that are compared, without absent ones. `action` is the same for steps that do the
    same, whatever their results: role and text, or tool and arguments."""

    kind: Kind
    path: str
    name: str | None
    parts: Mapping[Part, JSON]
    action: bytes = field(repr=False)

    @property
    def category(self) -> tuple[Kind, str | None]:
        """Return the kind and name: only steps that share them can be changed forms of each other."""
        return self.kind, self.name


def list_steps(run: Run) -> list[Step]:
    """Return the steps of the run in order. The last is the answer; its path is that of the message with it, if any."""
    log = _Log(run)
    messages = run.messages or []
    answers = {message.answers: message.content for message in messages if message.answers is not None}
    answers |= {
        result.answers: result.content for message in messages for result in message.tool_results if result.answers
    }
    positions: list[tuple[int | None, Step]] = []  # each with the sequence of its receipt
    for message in messages:
        if message.answers is not None:
            continue  # it is part of the call that it answers
        calls = message.tool_calls or []
        content = _own_content(message)
        if content or message.thinking or not (calls or message.tool_results):
            positions.append((None, _message_step(message, content)))
        for call in calls:
            path = Path.tool_call(message.index, call.index)
            positions.append((call.receipt, _tool_call_step(call, path, answers.get(path), log)))
    steps = _insert_unpaired(positions, log)
    return _append_answer(run, steps)


class _Log:
    """The chains of a run, by their calls."""

    def __init__(self, run: Run) -> None:
        self.calls = run.calls
        self.chains = {chain.chain: chain for chain in run.chains}
        receipts = (call.receipt for message in run.messages or [] for call in message.tool_calls or [])
        self.paired = {self.calls[receipt].chain for receipt in receipts if receipt is not None}

    def unpaired(self) -> list[Chain]:
        """Return the chains that answer no call of the transcript, in the order of the log."""
        return sorted(
            (chain for number, chain in self.chains.items() if number not in self.paired),
            key=lambda chain: chain.calls[0],
        )

    def result_parts(self, chain: Chain) -> dict[Part, JSON]:
        """Return the parts that the log has of a chain: the actor, the outcome, the attempts, and the last response."""
        last = self.calls[chain.calls[-1]]
        parts: dict[Part, JSON] = {
            "actor": last.actor_id,
            "outcome": last.outcome,
            "error class": last.error_class,
            "attempts": len(chain.calls) if len(chain.calls) > 1 else None,
            "response": last.response,
            "error": last.error,
        }
        return {part: value for part, value in parts.items() if value is not None}


def _own_content(message: Message) -> str | list[JSON] | None:
    """Return the content without the parts that are steps or parts of their own (R45): calls, the results that answer
    one, and thinking."""
    if not isinstance(message.content, list):
        return message.content
    answering = {result.part for result in message.tool_results if result.answers is not None}
    own = [
        part
        for number, part in enumerate(message.content)
        if number not in answering and not _is_call_part(message, part) and part not in (message.thinking or ())
    ]
    return own if own or not message.content else None


def _is_call_part(message: Message, part: JSON) -> bool:
    type_ = part.get("type") if isinstance(part, dict) else None
    return bool(message.tool_calls) and isinstance(type_, str) and type_ in CALL_PARTS


def _message_step(message: Message, content: str | list[JSON] | None) -> Step:
    parts: dict[Part, JSON] = {}
    if content is not None:
        parts["text"] = content
    if message.thinking:
        parts["thinking"] = _thinking_text(message.thinking)
    action = canonical([message.role, content])
    return Step("message", f"messages[{message.index}]", message.role, parts, action)


def _thinking_text(thinking: Sequence[Mapping[str, JSON]]) -> JSON:
    """Return the texts of thinking blocks, without their signatures, which differ from run to run. Blocks without a
    text are returned unchanged."""
    texts = [block.get("thinking", block.get("text")) for block in thinking]
    return "\n\n".join(texts) if all(isinstance(text, str) for text in texts) else list(thinking)


def _tool_call_step(call: ToolCall, path: str, answer: JSON, log: _Log) -> Step:
    parts: dict[Part, JSON] = {}
    if call.arguments is not None:
        parts["arguments"] = call.arguments
    if call.receipt is not None:
        parts |= log.result_parts(log.chains[log.calls[call.receipt].chain])
    if answer is not None and not _is_text_of(answer, parts.get("response")):
        parts["tool result"] = answer
    return Step("call", path, call.name, parts, _call_key(call.name, call.arguments))


def _chain_step(chain: Chain, log: _Log) -> Step:
    last = log.calls[chain.calls[-1]]
    parts = log.result_parts(chain)
    if last.arguments is not None:
        parts = {"arguments": last.arguments, **parts}
    action = _call_key(last.tool_name, last.arguments)
    return Step("call", f"calls[{last.sequence}]", last.tool_name, parts, action)


def _call_key(tool: str | None, arguments: JSON) -> bytes:
    return canonical({"tool": tool, "arguments": arguments})  # an object, where a message is an array


def _is_text_of(content: JSON, response: JSON) -> bool:
    """Return whether what the model received is the response itself, as text or as JSON."""
    if not isinstance(content, str) or isinstance(response, str) or response is None:
        return bool(content == response)
    try:
        return canonical(orjson.loads(content)) == canonical(response)
    except orjson.JSONDecodeError:
        return False


def _insert_unpaired(positions: Sequence[tuple[int | None, Step]], log: _Log) -> list[Step]:
    """Return the steps of the transcript, and the chains that only the log has, each after the receipt it follows."""
    receipts = sorted((receipt, at) for at, (receipt, _) in enumerate(positions) if receipt is not None)
    following: dict[int, list[Step]] = {}
    for chain in log.unpaired():
        before = bisect_left(receipts, (chain.calls[0], -1))
        # A chain before all receipts comes before the first call that has one; without receipts, the log comes last.
        at = receipts[before - 1][1] if before else (receipts[0][1] - 1 if receipts else len(positions) - 1)
        following.setdefault(at, []).append(_chain_step(chain, log))
    steps = following.get(-1, [])
    for at, (_, step) in enumerate(positions):
        steps += [step, *following.get(at, [])]
    return steps


def _append_answer(run: Run, steps: list[Step]) -> list[Step]:
    """Return the steps with the final response as the last one, in place of a last message with the same text."""
    if run.final_response is None:
        if run.response_error is None:
            return steps
        return [*steps, Step("answer", "final_response", "answer", {"error": run.response_error}, b"no answer")]
    path = "final_response"
    if steps and steps[-1].kind == "message" and steps[-1].parts.get("text") == run.final_response:
        *steps, last = steps
        path = last.path
    action = canonical(run.final_response)
    return [*steps, Step("answer", path, "answer", {"text": run.final_response}, action)]
