"""Findings on the transcript held against the log: claims, receipts, and what the model was told (R36)."""

from __future__ import annotations

from trace_store.evidence.context import Examination
from trace_store.evidence.findings.calls import name_of
from trace_store.evidence.findings.formatting import format_count, format_json, format_name, format_value, quote
from trace_store.evidence.findings.retries import failure_of
from trace_store.evidence.tool_results import admits_failure, tells, text_of
from trace_store.model import JSON, Chain, Message, Path


def report_receipts(exam: Examination) -> None:
    """What is left over on either side, and what the model was told in between."""
    if not exam.receipts.compared:
        return
    for number in exam.receipts.claims_left:
        claim = exam.pairing.claims[number]
        name = claim.call.name
        if exam.is_executed(name) or exam.toolbox.lacks(name):
            continue
        exam.unproven.append(number)
        message = (
            f"the transcript calls {format_name(name)}{_with(claim.call.arguments)}, but no call of the log answers it"
        )
        exam.report.add("call_without_receipt", claim.path, message)
    _report_leftover_chains(exam)
    for number, receipt in exam.receipts.of_claim.items():
        _report_told(exam, number, receipt.calls[-1])


def _report_leftover_chains(exam: Examination) -> None:
    within = {receipt.chain.actor_id for receipt in exam.receipts.of_claim.values()}
    outside: dict[str, list[Chain]] = {}
    for chain in exam.receipts.chains_left:
        if chain.actor_id is not None and chain.actor_id not in within:
            outside.setdefault(chain.actor_id, []).append(chain)
            continue
        first = exam.run.calls[chain.calls[0]]
        message = f"the log has a call of {name_of(first)} that the transcript does not show"
        exam.report.add("receipt_without_call", Path.call(first.sequence), message)
    for actor, chains in outside.items():
        calls = sum(len(chain.calls) for chain in chains)
        made = "1 call, which" if calls == 1 else f"{format_count(calls, 'call')}, none of which"
        shows = "does not show" if calls == 1 else "shows"
        message = f"{format_name(actor)} made {made} the transcript {shows}"
        exam.report.add("actor_outside_transcript", Path.call(chains[0].calls[0]), message)


def _report_told(exam: Examination, number: int, sequence: int) -> None:
    answer, receipt = exam.pairing.claims[number].answer, exam.run.calls[sequence]
    if answer is None:
        return
    is_answered = receipt.outcome in ("ok", "application_error")
    if tells(answer, receipt.response) if is_answered else admits_failure(answer, receipt):
        return
    path, tool = Path.message(answer.index), name_of(receipt)
    if is_answered:
        message = f"the model was told {_words(answer)}, but {tool} returned {format_json(receipt.response)}"
        exam.report.add("tool_result_differs", path, f"{message} ({Path.call(sequence)})")
    else:
        failed = f"{tool} failed {failure_of(receipt)} ({Path.call(sequence)})"
        message = f"{failed}, but the model was told {_words(answer)}"
        exam.report.add("failure_hidden", path, message)


def _with(arguments: JSON) -> str:
    return "" if arguments is None else f" with {format_value(arguments)}"


def _words(answer: Message) -> str:
    text = text_of(answer.content)
    return quote(text) if text.strip() else "nothing"
