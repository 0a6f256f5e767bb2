"""Findings on the transcript: dropped parts (R7-R13), pairs of calls and results (R35), and receipts (R36)."""

from __future__ import annotations

from trace_store.contract.transcript import METADATA_KEYS
from trace_store.evidence.context import Examination
from trace_store.evidence.findings.calls import describe_failure, name_of
from trace_store.evidence.findings.formatting import format_count, format_json, format_name, format_value, quote
from trace_store.evidence.tool_results import contradicts, text_of
from trace_store.evidence.transcript_calls import Answer
from trace_store.model import Call, Chain, Path, SoftWarning


def report_transcript(exam: Examination) -> None:
    """Report malformed parts that were dropped (R7-R13), and arguments that are not an object (R11)."""
    reported: set[Path] = set()
    for warning in exam.run.warnings:
        path = warning.path
        if path is not None and path not in reported and _is_dropped(warning, path):
            reported.add(path)
            exam.report("rich_mode_dropped", path, f"{path} is malformed: {warning.reason}")
    for call in exam.transcript.calls:
        if not call.tool_call.arguments_decoded:
            at = exam.argument_faults[call.path] = call.path / "arguments"
            arguments = format_value(call.tool_call.arguments)
            message = f"the arguments of {format_name(call.name)} are not a JSON object: {arguments}"
            exam.report("arguments_undecoded", at, message)


def _is_dropped(warning: SoftWarning, path: Path) -> bool:
    """Return whether a warning is about a malformed part of the transcript that the platform drops (R7-R13)."""
    match path.steps:
        case ("messages", *_) | ("metadata",):
            return warning.kind in ("dropped", "nulled")
        case ("metadata", name):  # a known key of the wrong type stays as it is here
            return warning.kind == "noted" and name in METADATA_KEYS
    return False


def report_pairing(exam: Examination) -> None:
    """Report ids that are missing or used twice, and calls and results without each other (R35)."""
    first_with: dict[str, Path] = {}
    duplicates: set[str] = set()
    for call in exam.transcript.calls:
        id_ = call.tool_call.id
        if not id_:
            continue
        first = first_with.setdefault(id_, call.path)
        if first != call.path and id_ not in duplicates:
            duplicates.add(id_)
            message = f"the id {quote(id_)} is also the id of an earlier tool call ({first})"
            exam.report("tool_call_id_duplicate", call.path, message)
    if exam.transcript.first_missing_id is not None:
        message = "a tool call or its result has no id; calls and results are paired by their order"
        exam.report("tool_call_id_missing", exam.transcript.first_missing_id, message)
    for orphan in exam.transcript.orphans:
        with_id = f" with the id {quote(orphan.tool_call_id)}" if orphan.tool_call_id else ""
        message = f"a tool message{with_id} answers no tool call before it"
        exam.report("tool_result_orphan", orphan.path, message)
    for call in exam.transcript.calls:
        if call.answer is None:
            message = f"no tool message answers this call of {format_name(call.name)}"
            exam.report("tool_call_unanswered", call.path, message)


def report_receipts(exam: Examination) -> None:
    """Report calls and chains without a counterpart, and results that differ from their receipts (R36)."""
    calls = exam.transcript.calls
    for call in calls if exam.run.has_log else ():
        if call.receipt is None and call.name not in exam.declared.executed and not exam.declared.lacks(call.name):
            exam.calls_without_receipt.append(call)
            arguments = call.tool_call.arguments
            called = format_name(call.name) + ("" if arguments is None else f" with {format_value(arguments)}")
            message = f"the transcript calls {called}, but no call of the log answers it"
            exam.report("call_without_receipt", call.path, message)
    _report_unpaired_chains(exam, {call.receipt.chain.actor_id for call in calls if call.receipt is not None})
    for call in calls:
        if call.receipt is not None and call.answer is not None:
            _report_result(exam, call.answer, exam.run.calls[call.receipt.sequence])


def _report_unpaired_chains(exam: Examination, paired_actors: set[str | None]) -> None:
    outside: dict[str, list[Chain]] = {}
    for chain in exam.unpaired_chains:
        if chain.actor_id is not None and chain.actor_id not in paired_actors:
            outside.setdefault(chain.actor_id, []).append(chain)
            continue
        first = exam.first_call(chain)
        message = f"the log has a call of {name_of(first)} that the transcript does not show"
        exam.report("receipt_without_call", Path.call(first.sequence), message)
    for actor, chains in outside.items():
        calls = sum(len(chain.calls) for chain in chains)
        made = "1 call, which" if calls == 1 else f"{format_count(calls, 'call')}, none of which"
        shows = "does not show" if calls == 1 else "shows"
        message = f"{format_name(actor)} made {made} the transcript {shows}"
        exam.report("actor_outside_transcript", Path.call(chains[0].calls[0]), message)


def _report_result(exam: Examination, answer: Answer, receipt: Call) -> None:
    """Report a result that differs from its receipt."""
    if not contradicts(answer, receipt):
        return
    text, tool, call_path = text_of(answer.content), name_of(receipt), Path.call(receipt.sequence)
    given = f"the model received {quote(text) if text.strip() else 'nothing'}"
    if receipt.outcome in ("ok", "application_error"):
        message = f"{given}, but {tool} returned {format_json(receipt.response)} ({call_path})"
        exam.report("tool_result_differs", answer.path, message)
    else:
        message = f"{tool} failed {describe_failure(receipt)} ({call_path}), but {given}"
        exam.report("failure_hidden", answer.path, message)
