"""Chains: which calls of a log are attempts of one logical call, and its outcome (R24-R27)."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from trace_store.contract.calls import Log
from trace_store.contract.scalars import total
from trace_store.contract.vocabulary import FAILURE_OUTCOMES, OK_CHAINS
from trace_store.model import Call, Chain, ChainOutcome

MAX_ATTEMPTS = 4
"""How often the SDK tries a call (R26)."""

_BASE_WAIT_MS = 500.0
_LONGEST_WAIT_MS = 4_000.0
_JITTER = 0.25
_TOLERANCE_MS = 250.0

MAX_IN_FLIGHT = 200
"""How many equal chains are tried for a numbered attempt: a hostile log can keep any number of them in flight."""


def wait_window_ms(attempt: int) -> tuple[float, float]:
    """Return the shortest and the longest wait that the policy has after a failed attempt, counted from 0 (R26)."""
    wait = min(_BASE_WAIT_MS * 2.0 ** min(attempt, 10), _LONGEST_WAIT_MS)
    return wait * (1 - _JITTER), wait * (1 + _JITTER)


def is_off_policy(attempt: int, wait_ms: float) -> bool:
    """Return whether a wait after a failed attempt, from 0, is outside its window by more than the tolerance (R26)."""
    shortest, longest = wait_window_ms(attempt)
    return not shortest - _TOLERANCE_MS <= wait_ms <= longest + _TOLERANCE_MS


@dataclass(frozen=True, slots=True)
class RetryDelay:
    """The wait before an attempt after the first, in milliseconds; null without times.

    `window_ms` is the policy's, null after a failure that is not to be retried; `is_off_policy`: the wait is outside
    of it by more than the tolerance.
    """

    wait_ms: float | None
    window_ms: tuple[float, float] | None
    is_off_policy: bool


def retry_delays(chain: Chain, calls: Sequence[Call]) -> list[RetryDelay]:
    """Return one delay a retry of the chain; `calls` is the whole log, which its sequences index."""
    delays = []
    for attempt, (sequence, wait_ms) in enumerate(zip(chain.calls, chain.waits_ms, strict=False)):
        if calls[sequence].retryable:
            is_off = wait_ms is not None and is_off_policy(attempt, wait_ms)
            delays.append(RetryDelay(wait_ms, wait_window_ms(attempt), is_off))
        else:
            delays.append(RetryDelay(wait_ms, None, is_off_policy=False))
    return delays


def build_chains(log: Log) -> list[Chain]:
    """Return the chains of a log in the order of their first calls; set `chain` and `attempt` of each call."""
    keys = _equality_keys(log)
    chains = [_build_chain(number, members, log) for number, members in enumerate(_ChainGrouper(log, keys).chains)]
    _link_repeats(chains, keys)
    return chains


def _equality_keys(log: Log) -> list[Hashable]:
    """Return the equality key of each call (R24). Arguments are only part of it where the rest is not unique."""
    rough = [(call.lane, call.actor_id, call.tool_name) for call in log.calls]
    counts = Counter(rough)
    return [rough[i] if counts[rough[i]] == 1 else log.equality_key(i) for i in range(len(rough))]


@dataclass(slots=True)
class _EqualCalls:
    """The calls of one equality key without an idempotency key, so far.

    `last` is the latest of them. `failed` has the chains whose last attempt failed with a stated number, in order, by
    that number and whether the failure was retryable.
    """

    last: int | None = None
    failed: dict[tuple[int, bool], list[int]] = field(default_factory=dict)


class _ChainGrouper:
    """Groups the calls of a log into chains; `chains` has the sequences of each."""

    def __init__(self, log: Log, keys: list[Hashable]) -> None:
        self.chains: list[list[int]] = []
        self._log = log
        self._chain_of: list[int] = []
        by_idempotency_key: dict[str, int] = {}
        by_equality: dict[Hashable, _EqualCalls] = {}
        for i, call in enumerate(log.calls):
            if call.idempotency_key is not None:
                self._append(i, by_idempotency_key.setdefault(call.idempotency_key, len(self.chains)))
            else:
                self._group(i, by_equality.setdefault(keys[i], _EqualCalls()))

    def _append(self, i: int, chain: int) -> None:
        if chain == len(self.chains):
            self.chains.append([])
        self.chains[chain].append(i)
        self._chain_of.append(chain)

    def _group(self, i: int, equals: _EqualCalls) -> None:
        number = self._log.attempts[i]
        chain = self._chain_to_continue(i, equals) if number is None else self._chain_to_join(i, number, equals)
        if chain is None:
            chain = len(self.chains)
        elif (failed := self._failed_chains(self.chains[chain][-1], equals)) is not None:
            del failed[bisect_left(failed, chain)]
        self._append(i, chain)
        equals.last = i
        if (failed := self._failed_chains(i, equals)) is not None:
            insort(failed, chain)

    def _chain_to_continue(self, i: int, equals: _EqualCalls) -> int | None:
        """Return the chain that a call without a number continues: that of the equal call before it, if its failure was
        retryable and the chain has attempts left."""
        last = equals.last
        if last is None or not self._log.calls[last].retryable or self._overlaps(last, i):
            return None
        chain = self._chain_of[last]
        return chain if len(self.chains[chain]) < MAX_ATTEMPTS else None

    def _chain_to_join(self, i: int, number: int, equals: _EqualCalls) -> int | None:
        """Return the chain that a call with a number joins: of those that failed with the number before it, the
        earliest retryable one, else the latest."""
        retryable, terminal = (equals.failed.get((number - 1, kind), []) for kind in (True, False))
        for candidates in (retryable, reversed(terminal)):
            for chain in islice(candidates, MAX_IN_FLIGHT):
                if not self._overlaps(self.chains[chain][-1], i):
                    return chain
        return None

    def _failed_chains(self, i: int, equals: _EqualCalls) -> list[int] | None:
        """Return the list that a chain belongs to while this call is its last, if it failed with a stated number."""
        call, number = self._log.calls[i], self._log.attempts[i]
        if number is None or call.outcome not in FAILURE_OUTCOMES:
            return None
        return equals.failed.setdefault((number, call.retryable), [])

    def _overlaps(self, earlier: int, later: int) -> bool:
        """Return whether a call began before an earlier one ended, and so cannot be its retry; without times, it can be
        (R24)."""
        before, after = self._log.spans[earlier], self._log.spans[later]
        return before is not None and after is not None and after.start_us < before.end_us


def _build_chain(number: int, members: list[int], log: Log) -> Chain:
    if len(members) == 1:
        return _build_single(number, log.calls[members[0]])
    attempts = [log.calls[i] for i in members]
    for position, call in enumerate(attempts, 1):
        call.chain, call.attempt = number, position
    first = attempts[0]
    outcome = _chain_outcome(attempts)
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


def _build_single(number: int, call: Call) -> Chain:
    call.chain = number
    classes = [] if call.error_class is None else [call.error_class]
    return Chain(number, call.tool_name, call.actor_id, [call.sequence], _chain_outcome([call]), error_classes=classes)


def _chain_outcome(attempts: list[Call]) -> ChainOutcome:
    """Return the outcome of a chain, the first that holds (R27)."""
    last = attempts[-1]
    if len(attempts) == 1 and last.outcome == "ok":
        return "succeeded"
    if any(call.outcome == "ok" for call in attempts[1:]):
        return "recovered"
    if last.retryable:
        return "exhausted" if len(attempts) >= MAX_ATTEMPTS else "gave_up"
    return last.outcome if last.outcome in ("application_error", "unreadable") else "failed"


def _wait_ms(log: Log, before: int, after: int) -> float | None:
    earlier, later, latency_ms = log.spans[before], log.spans[after], log.calls[before].latency_ms
    if earlier is None or later is None or latency_ms is None:
        return None
    return round((later.start_us - earlier.start_us) / 1000 - latency_ms, 3)


def _wasted_ms(log: Log, members: list[int]) -> float:
    first, last = log.spans[members[0]], log.spans[members[-1]]
    if first is None or last is None:
        return total(log.calls[i].latency_ms for i in members[:-1])
    return max(0.0, (last.start_us - first.start_us) / 1000)


def _link_repeats(chains: list[Chain], keys: list[Hashable]) -> None:
    """Set which chain repeats an earlier one (R25), and which is overcome by one that does, directly or not (R27)."""
    nearest: dict[Hashable, Chain] = {}
    for chain in chains:
        key = keys[chain.calls[0]]
        earlier = nearest.get(key)
        if earlier is not None and earlier.outcome not in OK_CHAINS:
            chain.repeats = earlier.chain
        nearest[key] = chain
    for chain in reversed(chains):
        if chain.repeats is not None and (chain.outcome in OK_CHAINS or chain.overcome):
            chains[chain.repeats].overcome = True
