"""Findings on the answer and on the run as a whole (R3, R4, R22, R37, R44)."""

from __future__ import annotations

from trace_store.evidence.context import Examination
from trace_store.evidence.findings.formatting import format_count, format_list, format_name, quote
from trace_store.model import Path

FINAL_RESPONSE = Path("final_response")


def report_run(exam: Examination, redacted_at: Path | None) -> None:
    """Whether the run failed, and whether its answer is missing or cut."""
    run, report = exam.run, exam.report
    if run.response_error is not None:
        report.add("response_missing", FINAL_RESPONSE, f"the run has no final answer ({run.response_error})")
    elif run.failed:
        report.add("run_failed", failure_path(exam), _failure(exam))
    if run.final_response is not None and run.final_response_cut != 0:
        cut = run.final_response_cut
        lost = (
            "the platform has cut"
            if cut is None
            else f"{format_count(cut, 'character')} {'was' if cut == 1 else 'were'} cut off"
        )
        report.add("response_cut", FINAL_RESPONSE, f"{lost} the final answer: the judge saw only its head")
    if redacted_at is not None:
        report.add("secret_redacted", redacted_at, "the document held a secret, which was replaced by [redacted]")


def failure_path(exam: Examination) -> Path:
    """Where a run says that it failed: on itself, in its error, or by its status (R22)."""
    if exam.run.error_class is None:
        return Path("status")
    own = exam.body.get("error_class")
    return Path("error_class" if isinstance(own, str) and own else "error")


def _failure(exam: Examination) -> str:
    run = exam.run
    if run.error_class is not None:
        return f"the run failed with the run-layer class {format_name(run.error_class)}"
    return f"the run failed: its status is {format_name(run.status or '')}"


def report_grounding(exam: Examination) -> None:
    """Facts of the answer that stand nowhere, and an answer that rests on no successful call (R37)."""
    facts = exam.grounding.facts if exam.grounding is not None else []
    missing = list(dict.fromkeys(fact.text for fact in facts if fact.receipt is None))
    if missing:
        found = len({fact.text for fact in facts}) - len(missing)
        stand = "stands" if len(missing) == 1 else "stand"
        others = f" ({found:,} {'other does' if found == 1 else 'others do'})" if found else ""
        message = (
            f"{format_count(len(missing), 'fact')} of the answer {stand} in no receipt, message or task input{others}: "
            f"{format_list(quote(text) for text in missing)}"
        )
        exam.report.add("answer_ungrounded", FINAL_RESPONSE, message)
    exam.is_unverified = _is_unverified(exam)
    if exam.is_unverified:
        exam.report.add("answer_unverified", FINAL_RESPONSE, f"there is an answer, but {_without(exam)}")


def _is_unverified(exam: Examination) -> bool:
    run, claims = exam.run, exam.pairing.claims
    if run.final_response is None or not (run.calls or claims):
        return False
    if _rests_on_messages(exam):
        return all(claim.answer is None for claim in claims)
    return all(call.outcome != "ok" for call in run.calls)


def _rests_on_messages(exam: Examination) -> bool:
    """Whether tool messages stand in for receipts: there is no log, or nothing that the proxy would log."""
    claims = exam.pairing.claims
    return not exam.run.has_log or (bool(claims) and all(exam.is_executed(claim.call.name) for claim in claims))


def _without(exam: Examination) -> str:
    claims, calls = exam.pairing.claims, exam.run.calls
    if _rests_on_messages(exam):
        return f"no tool message answers {_all_of(len(claims), 'tool call')} of the transcript"
    if not calls:
        return f"the log is empty, and the transcript claims {format_count(len(claims), 'tool call')}"
    if len(calls) == 1:
        return "the only call of the log did not succeed"
    return f"none of the {len(calls):,} calls of the log succeeded"


def _all_of(count: int, thing: str) -> str:
    return f"the only {thing}" if count == 1 else f"any of the {format_count(count, thing)}"
