"""Findings on chains: failures that lasted, retries, repeats (R19, R20, R24-R27)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Mapping

from trace_store.contract.calls import Log, is_unreadable
from trace_store.contract.outcomes import has_no_answer, probably_timed_out
from trace_store.contract.retries import MAX_ATTEMPTS, is_off_policy, wait_window_ms
from trace_store.contract.times import Span, overlap
from trace_store.contract.vocabulary import OK_CHAINS
from trace_store.evidence.context import Examination
from trace_store.evidence.findings.calls import describe_failure, is_token_missing, name_of
from trace_store.evidence.findings.formatting import (
    format_count,
    format_duration,
    format_list,
    format_value,
)
from trace_store.model import JSON, Call, Chain, ChainOutcome, Path

_MAX_OVERLAPS_TRIED = 100

_ENDED: Mapping[ChainOutcome, str] = {
    "exhausted": "had used up its attempts",
    "gave_up": "had been given up",
    "failed": "had failed",
    "application_error": "had answered with an error",
    "unreadable": "cannot be read",
}
"""By outcome: how the chain ended that the model tried again."""


def report_chains(exam: Examination) -> None:
    """Report failures that lasted, retries and repeats."""
    overlaps = _Overlaps(exam.log)
    repeated = _find_repeated(exam)
    for chain in exam.run.chains:
        if chain.outcome != "succeeded":
            _report_outcome(exam, chain, overlaps)
        if len(chain.calls) > 1:
            _report_attempts(exam, chain)
        if chain.repeats is not None:
            _report_repeat(exam, chain, exam.run.chains[chain.repeats])
        if (earlier := repeated.get(chain.chain)) is not None:
            first = exam.first_call(chain)
            again = f"{name_of(first)} was called again with the arguments that had succeeded before"
            exam.report("repeated_call", Path.call(first.sequence), f"{again} ({Path.call(earlier)})")


def _report_outcome(exam: Examination, chain: Chain, overlaps: _Overlaps) -> None:
    last = exam.last_call(chain)
    path, tool = Path.call(last.sequence), name_of(last)
    if last.outcome == "injected_failure":
        rule = last.matched_rule_index
        by = f"by rule {rule}" if rule is not None else "by a rule that it does not name"
        exam.report("failure_injected", path, f"{tool} was made to fail {by}, deliberately")
    if has_no_answer(last):
        exam.report(
            "outcome_unknown", path, f"{tool} got no answer{_describe_time_out(last)}: its effect may have happened"
        )
    if chain.overcome:
        return
    match chain.outcome:
        case "exhausted":
            message = (
                f"{tool} still failed after {format_count(len(chain.calls), 'attempt')}, {_describe_last(chain, last)}"
            )
            exam.report("retry_exhausted", path, message + overlaps.describe(chain))
        case "gave_up":
            tried = f"{len(chain.calls)} of {MAX_ATTEMPTS} attempts"
            message = f"{tool} was given up after {tried}, {_describe_last(chain, last)}"
            exam.report("retry_gave_up", path, message + overlaps.describe(chain))
        case "application_error":
            exam.report("application_error", path, f"{tool} answered with an error: {format_value(_error_in(last))}")
        case "failed":
            calls = [exam.run.calls[sequence] for sequence in chain.calls]
            tokens = any(call.stale_token or is_token_missing(call) for call in calls)
            if last.outcome == "failed" and not tokens:
                exam.report("call_failed", path, f"{tool} failed {describe_failure(last)}")


def _describe_last(chain: Chain, last: Call) -> str:
    return describe_failure(last) if len(chain.calls) == 1 else f"the last {describe_failure(last)}"


def _error_in(call: Call) -> JSON:
    response = call.response
    if not isinstance(response, dict):
        return response
    error = response.get("error")
    return error if error is not None else response.get("error_code")


def _describe_time_out(call: Call) -> str:
    return " and probably hit the SDK's default timeout" if probably_timed_out(call) else ""


def _report_attempts(exam: Examination, chain: Chain) -> None:
    calls = [exam.run.calls[sequence] for sequence in chain.calls]
    if len(calls) > MAX_ATTEMPTS:
        times = format_count(len(calls), "time")
        message = f"{name_of(calls[0])} was tried {times}; the policy stops at {MAX_ATTEMPTS}"
        exam.report("retry_over_budget", Path.call(calls[MAX_ATTEMPTS].sequence), message)
    for attempt, (before, after, wait_ms) in enumerate(zip(calls, calls[1:], chain.waits_ms, strict=False)):
        path = Path.call(after.sequence)
        if before.outcome == "failed" and not before.retryable:
            message = f"{name_of(after)} was tried again after a terminal failure, {describe_failure(before)}"
            exam.report("retried_terminal", path, message)
        elif before.retryable and wait_ms is not None and is_off_policy(attempt, wait_ms):
            shortest, longest = wait_window_ms(attempt)
            message = (
                f"{name_of(after)} waited {format_duration(wait_ms)} before attempt {attempt + 2}; "
                f"the policy waits {format_duration(shortest)} to {format_duration(longest)}"
            )
            exam.report("retry_wait_off_policy", path, message)


def _report_repeat(exam: Examination, chain: Chain, earlier: Chain) -> None:
    first, last = exam.first_call(chain), exam.last_call(earlier)
    path = Path.call(first.sequence)
    tool, before = name_of(first), Path.call(last.sequence)
    message = f"the model called {tool} again after {before}, which {_ENDED[earlier.outcome]}"
    exam.report("agent_retry", path, message)
    if has_no_answer(last):
        message = (
            f"{tool} was called again after {before}, which may have taken effect: the effect may have happened twice"
        )
        exam.report("possible_duplicate_effect", path, message)


def _find_repeated(exam: Examination) -> dict[int, int]:
    """Return the chains equal to an earlier one that ended well, each with the last call of that one (R24)."""
    chains = exam.run.chains
    counts = Counter((exam.first_call(chain).tool_name, chain.actor_id) for chain in chains)
    ended_well: dict[Hashable, int] = {}
    repeated: dict[int, int] = {}
    for chain in chains:
        first = exam.first_call(chain)
        if counts[first.tool_name, chain.actor_id] == 1 or is_unreadable(first):
            continue
        key = exam.log.equality_key(first.sequence)
        if key in ended_well:
            repeated[chain.chain] = ended_well[key]
        if chain.outcome in OK_CHAINS:
            ended_well[key] = chain.calls[-1]
    return repeated


class _Overlaps:
    """Which calls were in flight together: who held the lock that others contended for (R22)."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._spans: list[tuple[Span, Call]] | None = None

    def describe(self, chain: Chain) -> str:
        """Return the end of a sentence that names the calls in flight with a chain that met lock contention."""
        if "lock_contention" not in chain.error_classes:
            return ""
        names = list(dict.fromkeys(f"{name_of(call)} ({Path.call(call.sequence)})" for call in self._find_calls(chain)))
        return f"; in flight at the same time: {format_list(names)}" if names else ""

    def _find_calls(self, chain: Chain) -> list[Call]:
        if self._spans is None:
            spans = zip(self._log.spans, self._log.calls, strict=True)
            self._spans = sorted(((span, call) for span, call in spans if span is not None), key=lambda entry: entry[0])
        calls = []
        for sequence in chain.calls:
            span = self._log.spans[sequence]
            if span is None:
                continue
            end = bisect_left(self._spans, span.end_us, key=lambda entry: entry[0].start_us)
            for other, call in self._spans[max(0, end - _MAX_OVERLAPS_TRIED) : end]:
                if call.chain != chain.chain and overlap(span, other):
                    calls.append(call)
        return calls
