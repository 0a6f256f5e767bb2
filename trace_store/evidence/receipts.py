"""Which chain of the log is the receipt of which tool call of the transcript (R36)."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field

from trace_store.contract.arguments import canonical
from trace_store.contract.calls import Log, is_unreadable
from trace_store.evidence.pairing import Claim
from trace_store.evidence.tool_results import Form, forms_of, forms_told
from trace_store.model import Chain, Run


@dataclass(slots=True)
class Receipt:
    """The attempts that answer one claim: those of a chain, or, where the caller retried by itself, its share of
    them. The last one is the receipt."""

    chain: Chain
    calls: list[int]


@dataclass(slots=True)
class Receipts:
    """The receipts by the number of their claim, and what is left over on either side. All empty where there is
    nothing to compare."""

    compared: bool = False
    of_claim: dict[int, Receipt] = field(default_factory=dict)
    claims_left: list[int] = field(default_factory=list)
    chains_left: list[Chain] = field(default_factory=list)

    def claim_of_call(self) -> dict[int, int]:
        """The claim that each paired call answers, by the sequence of the call."""
        return {sequence: claim for claim, receipt in self.of_claim.items() for sequence in receipt.calls}


def find_receipts(run: Run, claims: list[Claim], log: Log) -> Receipts:
    """Pairs the claims of a transcript with the chains of the log's tool lane, and notes in each claimed call the
    sequence of its receipt. Needs a log, even an empty one, and at least one claim."""
    if not run.has_log or not claims:
        return Receipts()
    matcher = _Matcher(run, claims, log)
    matcher.pair_equal()
    if matcher.has_claims_left():
        matcher.pair_unknown_arguments()
        matcher.split_chains()
    return matcher.receipts()


@dataclass(slots=True)
class _Group:
    """Claims and chains of one tool and equal arguments, each in order."""

    claims: list[int] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)


class _Matcher:
    def __init__(self, run: Run, claims: list[Claim], log: Log) -> None:
        self._run = run
        self._claims = claims
        self._groups: dict[Hashable, _Group] = {}
        self._chains: list[Chain] = []  # of the tool lane, those that can be read
        self._paired: dict[int, Chain] = {}  # by claim
        self._sharing: dict[int, list[int]] = {}  # by chain: its claims, in order
        for number, claim in enumerate(claims):
            self._group(claim.call.name, canonical(claim.call.arguments)).claims.append(number)
        for chain in run.chains:
            first = run.calls[chain.calls[0]]
            if first.lane == "tool" and not is_unreadable(first):
                self._chains.append(chain)
                self._group(chain.tool_name, log.canonical_arguments(first.sequence)).chains.append(chain)

    def _group(self, tool: str | None, arguments: bytes) -> _Group:
        kind = (tool, arguments)
        group = self._groups.get(kind)
        if group is None:
            group = self._groups[kind] = _Group()
        return group

    def _pair(self, claim: int, chain: Chain) -> None:
        self._paired[claim] = chain
        insort(self._sharing.setdefault(chain.chain, []), claim)

    def has_claims_left(self) -> bool:
        """Whether a claim is not paired yet."""
        return len(self._paired) < len(self._claims)

    def pair_equal(self) -> None:
        """First in, first out; where one side has more, those go first whose response is what the model was told."""
        for group in self._groups.values():
            claims, chains = group.claims, group.chains
            if claims and chains and len(claims) != len(chains):
                self._pair_as_told(group)
                claims = [claim for claim in claims if claim not in self._paired]
                chains = [chain for chain in chains if chain.chain not in self._sharing]
            for claim, chain in zip(claims, chains, strict=False):
                self._pair(claim, chain)

    def _pair_as_told(self, group: _Group) -> None:
        waiting: dict[Form, deque[Chain]] = {}
        for chain in group.chains:
            for form in forms_of(self._run.calls[chain.calls[-1]].response):
                waiting.setdefault(form, deque()).append(chain)
        for claim in group.claims:
            answer = self._claims[claim].answer
            for form in forms_told(answer) if answer is not None else ():
                queue = waiting.get(form, deque())
                while queue and queue[0].chain in self._sharing:
                    queue.popleft()
                if queue:
                    self._pair(claim, queue.popleft())
                    break

    def pair_unknown_arguments(self) -> None:
        """Leftovers of one tool, in order, where one side does not say with which arguments."""
        known: dict[str | None, deque[Chain]] = {}
        unknown: dict[str | None, deque[Chain]] = {}
        for chain in self._chains_left():
            queues = known if self._says_arguments(chain) else unknown
            queues.setdefault(chain.tool_name, deque()).append(chain)
        for claim in self._claims_left():
            call = self._claims[claim].call
            # A claim that says no arguments takes the first chain of all, one that does the first that says none.
            says = call.arguments is not None and call.arguments_decoded
            queues_of_tool = [unknown.get(call.name), None if says else known.get(call.name)]
            candidates = [queue for queue in queues_of_tool if queue]
            if candidates:
                self._pair(claim, min(candidates, key=lambda queue: queue[0].chain).popleft())

    def _says_arguments(self, chain: Chain) -> bool:
        first = self._run.calls[chain.calls[0]]
        return first.arguments is not None and first.arguments_decoded

    def split_chains(self) -> None:
        """A leftover claim takes an attempt of an equal, paired chain: the caller retried by itself."""
        for group in self._groups.values():
            if any(len(chain.calls) > 1 for chain in group.chains):
                left = [claim for claim in group.claims if claim not in self._paired]
                # A failed attempt comes before the one that its caller went on with: so first those after.
                left = self._split_for(left[::-1], group.claims[::-1])
                self._split_for(left[::-1], group.claims)

    def _split_for(self, left: list[int], claims: list[int]) -> list[int]:
        """Walks along the claims, and gives each leftover one an attempt of the last chain passed that has one to
        spare; answers those that got none."""
        still_left: list[int] = []
        waiting = set(left)
        roomy: list[Chain] = []
        for claim in claims:
            if claim in waiting:
                while roomy and len(self._sharing[roomy[-1].chain]) >= len(roomy[-1].calls):
                    roomy.pop()
                if roomy:
                    self._pair(claim, roomy[-1])
                else:
                    still_left.append(claim)
            elif claim in self._paired:
                roomy.append(self._paired[claim])
        return still_left

    def receipts(self) -> Receipts:
        """What came of it."""
        result = Receipts(compared=True, claims_left=self._claims_left(), chains_left=self._chains_left())
        for claim, chain in sorted(self._paired.items(), key=lambda pair: pair[0]):
            result.of_claim[claim] = receipt = Receipt(chain, self._share(claim, chain))
            self._claims[claim].call.receipt = receipt.calls[-1]
        return result

    def _share(self, claim: int, chain: Chain) -> list[int]:
        """The attempts that answer a claim: each of several takes one, the last the rest."""
        claims = self._sharing[chain.chain]
        if len(claims) == 1:
            return chain.calls
        position = bisect_left(claims, claim)
        return chain.calls[position:] if position == len(claims) - 1 else [chain.calls[position]]

    def _claims_left(self) -> list[int]:
        return [claim for claim in range(len(self._claims)) if claim not in self._paired]

    def _chains_left(self) -> list[Chain]:
        return [chain for chain in self._chains if chain.chain not in self._sharing]
