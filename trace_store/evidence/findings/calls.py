"""Findings on the calls of the log, one by one (R16-R23, R39)."""

from __future__ import annotations

from trace_store.contract.calls import is_unreadable
from trace_store.contract.outcomes import rule_index_inconsistent, validation_inconsistent
from trace_store.contract.vocabulary import SOURCES
from trace_store.evidence.context import Examination
from trace_store.evidence.envelopes import envelopes_in, violations
from trace_store.evidence.findings.formatting import format_count, format_name, format_value, quote
from trace_store.model import Call, Path


def name_of(call: Call) -> str:
    """What a call called: its tool, or the operation of the data lane."""
    operation = call.extra.get("operation")
    name = call.tool_name or (operation if isinstance(operation, str) else "")
    return format_name(name) if name else f"the {call.lane} endpoint"


def report_calls(exam: Examination) -> None:
    """What is wrong with single entries of the log."""
    report = exam.report
    for call in exam.run.calls:
        path = Path.call(call.sequence)
        if is_unreadable(call):
            report.add("unreadable_call", path, "the entry of the log cannot be read as a call: it names no tool")
        if not call.arguments_decoded:
            at = exam.argument_faults[path] = path / "arguments"
            message = f"the logged arguments of {name_of(call)} are no JSON object: {format_value(call.arguments)}"
            report.add("arguments_undecoded", at, message)
        if call.source is not None and call.source not in SOURCES:
            report.add(
                "unknown_source", path, f"{name_of(call)} was answered by the unknown source {quote(call.source)}"
            )
        if rule_index_inconsistent(call):
            report.add("rule_index_inconsistent", path, _rule_index(call))
        if validation_inconsistent(call):
            message = f"{name_of(call)} has a validation, but its source is {_source(call)}, not odyssey"
            report.add("validation_inconsistent", path, message)


def _rule_index(call: Call) -> str:
    if call.matched_rule_index is None:
        return f"{name_of(call)} was injected, but names no failure rule"
    rule = call.matched_rule_index
    return f"{name_of(call)} names the failure rule {rule}, but its source is {_source(call)}, not injected"


def _source(call: Call) -> str:
    return "not stated" if call.source is None else format_name(call.source)


def is_token_missing(call: Call) -> bool:
    """Whether a call carried no token (R22); a status that is not 401 belies it."""
    return call.error_class == "run_token_missing" and call.status_code in (401, None)


def report_tokens(exam: Examination) -> None:
    """Calls with a stale token, or without one (R22, R23)."""
    calls, report = exam.run.calls, exam.report
    stale = next((call for call in calls if call.stale_token), None)
    if stale is not None:
        after = len(calls) - stale.sequence - 1
        came = "no call came after" if not after else f"{format_count(after, 'call')} came after"
        message = f"{name_of(stale)} was refused, for the run had closed ({stale.error_class}); {came}"
        report.add("stale_token", Path.call(stale.sequence), message)
    missing = next((call for call in calls if is_token_missing(call)), None)
    if missing is not None:
        report.add("token_missing", Path.call(missing.sequence), f"{name_of(missing)} was called without a run token")


def report_envelopes(exam: Examination) -> None:
    """Broken rules of failure envelopes (R39)."""
    for path, envelope in envelopes_in(exam.run):
        for violation in violations(envelope):
            message = f"the envelope breaks {violation.name}: {violation.reason}"
            exam.report.add("envelope_invalid", path / violation.field, message)
