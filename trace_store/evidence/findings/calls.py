"""Findings on the calls of the log, one by one (R16-R23, R39)."""

from __future__ import annotations

from trace_store.contract.calls import is_unreadable
from trace_store.contract.outcomes import (
    error_text,
    has_inconsistent_rule_index,
    has_inconsistent_validation,
    has_no_answer,
)
from trace_store.contract.vocabulary import FAILURE_SOURCES, SOURCES, STATUS_MEANINGS
from trace_store.evidence.context import Examination
from trace_store.evidence.envelopes import envelopes_in, violations
from trace_store.evidence.findings.formatting import format_count, format_name, format_value, quote
from trace_store.model import Call, Path

_STATED_SOURCES = FAILURE_SOURCES | {"injected"}  # those that say by themselves that a call failed


def name_of(call: Call) -> str:
    """Return what a call called: its tool, or the operation of the data lane."""
    operation = call.extra.get("operation")
    name = call.tool_name or (operation if isinstance(operation, str) else "")
    return format_name(name) if name else f"the {call.lane} endpoint"


def describe_failure(call: Call) -> str:
    """Return how a call failed: `with 503 lock_contention`, and what its error says."""
    words = " ".join(
        str(word) for word in (call.status_code, call.error_class and format_name(call.error_class)) if word
    )
    text = error_text(call)
    why, source = f": {quote(text)}" if text else "", format_name(call.source or "")
    if has_no_answer(call) and not words:
        return f"without an answer{why}"
    if not words or (call.source in _STATED_SOURCES and (call.status_code or 0) < 400):
        words = f"{words} and the source {source}" if words else f"the source {source}"
    meaning = STATUS_MEANINGS.get(call.status_code or 0) if call.error_class is None and not text else None
    return f"with {words}" + (why or (f" ({meaning})" if meaning else ""))


def report_calls(exam: Examination) -> None:
    """Report what is wrong with single entries of the log."""
    for call in exam.run.calls:
        if is_unreadable(call):
            message = "the entry of the log cannot be read as a call: it names no tool"
            exam.report("unreadable_call", Path.call(call.sequence), message)
        if not call.arguments_decoded:
            path = Path.call(call.sequence)
            at = exam.argument_faults[path] = path / "arguments"
            message = f"the logged arguments of {name_of(call)} are not a JSON object: {format_value(call.arguments)}"
            exam.report("arguments_undecoded", at, message)
        if call.source is not None and call.source not in SOURCES:
            message = f"{name_of(call)} was answered by the unknown source {quote(call.source)}"
            exam.report("unknown_source", Path.call(call.sequence), message)
        if has_inconsistent_rule_index(call):
            exam.report("rule_index_inconsistent", Path.call(call.sequence), _describe_rule_index(call))
        if has_inconsistent_validation(call):
            message = f"{name_of(call)} has a validation, but its source is {_describe_source(call)}, not odyssey"
            exam.report("validation_inconsistent", Path.call(call.sequence), message)


def _describe_rule_index(call: Call) -> str:
    if call.matched_rule_index is None:
        return f"{name_of(call)} was injected, but names no failure rule"
    rule = call.matched_rule_index
    return f"{name_of(call)} names the failure rule {rule}, but its source is {_describe_source(call)}, not injected"


def _describe_source(call: Call) -> str:
    return "not stated" if call.source is None else format_name(call.source)


def is_token_missing(call: Call) -> bool:
    """Return whether a call carried no token (R22): its class says so, and its status does not deny it."""
    return call.error_class == "run_token_missing" and call.status_code in (401, None)


def report_tokens(exam: Examination) -> None:
    """Report the first call with a stale token, and the first without one (R22, R23)."""
    calls = exam.run.calls
    stale = next((call for call in calls if call.stale_token), None)
    if stale is not None:
        after = len(calls) - stale.sequence - 1
        came = "no call came after" if not after else f"{format_count(after, 'call')} came after"
        message = f"{name_of(stale)} was refused because the run had closed ({stale.error_class}); {came}"
        exam.report("stale_token", Path.call(stale.sequence), message)
    missing = next((call for call in calls if is_token_missing(call)), None)
    if missing is not None:
        exam.report("token_missing", Path.call(missing.sequence), f"{name_of(missing)} was called without a run token")


def report_envelopes(exam: Examination) -> None:
    """Report the rules that failure envelopes break (R39)."""
    for path, envelope in envelopes_in(exam.run):
        for violation in violations(envelope):
            message = f"the envelope breaks {violation.name}: {violation.reason}"
            exam.report("envelope_invalid", path / violation.field, message)
