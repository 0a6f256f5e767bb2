"""One word, one colour and one explanation for everything that the pages show as a badge or a column.

Colour never stands alone and means the same everywhere: green is well, yellow an application error or a warning, red
failed, violet injected on purpose, orange undeclared, gray neutral.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Colour: TypeAlias = Literal["red", "orange", "yellow", "green", "blue", "violet", "gray"]


@dataclass(frozen=True, slots=True)
class Term:
    """A word as the pages show it, its colour, and what it means in a sentence."""

    word: str
    colour: Colour
    meaning: str


VERDICT = {
    True: Term("passed by the judge", "green", "The export says judge_passed: true."),
    False: Term("failed by the judge", "red", "The export says judge_passed: false."),
    None: Term("not judged", "gray", "The export has no verdict of the judge."),
}

JUDGED = {
    True: Term("passed", "green", VERDICT[True].meaning),
    False: Term("failed", "red", VERDICT[False].meaning),
}

VIEW = {  # R5
    "rich": Term("rich", "gray", "At least one message survived normalisation, so there is a transcript."),
    "thin": Term("thin", "yellow", "No message survived normalisation: only the final answer can be shown."),
}

RUN = {  # R3, R4, R8, R9, R14, R25-R30
    "failed": Term("run failed", "red", "No answer, an error class of the run, or a status that means failure."),
    "response_error": Term("no answer", "red", "The final response is missing, null or empty."),
    "cut": Term("answer cut", "yellow", "The platform keeps the first 50,000 characters; the judge saw only those."),
    "undeclared": Term("undeclared", "orange", "Calls by actors that the catalog does not declare."),
    "malformed": Term("malformed", "orange", "Calls whose actor label breaks the rules for labels."),
    "retries": Term("retries", "yellow", "Attempts after the first of their chain: the SDK tried again."),
    "retry": Term("retry", "yellow", "An attempt after the first of its chain: the SDK tried again."),
    "repeats": Term("repeats", "yellow", "Calls that the model made again after a failure; SDK retries are apart."),
    "repeat": Term("repeat", "yellow", "A call that the model made again after a failure; SDK retries are apart."),
    "application_error": Term("application error", "yellow", "A call that was answered, with an error as the payload."),
    "application_errors": Term("application errors", "yellow", "Calls that were answered, with errors as payloads."),
    "exhausted": Term("exhausted", "red", "Calls for which all four attempts failed with a retryable error."),
    "warnings": Term("warnings", "yellow", "Soft warnings: those in the export, and those that the import added."),
    "warning": Term("warning", "yellow", "A soft warning, from the export or from the import."),
    "dropped": Term("dropped", "yellow", "Entries of the transcript that could not be read."),
}

COUNT = {  # R3, R19, R25, R27, R31
    "calls": Term("calls", "gray", "Entries of the proxy log, each attempt of a retried call included."),
    "failures": Term(
        "failed", "red", "Calls that ended in a failure, injected failures included and application errors not."
    ),
    "failure_rate": Term("failure rate", "red", "Failed calls of all calls that can be read."),
    "application_errors": Term(
        "application errors",
        "yellow",
        "Calls that were answered with status 200 and an error as the payload. They are not among the failed ones.",
    ),
    "unsuccessful": Term("failed or error", "red", "Calls that failed or were answered with an application error."),
    "retries": Term("retries", "yellow", "Attempts after the first of their chain, made by the SDK."),
    "wasted_ms": Term("lost", "yellow", "Time from the start of a chain's first attempt to the start of its last."),
    "exhausted": Term("exhausted retries", "red", "Chains of four or more attempts, the last still failing."),
    "run_failures": Term(
        "ended in failure", "red", "Runs without an answer, with an error class, or with a status that means failure."
    ),
    "at_boundary": Term("failed at a boundary", "red", "Runs with a first failed boundary, whatever the judge said."),
    "failed_in": Term("runs with failed calls", "red", "Runs in which at least one call failed."),
}
"""What each figure counts, in one place: the pages show these words and sentences, and count in the store."""

RUN_STATE = {
    "failed": RUN["failed"],
    "response_error": RUN["response_error"],
    "thin": VIEW["thin"],
}

OUTCOME = {  # R19, R20
    "ok": Term("ok", "green", "Answered without an error."),
    "application_error": Term("application error", "yellow", "Answered with status 200, but the payload is an error."),
    "failed": Term("failed", "red", "An error source, a status of 400 or more, an error class, or no answer."),
    "injected_failure": Term(
        "injected failure", "violet", "A failure rule of the run fired: the failure is deliberate."
    ),
    "unreadable": Term(
        "unreadable", "yellow", "The entry of the log names no tool; it counts as neither answered nor failed."
    ),
}

CHAIN = {  # R26, R27
    "succeeded": Term("succeeded", "green", "Answered at the first attempt."),
    "recovered": Term("recovered", "green", "A later attempt was answered."),
    "exhausted": Term(
        "retries exhausted", "red", "Four or more attempts, and the last one still failed with a retryable error."
    ),
    "gave_up": Term("gave up", "red", "Fewer than four attempts, although the last failure could be retried."),
    "failed": Term("failed", "red", "The last attempt failed for good, or its failure was injected."),
    "application_error": Term("application error", "yellow", "Answered, but with an error as its payload."),
    "unreadable": Term("unreadable", "yellow", "The last entry of the log for this call cannot be read."),
}

ACTOR = {  # R28-R31
    "declared": Term("declared", "gray", "The label, or its last segment, is in the catalog."),
    "undeclared": Term(
        "undeclared", "orange", "The run has a catalog, and neither the label nor its last segment is in it."
    ),
    "unchecked": Term("unchecked", "gray", "The run declares no actors, so there is nothing to check against."),
    "unattributed": Term("unattributed", "gray", "The call has no label, which is normal in a single-agent run."),
    "malformed": Term("malformed", "orange", "The label breaks the rules for labels; it is shown unchanged."),
    "structural": Term("structural", "gray", "A parent of other actors that makes no calls itself."),
}

SOURCE = {
    "odyssey": Term("odyssey", "gray", "Answered by the simulator."),
    "injected": Term("injected", "violet", "A failure rule answered on purpose."),
    "error": Term("error", "red", "The simulator failed."),
    "passthrough": Term("passthrough", "gray", "Answered by the live tool."),
    "transport_error": Term("transport error", "red", "The live tool gave no answer."),
}

BOUNDARY = {  # R38
    "transport": Term("transport", "red", "No answer from the proxy, or an HTTP failure."),
    "generation": Term("generation", "red", "The model's turn was incomplete, refused, failed or empty."),
    "arguments": Term("arguments", "red", "The arguments did not decode or do not fit their schema."),
    "authorization": Term("authorization", "red", "Refused because a token or a permission was missing."),
    "receipt": Term("receipt", "red", "Answered with a failure, or a call in the transcript without a receipt."),
    "answer": Term("answer", "red", "The final answer is missing, cut, or not supported by any evidence."),
}
JUDGED_ALONE = Term("judge, no failed step", "orange", "The judge failed the run, and no boundary failed.")
OTHER = Term("other", "gray", "Signatures of one run each.")
NO_BOUNDARY = Term("none", "gray", "No boundary failed.")
DELIBERATE = Term("deliberate", "violet", "A failure rule of the run fired, to test what the agent does then.")
CORRECTED = Term("corrected", "green", "A later call by the same actor, with other arguments, succeeded.")

SEVERITY = {
    "error": Term("error", "red", "Something went wrong, or the evidence contradicts the transcript."),
    "warning": Term("warning", "yellow", "A reviewer should look at it."),
    "info": Term("info", "gray", "Worth knowing; nothing is wrong."),
}

REVIEW = {
    "pass": Term("pass", "green", "The reviewer says that the run did what it should."),
    "fail": Term("fail", "red", "The reviewer says that the run did not do what it should."),
    "unsure": Term("unsure", "yellow", "The reviewer could not decide."),
}

AGREEMENT = {
    "same": Term("= receipt", "gray", "The tool message equals the response of the receipt."),
    "agrees": Term("agrees with the receipt", "gray", "Nothing in the tool message contradicts the receipt."),
    "reported": Term("reports the failure", "gray", "The call failed, and the tool message says so."),
    "differs": Term("differs from the receipt", "yellow", "The tool message is not what the receipt proves."),
    "hidden": Term("says nothing of the failure", "red", "The call failed, and the tool message does not say so."),
}
"""What the model saw, held against the receipt."""

_BEYOND_CHANCE = "by more than chance makes likely, with all rows of this page asked together."
_ALONE = "if this were the only question. Among as many rows as these, chance alone is expected to give one such."
DIFFERENCE = {
    "higher": Term("higher", "gray", f"Higher on the right, {_BEYOND_CHANCE}"),
    "lower": Term("lower", "gray", f"Lower on the right, {_BEYOND_CHANCE}"),
    "higher alone": Term("higher, taken alone", "gray", f"Higher on the right {_ALONE}"),
    "lower alone": Term("lower, taken alone", "gray", f"Lower on the right {_ALONE}"),
    "unclear": Term("cannot be told from chance with these counts", "gray", ""),
    "nothing": Term("nothing to compare", "gray", "One side has no run to count."),
}
"""The rate of the right run set against that of the left one."""

NO_SOURCE = Term("no source", "gray", "A legacy payload that does not say who answered.")
STALE_TOKEN = Term("stale token", "red", "The run had closed: its token was expired, invalid or rejected.")
UNKNOWN_SOURCE = Term("unknown source", "yellow", "Not one of the known sources.")
NO_RECEIPT = Term("no receipt", "red", "The log has no such call.")
NO_ANSWER = Term("no answer", "yellow", "No tool message answers this call.")
CALL = {
    "no_source": NO_SOURCE,
    "unknown_source": UNKNOWN_SOURCE,
    "stale_token": STALE_TOKEN,
    "no_receipt": NO_RECEIPT,
    "no_answer": NO_ANSWER,
}
"""What may be said of one call besides."""
NO_LOG = Term("no log", "yellow", "The export has no proxy log, so nothing here can be checked against receipts.")

NOTED = Term("noted", "gray", "A review without a verdict.")
STALE_REVIEW = Term("run changed", "orange", "The run was imported again with different content since its review.")

UNDO = Term(
    "undo", "gray", "Gives every run its earlier review back; runs that were reviewed again since keep the newer one."
)

LAYERS = {  # R22, R39
    "call": Term("Classes of calls", "gray", "What the proxy reported for a call; layers are never merged."),
    "run": Term("Classes of runs", "gray", "What the platform reported for the run; layers are never merged."),
    "envelope": Term("Classes of envelopes", "gray", "The error class in a seven-field error envelope."),
}

NOTHING_IN_LAYER = {
    "call": "No call failed.",
    "run": "No run has an error class of its own.",
    "envelope": "No error envelope was found.",
}

SHORT_NAMES = (
    "“…” stands where long ids agree or where one is too long. The run's page and the export have the whole id."
)
"""Of the columns of names in a list."""
