"""The proxy log as the transcript shows it: calls, chains, and how each compares with what the model was given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import orjson

from app.components.frontend import encode_json
from app.components.transcript.payload_types import Agreement, Block, LogCall, LogChain, Note, Notes
from trace_store.contract.retries import retry_delays
from trace_store.evidence import Answer, contradicts
from trace_store.model import JSON, Call, Chain, Path, Run

Undecoded: TypeAlias = Literal["text", "value"]

DISAGREEMENTS: dict[str, Agreement] = {"tool_result_differs": "differs", "failure_hidden": "hidden"}
"""By kind of finding (R36)."""


def encode_block(value: JSON) -> Block:
    """Return a payload, a string as the text that it is."""
    return Block(text=value) if isinstance(value, str) else Block(json=encode_json(value))


def encode_arguments(value: JSON, decoded: bool) -> tuple[str | None, Undecoded | None]:
    """Return the arguments as text, None for none; and how they failed to decode to an object, if they did (R11)."""
    if value is None:
        return None, None
    if decoded:
        return encode_json(value), None
    return (value, "text") if isinstance(value, str) else (encode_json(value), "value")


def compare_answer(receipt: Call, answer: Answer | None, notes: Sequence[Note]) -> Agreement | None:
    """Return how the answer compares with the receipt: by the findings of R36 about its message, and by plain equality.
    A message may hold several results (R45): which of them a finding is about is seen by comparing again."""
    if answer is None:
        return None
    for note in notes:
        disagreement = DISAGREEMENTS.get(note.get("kind", ""))
        if disagreement and (answer.result is None or contradicts(answer, receipt)):
            return disagreement
    if receipt.outcome in ("failed", "injected_failure"):
        return "reported"
    return "same" if _is_equal_json(answer.content, receipt.response) else "agrees"


def _is_equal_json(content: JSON, response: JSON) -> bool:
    if isinstance(content, str) and not isinstance(response, str):
        try:
            content = orjson.loads(content)
        except orjson.JSONDecodeError:
            return False
    # As text with sorted keys: Python itself would take True for 1.
    return orjson.dumps(content, option=orjson.OPT_SORT_KEYS) == orjson.dumps(response, option=orjson.OPT_SORT_KEYS)


class Log:
    """Calls and chains of one run, with the payloads left out that the cards show already."""

    def __init__(self, run: Run, notes: Notes) -> None:
        self.calls = run.calls
        self.chains = {chain.chain: chain for chain in run.chains}
        self._notes = notes
        self._model_arguments: dict[int, str | None] = {}
        self._agreements: dict[int, Agreement | None] = {}

    def link(self, receipt: int, arguments: str | None, agreement: Agreement | None) -> None:
        """Record that a card shows these arguments of the model and an answer beside the call `receipt`."""
        self._model_arguments[receipt] = arguments
        self._agreements[receipt] = agreement

    def list_unpaired_chains(self) -> list[Chain]:
        """Return the chains none of whose calls is a receipt, in the order of the log."""
        paired = {self.calls[sequence].chain for sequence in self._model_arguments}
        return sorted(
            (chain for number, chain in self.chains.items() if number not in paired), key=lambda chain: chain.calls[0]
        )

    def list_paired_actors(self) -> set[str | None]:
        """Return the actors of whom a chain pairs with the transcript (R36)."""
        return {self.calls[sequence].actor_id for sequence in self._model_arguments}

    def build_calls(self) -> list[LogCall]:
        """Return every call, in the order of the log."""
        return [self.build_call(call) for call in self.calls]

    def build_chains(self) -> dict[str, LogChain]:
        """Return every chain, by its number."""
        return {str(number): build_chain(chain, self.calls) for number, chain in self.chains.items()}

    def build_call(self, call: Call) -> LogCall:
        """Return one call."""
        # Absent values are left out: five thousand calls are sent at once.
        entry = LogCall(
            sequence=call.sequence,
            chain=call.chain,
            attempt=call.attempt,
            outcome=call.outcome,
            actor_status=call.actor_status,
        )
        if call.tool_name is not None:
            entry["tool"] = call.tool_name
        if call.lane != "tool":
            entry["lane"] = call.lane
        if call.source is not None:
            entry["source"] = call.source
        if call.status_code is not None:
            entry["status"] = call.status_code
        if call.latency_ms is not None:
            entry["latency_ms"] = call.latency_ms
        if call.matched_rule_index is not None:
            entry["rule"] = call.matched_rule_index
        if call.error_class is not None:
            entry["error_class"] = call.error_class
        if call.stale_token:
            entry["stale"] = True
        if call.retryable:
            entry["retryable"] = True
        if call.actor_id is not None:
            entry["actor"] = call.actor_id
        if call.started_at is not None:
            entry["started_at"] = call.started_at
        self._add_payloads(entry, call)
        return entry

    def _add_payloads(self, entry: LogCall, call: Call) -> None:
        arguments, undecoded = encode_arguments(call.arguments, call.arguments_decoded)
        if arguments is not None and arguments != self._arguments_on_card(call):
            entry["arguments"] = arguments
            if undecoded is not None:
                entry["undecoded"] = undecoded
        if call.error is not None:
            entry["error"] = encode_block(call.error)
        if call.response is not None and call.response != call.error and self._agreements.get(call.sequence) != "same":
            entry["response"] = encode_block(call.response)
        if call.validation is not None:
            entry["validation"] = encode_json(call.validation)
        if call.extra:
            entry["extra"] = encode_json(call.extra)
        notes = self._notes.get(Path.call(call.sequence))
        if notes:
            entry["notes"] = notes

    def _arguments_on_card(self, call: Call) -> str | None:
        """Return the arguments that the card of its chain shows: the model's own, else those of the last attempt."""
        if call.sequence in self._model_arguments:
            return self._model_arguments[call.sequence]
        attempts = self.chains[call.chain].calls
        receipt = next((sequence for sequence in attempts if sequence in self._model_arguments), None)
        if receipt is not None:
            return self._model_arguments[receipt]
        last = self.calls[attempts[-1]]
        return None if last is call else encode_arguments(last.arguments, last.arguments_decoded)[0]


def build_chain(chain: Chain, calls: Sequence[Call]) -> LogChain:
    """Return a chain with what its retries waited and cost."""
    entry = LogChain(calls=chain.calls, outcome=chain.outcome)
    if chain.overcome:
        entry["overcome"] = True
    if len(chain.calls) > 1:
        entry["waits_ms"] = chain.waits_ms
        entry["wasted_ms"] = chain.wasted_ms
        delays = retry_delays(chain, calls)
        entry["windows_ms"] = [delay.window_ms for delay in delays]
        if off := [index for index, delay in enumerate(delays) if delay.is_off_policy]:
            entry["off_policy"] = off
    if chain.repeats is not None:
        entry["repeats"] = chain.repeats
    return entry
