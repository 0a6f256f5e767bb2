"""Chains: which calls of a log are attempts of one logical call, and what became of it (R24-R27)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import pairwise

from trace_store.contract.arguments import canonical
from trace_store.contract.calls import DATA_KEYS, Log, is_unreadable
from trace_store.contract.scalars import total
from trace_store.contract.times import end_us
from trace_store.contract.vocabulary import FAILURE_OUTCOMES, OK_CHAINS
from trace_store.model import Call, Chain, ChainOutcome

MAX_ATTEMPTS = 4
"""How often the SDK tries a call (R26)."""

_BASE_WAIT_MS = 500.0
_LONGEST_WAIT_MS = 4_000.0
_JITTER = 0.25
_TOLERANCE_MS = 250.0

_LATEST = 10**30  # microseconds: later than any time, and
_NEVER = 2 * _LATEST  # later than that


def wait_window_ms(attempt: int) -> tuple[float, float]:
    """The shortest and the longest wait that the policy has after a failed attempt, counted from 0 (R26)."""
    wait = min(_BASE_WAIT_MS * 2.0 ** min(attempt, 10), _LONGEST_WAIT_MS)
    return wait * (1 - _JITTER), wait * (1 + _JITTER)


def is_off_policy(attempt: int, wait_ms: float) -> bool:
    """Whether a wait after a failed attempt, counted from 0, is out of its window by more than the tolerance (R26)."""
    shortest, longest = wait_window_ms(attempt)
    return not shortest - _TOLERANCE_MS <= wait_ms <= longest + _TOLERANCE_MS


def build_chains(log: Log) -> list[Chain]:
    """The chains of a log in the order of their first calls; sets `chain` and `attempt` of each call."""
    kinds = _kinds(log.calls)
    chains = [_chain(number, members, log) for number, members in enumerate(_Grouping(log, kinds).members)]
    _link_repeats(chains, kinds)
    return chains


def _kinds(calls: list[Call]) -> list[Hashable]:
    """For each call what makes it equal to another: lane, actor, tool, canonical arguments (R24).

    A call that cannot be read equals none. Arguments are only written out where they decide.
    """
    rough = [(call.lane, call.actor_id, call.tool_name) for call in calls]
    counts = Counter(rough)
    return [
        i if is_unreadable(call) else rough[i] if counts[rough[i]] == 1 else (*rough[i], _what_for(call))
        for i, call in enumerate(calls)
    ]


def _what_for(call: Call) -> bytes:
    if call.lane == "data":
        return canonical([call.arguments, *(call.extra.get(key) for key in DATA_KEYS)])
    return canonical(call.arguments)


class _Ended:
    """Chains and when the last attempt of each ended; finds the first or the last one that had ended by some time in
    logarithmic time, however many a hostile log keeps open: a binary tree of the least end below each node."""

    __slots__ = ("_least", "_leaves")

    def __init__(self, chains: int) -> None:
        self._leaves = 1 << chains.bit_length()
        self._least: dict[int, int] = {}

    def put(self, chain: int, end_us: int) -> None:
        """Adds a chain, or changes its end."""
        node, least = self._leaves + chain, end_us
        while node:
            self._least[node] = least
            least = min(least, self._least.get(node ^ 1, _NEVER))
            node >>= 1

    def remove(self, chain: int) -> None:
        """Takes a chain out."""
        self.put(chain, _NEVER)

    def first(self, by_us: int, *, last: bool = False) -> int | None:
        """The chain with the least number, or the greatest, among those that had ended by then."""
        node = 1
        if self._least.get(node, _NEVER) > by_us:
            return None
        while node < self._leaves:
            node = 2 * node + last
            if self._least.get(node, _NEVER) > by_us:
                node ^= 1
        return node - self._leaves


@dataclass(slots=True)
class _Equals:
    """The calls of one kind without an idempotency key, as they come by: the last of them, and the chains whose last
    attempt failed with a stated number, by that number and whether it was retryable."""

    last: int | None = None
    failed: dict[tuple[int, bool], _Ended] = field(default_factory=dict)


class _Grouping:
    """Deals the calls out to chains, in sequence; `members` has the sequences of each chain."""

    def __init__(self, log: Log, kinds: list[Hashable]) -> None:
        self.members: list[list[int]] = []
        self._log = log
        self._chain_of: list[int] = []
        by_key: dict[str, int] = {}
        equals: dict[Hashable, _Equals] = {}
        for i, call in enumerate(log.calls):
            if call.idempotency_key is not None:
                self._put(i, by_key.setdefault(call.idempotency_key, len(self.members)))
            else:
                self._place(i, equals.setdefault(kinds[i], _Equals()))

    def _put(self, i: int, chain: int) -> None:
        if chain == len(self.members):
            self.members.append([])
        self.members[chain].append(i)
        self._chain_of.append(chain)

    def _place(self, i: int, equals: _Equals) -> None:
        number = self._log.attempts[i]
        chain = self._continued(i, equals) if number is None else self._joined(i, number, equals)
        if chain is None:
            chain = len(self.members)
        elif (failed := self._failed_like(self.members[chain][-1], equals)) is not None:
            failed.remove(chain)
        self._put(i, chain)
        equals.last = i
        if (failed := self._failed_like(i, equals)) is not None:
            failed.put(chain, self._end_us(i))

    def _continued(self, i: int, equals: _Equals) -> int | None:
        """Without a number: the chain of the equal call before, while that one was retryable and the budget lasts."""
        last = equals.last
        if last is None or not self._log.calls[last].retryable or self._start_us(i) < self._end_us(last):
            return None
        chain = self._chain_of[last]
        return chain if len(self.members[chain]) < MAX_ATTEMPTS else None

    def _joined(self, i: int, number: int, equals: _Equals) -> int | None:
        """With a number: of the chains that failed with the number before, the earliest retryable, else the latest."""
        retryable, terminal = (equals.failed.get((number - 1, kind)) for kind in (True, False))
        start = self._start_us(i)
        chain = None if retryable is None else retryable.first(start)
        return chain if chain is not None or terminal is None else terminal.first(start, last=True)

    def _failed_like(self, i: int, equals: _Equals) -> _Ended | None:
        """Where the chain stands while this call is its last, if it failed with a stated number."""
        call, number = self._log.calls[i], self._log.attempts[i]
        if number is None or call.outcome not in FAILURE_OUTCOMES:
            return None
        key = (number, call.retryable)
        if key not in equals.failed:
            equals.failed[key] = _Ended(len(self._log.calls))
        return equals.failed[key]

    # R24: a call that began before another ended cannot be its retry. Where the times do not tell, it can.

    def _start_us(self, i: int) -> int:
        start = self._log.starts_us[i]
        return _LATEST if start is None else start

    def _end_us(self, i: int) -> int:
        start = self._log.starts_us[i]
        return -_LATEST if start is None else end_us(start, self._log.calls[i].latency_ms)


def _chain(number: int, members: list[int], log: Log) -> Chain:
    if len(members) == 1:
        return _lone(number, log.calls[members[0]])
    attempts = [log.calls[i] for i in members]
    for position, call in enumerate(attempts, 1):
        call.chain, call.attempt = number, position
    first = attempts[0]
    outcome = _outcome(attempts)
    return Chain(
        chain=number,
        tool_name=first.tool_name,
        actor_id=first.actor_id,
        calls=members,
        outcome=outcome,
        overcome=outcome == "recovered",
        error_classes=list(dict.fromkeys(call.error_class for call in attempts if call.error_class is not None)),
        waits_ms=[_wait_ms(log, before, after) for before, after in pairwise(members)],
        wasted_ms=_wasted_ms(log, members),
    )


def _lone(number: int, call: Call) -> Chain:
    call.chain = number
    classes = [] if call.error_class is None else [call.error_class]
    return Chain(number, call.tool_name, call.actor_id, [call.sequence], _outcome([call]), error_classes=classes)


def _outcome(attempts: list[Call]) -> ChainOutcome:
    """The outcome of a chain, the first that holds (R27)."""
    last = attempts[-1]
    if len(attempts) == 1 and last.outcome == "ok":
        return "succeeded"
    if any(call.outcome == "ok" for call in attempts[1:]):
        return "recovered"
    if last.retryable:
        return "exhausted" if len(attempts) >= MAX_ATTEMPTS else "gave_up"
    return "application_error" if last.outcome == "application_error" else "failed"


def _wait_ms(log: Log, before: int, after: int) -> float | None:
    start, ended = log.starts_us[after], log.starts_us[before]
    latency_ms = log.calls[before].latency_ms
    if start is None or ended is None or latency_ms is None:
        return None
    return round((start - ended) / 1000 - latency_ms, 3)


def _wasted_ms(log: Log, members: list[int]) -> float:
    first, last = log.starts_us[members[0]], log.starts_us[members[-1]]
    if first is None or last is None:
        return total(log.calls[i].latency_ms for i in members[:-1])
    return max(0.0, (last - first) / 1000)


def _link_repeats(chains: list[Chain], kinds: list[Hashable]) -> None:
    """Which chain tries an earlier one again (R25), and which is overcome by one that does, directly or not (R27)."""
    nearest: dict[Hashable, Chain] = {}
    for chain in chains:
        kind = kinds[chain.calls[0]]
        earlier = nearest.get(kind)
        if earlier is not None and earlier.outcome not in OK_CHAINS:
            chain.repeats = earlier.chain
        nearest[kind] = chain
    for chain in reversed(chains):
        if chain.repeats is not None and (chain.outcome in OK_CHAINS or chain.overcome):
            chains[chain.repeats].overcome = True
