"""Findings on the answer and on the run as a whole (R3, R4, R22, R37, R44)."""

from __future__ import annotations

from trace_store.evidence.context import Examination
from trace_store.evidence.findings.formatting import format_count, format_list, format_name, quote
from trace_store.model import Path

FINAL_RESPONSE = Path("final_response")


def report_run(exam: Examination, redacted_at: Path | None) -> None:
    """Report whether the run failed, whether its answer is missing or cut, and whether it held a secret."""
    run = exam.run
    if run.response_error is not None:
        exam.report("response_missing", FINAL_RESPONSE, f"the run has no final answer ({run.response_error})")
    elif run.failed:
        if run.error_class is not None:
            message = f"the run failed with the run-layer class {format_name(run.error_class)}"
        else:
            message = f"the run failed: its status is {format_name(run.status or '')}"
        exam.report("run_failed", failure_path(exam), message)
    if run.final_response is not None and run.final_response_cut != 0:
        cut = run.final_response_cut
        if cut is None:
            lost = "the platform has cut"
        else:
            lost = f"{format_count(cut, 'character')} {'was' if cut == 1 else 'were'} cut off"
        exam.report("response_cut", FINAL_RESPONSE, f"{lost} the final answer: the judge saw only its beginning")
    if redacted_at is not None:
        exam.report("secret_redacted", redacted_at, "the document held a secret, which was replaced by [redacted]")


def failure_path(exam: Examination) -> Path:
    """Return where a run says that it failed: on itself, in its error, or by its status (R22)."""
    if exam.run.error_class is None:
        return Path("status")
    own = exam.body.get("error_class")
    return Path("error_class" if isinstance(own, str) and own else "error")


def report_answer(exam: Examination) -> None:
    """Report facts of the answer without a source, and an answer that no successful call supports (R37)."""
    facts = exam.grounding.facts if exam.grounding is not None else []
    missing = list(dict.fromkeys(fact.text for fact in facts if fact.receipt is None))
    if missing:
        grounded = len({fact.text for fact in facts}) - len(missing)
        appear = "appears" if len(missing) == 1 else "appear"
        others = f" ({grounded:,} {'other does' if grounded == 1 else 'others do'})" if grounded else ""
        facts_missing = format_count(len(missing), "fact")
        message = (
            f"{facts_missing} of the answer {appear} in no receipt, message or task input{others}: "
            f"{format_list(quote(text) for text in missing)}"
        )
        exam.report("answer_ungrounded", FINAL_RESPONSE, message)
    if (reason := _why_unverified(exam)) is not None:
        exam.is_unverified = True
        exam.report("answer_unverified", FINAL_RESPONSE, f"there is an answer, but {reason}")


def _why_unverified(exam: Examination) -> str | None:
    """Return why no successful call supports an answer, as the end of a sentence; None if one does."""
    logged, claimed = exam.run.calls, exam.transcript.calls
    if exam.run.final_response is None or not (logged or claimed):
        return None
    # Tool messages stand in for receipts where there is no log, or nothing that the proxy would log.
    if not exam.run.has_log or (claimed and all(call.name in exam.declared.executed for call in claimed)):
        if any(call.answer is not None for call in claimed):
            return None
        count = len(claimed)
        calls = "the only tool call" if count == 1 else f"any of the {format_count(count, 'tool call')}"
        return f"no tool message answers {calls} of the transcript"
    if any(call.outcome == "ok" for call in logged):
        return None
    if not logged:
        return f"the log is empty, and the transcript claims {format_count(len(claimed), 'tool call')}"
    if len(logged) == 1:
        return "the only call of the log did not succeed"
    return f"none of the {len(logged):,} calls of the log succeeded"
