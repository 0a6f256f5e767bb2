"""The proxy log as the transcript shows it: calls, chains, and how each stands to what the model was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import orjson

from app.components.payload import json_text
from app.components.transcript.payload_types import Agreement, Block, LogCall, LogChain, Note
from app.waits import waits_of
from trace_store.model import JSON, Call, Chain, Message, Run

Undecoded: TypeAlias = Literal["text", "value"]

DISAGREEMENTS: dict[str, Agreement] = {"tool result differs": "differs", "failure hidden": "hidden"}


def block(value: JSON) -> Block:
    """A payload, a string as the text that it is."""
    return Block(text=value) if isinstance(value, str) else Block(json=json_text(value))


def arguments_of(value: JSON, decoded: bool) -> tuple[str | None, Undecoded | None]:
    """The arguments as text, and how they failed to decode to an object, if they did (R11). No arguments: None."""
    if value is None:
        return None, None
    if decoded:
        return json_text(value), None
    return (value, "text") if isinstance(value, str) else (json_text(value), "value")


def agreement(receipt: Call, answer: Message | None, notes: Sequence[Note]) -> Agreement | None:
    """How the answering message stands to the receipt: by the findings of R36, and by plain equality."""
    if answer is None:
        return None
    for note in notes:
        if note["kind"] in DISAGREEMENTS:
            return DISAGREEMENTS[note["kind"]]
    if receipt.outcome in ("failed", "injected_failure"):
        return "told"
    return "same" if _equal_as_json(answer.content, receipt.response) else "agrees"


def _equal_as_json(content: JSON, response: JSON) -> bool:
    if isinstance(content, str) and not isinstance(response, str):
        try:
            content = orjson.loads(content)
        except orjson.JSONDecodeError:
            return False
    # As text with sorted keys: Python itself would take True for 1.
    return orjson.dumps(content, option=orjson.OPT_SORT_KEYS) == orjson.dumps(response, option=orjson.OPT_SORT_KEYS)


class Log:
    """Calls and chains of one run, with the payloads left out that the cards show already."""

    def __init__(self, run: Run, notes: Mapping[str, list[Note]]) -> None:
        self.calls = run.calls
        self.chains = {chain.chain: chain for chain in run.chains}
        self._notes = notes
        self._asked: dict[int, str | None] = {}
        self._agreed: dict[int, Agreement | None] = {}

    def link(self, receipt: int, asked: str | None, agreed: Agreement | None) -> None:
        """Notes that the call `receipt` stands on a card that shows the arguments `asked`, and an answer."""
        self._asked[receipt] = asked
        self._agreed[receipt] = agreed

    def unpaired(self) -> list[Chain]:
        """Chains none of whose calls is a receipt, in the order of the log."""
        paired = {self.calls[sequence].chain for sequence in self._asked}
        return sorted(
            (chain for number, chain in self.chains.items() if number not in paired), key=lambda chain: chain.calls[0]
        )

    def paired_actors(self) -> set[str | None]:
        """Actors of whom a chain pairs with the transcript (R36)."""
        return {self.calls[sequence].actor_id for sequence in self._asked}

    def wire_calls(self) -> list[LogCall]:
        """Every call, in the order of the log."""
        return [self._wire(call) for call in self.calls]

    def wire_chains(self) -> dict[str, LogChain]:
        """Every chain, by its number."""
        return {str(number): _wire_chain(chain, self.calls) for number, chain in self.chains.items()}

    def _wire(self, call: Call) -> LogCall:
        # Absent values are left out: five thousand calls are sent at once.
        wire = LogCall(
            sequence=call.sequence,
            chain=call.chain,
            attempt=call.attempt,
            outcome=call.outcome,
            actor_status=call.actor_status,
        )
        if call.tool_name is not None:
            wire["tool"] = call.tool_name
        if call.lane != "tool":
            wire["lane"] = call.lane
        if call.source is not None:
            wire["source"] = call.source
        if call.status_code is not None:
            wire["status"] = call.status_code
        if call.latency_ms is not None:
            wire["latency_ms"] = call.latency_ms
        if call.matched_rule_index is not None:
            wire["rule"] = call.matched_rule_index
        if call.error_class is not None:
            wire["error_class"] = call.error_class
        if call.stale_token:
            wire["stale"] = True
        if call.retryable:
            wire["retryable"] = True
        if call.actor_id is not None:
            wire["actor"] = call.actor_id
        if call.started_at is not None:
            wire["started_at"] = call.started_at
        self._add_payloads(wire, call)
        return wire

    def _add_payloads(self, wire: LogCall, call: Call) -> None:
        arguments, undecoded = arguments_of(call.arguments, call.arguments_decoded)
        if arguments is not None and arguments != self._arguments_on_card(call):
            wire["arguments"] = arguments
            if undecoded is not None:
                wire["undecoded"] = undecoded
        if call.error is not None:
            wire["error"] = block(call.error)
        if call.response is not None and call.response != call.error and self._agreed.get(call.sequence) != "same":
            wire["response"] = block(call.response)
        if call.validation is not None:
            wire["validation"] = json_text(call.validation)
        if call.extra:
            wire["extra"] = json_text(call.extra)
        notes = self._notes.get(f"calls[{call.sequence}]")
        if notes:
            wire["notes"] = notes

    def _arguments_on_card(self, call: Call) -> str | None:
        """The arguments that the card of the call's chain shows: the model's own, else those of the last attempt."""
        if call.sequence in self._asked:
            return self._asked[call.sequence]
        attempts = self.chains[call.chain].calls
        receipt = next((sequence for sequence in attempts if sequence in self._asked), None)
        if receipt is not None:
            return self._asked[receipt]
        last = self.calls[attempts[-1]]
        return None if last is call else arguments_of(last.arguments, last.arguments_decoded)[0]


def _wire_chain(chain: Chain, calls: Sequence[Call]) -> LogChain:
    wire = LogChain(calls=chain.calls, outcome=chain.outcome)
    if chain.overcome:
        wire["overcome"] = True
    if len(chain.calls) > 1:
        wire["waits_ms"] = chain.waits_ms
        wire["wasted_ms"] = chain.wasted_ms
        waits = waits_of(chain, calls)
        wire["windows_ms"] = [wait.window_ms for wait in waits]
        if off := [place for place, wait in enumerate(waits) if wait.is_off]:
            wire["off_policy"] = off
    if chain.repeats is not None:
        wire["repeats"] = chain.repeats
    return wire
