"""The waits of a retry chain against the policy's window, for all that show one (R26)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from trace_store.contract.retries import is_off_policy, wait_window_ms
from trace_store.model import Call, Chain


@dataclass(frozen=True, slots=True)
class Wait:
    """The wait before an attempt after the first, in milliseconds; null where times do not tell. The policy has no
    window after a failure that is not to be retried. `is_off`: outside of the window by more than the tolerance."""

    wait_ms: float | None
    window_ms: tuple[float, float] | None
    is_off: bool


def waits_of(chain: Chain, calls: Sequence[Call]) -> list[Wait]:
    """One entry a retry of the chain; `calls` is the whole log, which its sequences index."""
    waits = []
    for attempt, (before, _) in enumerate(pairwise(chain.calls)):
        wait_ms = chain.waits_ms[attempt] if attempt < len(chain.waits_ms) else None
        retryable = calls[before].retryable
        window_ms = wait_window_ms(attempt) if retryable else None
        waits.append(Wait(wait_ms, window_ms, retryable and wait_ms is not None and is_off_policy(attempt, wait_ms)))
    return waits
