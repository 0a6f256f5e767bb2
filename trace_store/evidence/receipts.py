"""Which chain of the log is the receipt of which tool call of the transcript (R36)."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field

from trace_store.contract.arguments import canonical
from trace_store.contract.calls import Log, is_unreadable
from trace_store.evidence.tool_results import Form, answer_forms, response_forms
from trace_store.evidence.transcript_calls import Receipt, TranscriptCall
from trace_store.model import Call, Chain, Run, ToolCall


def pair_receipts(run: Run, calls: list[TranscriptCall], log: Log) -> list[Chain]:
    """Set the receipt of each tool call of the transcript, and return the chains of the tool lane that are not paired.

    Without a log, or without any tool call, nothing is paired and no chain is returned.
    """
    if not run.has_log or not calls:
        return []
    matcher = _Matcher(run, calls, log)
    matcher.pair_equal()
    if matcher.unpaired_calls():
        matcher.pair_unknown_arguments()
        matcher.split_chains()
    matcher.assign_receipts()
    return matcher.unpaired_chains()


@dataclass(slots=True)
class _Group:
    """Tool calls, by their number, and chains of one tool and equal arguments, each in order."""

    calls: list[int] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)


class _Matcher:
    def __init__(self, run: Run, calls: list[TranscriptCall], log: Log) -> None:
        self._run = run
        self._calls = calls
        self._groups: dict[Hashable, _Group] = {}
        self._chains: list[Chain] = []  # of the tool lane, those that can be read
        self._chain_of: dict[int, Chain] = {}  # by tool call
        self._sharing: dict[int, list[int]] = {}  # by chain: its tool calls, in order
        for number, call in enumerate(calls):
            self._group(call.name, canonical(call.tool_call.arguments)).calls.append(number)
        for chain in run.chains:
            first = run.calls[chain.calls[0]]
            if first.lane == "tool" and not is_unreadable(first):
                self._chains.append(chain)
                self._group(chain.tool_name, log.canonical_arguments(first.sequence)).chains.append(chain)

    def _group(self, tool: str | None, arguments: bytes) -> _Group:
        return self._groups.setdefault((tool, arguments), _Group())

    def _pair(self, call: int, chain: Chain) -> None:
        self._chain_of[call] = chain
        insort(self._sharing.setdefault(chain.chain, []), call)

    def unpaired_calls(self) -> list[int]:
        """Return the numbers of the tool calls that have no chain yet."""
        return [call for call in range(len(self._calls)) if call not in self._chain_of]

    def unpaired_chains(self) -> list[Chain]:
        """Return the chains of the tool lane that have no tool call yet."""
        return [chain for chain in self._chains if chain.chain not in self._sharing]

    def pair_equal(self) -> None:
        """Pair first in, first out; where one side has more, those go first whose response the model was given."""
        for group in self._groups.values():
            calls, chains = group.calls, group.chains
            if calls and chains and len(calls) != len(chains):
                self._pair_equal_responses(group)
                calls = [call for call in calls if call not in self._chain_of]
                chains = [chain for chain in chains if chain.chain not in self._sharing]
            for call, chain in zip(calls, chains, strict=False):
                self._pair(call, chain)

    def _pair_equal_responses(self, group: _Group) -> None:
        waiting: dict[Form, deque[Chain]] = {}
        for chain in group.chains:
            for form in response_forms(self._run.calls[chain.calls[-1]].response):
                waiting.setdefault(form, deque()).append(chain)
        for call in group.calls:
            answer = self._calls[call].answer
            for form in answer_forms(answer) if answer is not None else ():
                queue = waiting.get(form, deque())
                while queue and queue[0].chain in self._sharing:
                    queue.popleft()
                if queue:
                    self._pair(call, queue.popleft())
                    break

    def pair_unknown_arguments(self) -> None:
        """Pair the rest of one tool, in order, where one side does not state its arguments."""
        stating: dict[str | None, deque[Chain]] = {}
        silent: dict[str | None, deque[Chain]] = {}
        for chain in self.unpaired_chains():
            queues = stating if _states_arguments(self._run.calls[chain.calls[0]]) else silent
            queues.setdefault(chain.tool_name, deque()).append(chain)
        for number in self.unpaired_calls():
            call = self._calls[number].tool_call
            # A call without arguments takes the first chain of all, one with arguments the first that has none.
            usable = [silent.get(call.name), None if _states_arguments(call) else stating.get(call.name)]
            candidates = [queue for queue in usable if queue]
            if candidates:
                self._pair(number, min(candidates, key=lambda queue: queue[0].chain).popleft())

    def split_chains(self) -> None:
        """Give a call that is left an attempt of an equal, paired chain: the caller retried by itself."""
        for group in self._groups.values():
            if any(len(chain.calls) > 1 for chain in group.chains):
                unpaired = [call for call in group.calls if call not in self._chain_of]
                # A failed attempt comes before the one that its caller went on with: so first those after.
                unpaired = self._share_attempts(unpaired[::-1], group.calls[::-1])
                self._share_attempts(unpaired[::-1], group.calls)

    def _share_attempts(self, unpaired: list[int], calls: list[int]) -> list[int]:
        """Walk along the calls, give each unpaired one an attempt of the last chain passed that has one to spare, and
        return those that got none."""
        rest: list[int] = []
        waiting = set(unpaired)
        passed: list[Chain] = []
        for call in calls:
            if call in waiting:
                while passed and len(self._sharing[passed[-1].chain]) >= len(passed[-1].calls):
                    passed.pop()
                if passed:
                    self._pair(call, passed[-1])
                else:
                    rest.append(call)
            elif call in self._chain_of:
                passed.append(self._chain_of[call])
        return rest

    def assign_receipts(self) -> None:
        """Note the receipt of each paired call in the call and in the transcript."""
        for number, chain in self._chain_of.items():
            call = self._calls[number]
            call.receipt = Receipt(chain, self._attempts_for(number, chain))
            call.tool_call.receipt = call.receipt.sequence

    def _attempts_for(self, call: int, chain: Chain) -> list[int]:
        """Return the attempts that answer a call: each of several calls takes one, the last the rest."""
        calls = self._sharing[chain.chain]
        if len(calls) == 1:
            return chain.calls
        position = bisect_left(calls, call)
        return chain.calls[position:] if position == len(calls) - 1 else [chain.calls[position]]


def _states_arguments(call: Call | ToolCall) -> bool:
    return call.arguments is not None and call.arguments_decoded
