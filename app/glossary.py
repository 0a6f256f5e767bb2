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
    None: Term("not judged", "gray", "The export carries no verdict of a judge."),
}

JUDGED = {
    True: Term("passed", "green", VERDICT[True].meaning),
    False: Term("failed", "red", VERDICT[False].meaning),
}

VIEW = {
    "rich": Term("rich", "gray", "At least one message survived normalisation, so there is a transcript (R5)."),
    "thin": Term("thin", "yellow", "No message survived normalisation: only the final answer can be shown (R5)."),
}

RUN = {
    "failed": Term("run failed", "red", "No answer, a run-layer error class, or a status that says so (R3)."),
    "response_error": Term("no answer", "red", "The final response is missing, null or empty (R3)."),
    "cut": Term("answer cut", "yellow", "The platform keeps 50,000 characters; the judge saw no more (R4)."),
    "undeclared": Term("undeclared", "orange", "Calls by an actor that the catalog does not declare (R30)."),
    "malformed": Term("malformed", "orange", "Calls whose actor label breaks the rules for labels (R28)."),
    "retries": Term("retries", "yellow", "Attempts after the first of their chain: the SDK tried again (R25)."),
    "retry": Term("retry", "yellow", "An attempt after the first of its chain: the SDK tried again (R25)."),
    "exhausted": Term("exhausted", "red", "Logical calls whose four attempts all met a retryable failure (R27)."),
    "warnings": Term("warnings", "yellow", "Soft warnings: what the export carried and what the import found (R14)."),
    "warning": Term("warning", "yellow", "A soft warning: of the export, or found by the import (R14)."),
    "dropped": Term("dropped", "yellow", "Entries of the transcript that could not be read (R8, R9)."),
}

RUN_STATE = {
    "failed": RUN["failed"],
    "response_error": RUN["response_error"],
    "thin": VIEW["thin"],
}

OUTCOME = {
    "ok": Term("ok", "green", "Answered without an error (R19)."),
    "application_error": Term("application error", "yellow", "Answered with status 200, but the payload is an error."),
    "failed": Term("failed", "red", "An error source, a status of 400 or more, an error class, or no answer (R19)."),
    "injected_failure": Term(
        "injected failure", "violet", "A failure rule of the run fired: the failure is deliberate (R20)."
    ),
}

CHAIN = {
    "succeeded": Term("succeeded", "green", "Answered at the first attempt (R27)."),
    "recovered": Term("recovered", "green", "A later attempt was answered (R27)."),
    "exhausted": Term("retries exhausted", "red", "Four or more attempts, and the last failed retryably (R27)."),
    "gave_up": Term("gave up", "red", "Fewer than four attempts, though the last failure was retryable (R26)."),
    "failed": Term("failed", "red", "The last attempt failed terminally, or was injected (R27)."),
    "application_error": Term("application error", "yellow", "Answered, but with an error as its payload (R19)."),
}

ACTOR = {
    "declared": Term("declared", "gray", "The label, or its last segment, is in the catalog (R30)."),
    "undeclared": Term(
        "undeclared", "orange", "A catalog is there, and neither the label nor its leaf is in it (R30)."
    ),
    "unchecked": Term("unchecked", "gray", "The run declares no actors, so there is nothing to check against (R29)."),
    "unattributed": Term("unattributed", "gray", "The call carries no label; normal in a single-agent run (R28)."),
    "malformed": Term("malformed", "orange", "The label breaks the rules for labels; it is shown as it came (R28)."),
    "structural": Term("structural", "gray", "A part of longer labels that never acts itself (R31)."),
}

SOURCE = {
    "odyssey": Term("odyssey", "gray", "Answered by the simulator."),
    "injected": Term("injected", "violet", "A failure rule answered on purpose."),
    "error": Term("error", "red", "The simulator failed."),
    "passthrough": Term("passthrough", "gray", "Answered by the live tool."),
    "transport_error": Term("transport error", "red", "The live tool gave no answer."),
}

BOUNDARY = {
    "transport": Term("transport", "red", "No answer from the proxy, or an HTTP failure (R38)."),
    "generation": Term("generation", "red", "The model's turn was incomplete, refused, failed or empty (R38)."),
    "arguments": Term("arguments", "red", "The arguments did not decode or do not fit their schema (R38)."),
    "authorization": Term("authorization", "red", "Refused for want of a token or a permission (R38)."),
    "receipt": Term("receipt", "red", "Answered, but with a failure; or claimed without a receipt (R38)."),
    "answer": Term("answer", "red", "The final answer is missing, cut, or rests on nothing (R38)."),
}
NO_BOUNDARY = Term("none", "gray", "No boundary failed.")
CORRECTED = Term("corrected", "green", "A later call by the same actor, with other arguments, ended well (R38).")

SEVERITY = {
    "error": Term("error", "red", "Something went wrong, or the evidence contradicts the transcript."),
    "warning": Term("warning", "yellow", "A reviewer should look at it."),
    "info": Term("info", "gray", "Worth knowing; nothing is wrong."),
}

REVIEW = {
    "pass": Term("pass", "green", "The reviewer says that the run did what it should."),
    "fail": Term("fail", "red", "The reviewer says that it did not."),
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

NO_SOURCE = Term("no source", "gray", "A legacy payload that does not say who answered (R17).")
STALE_TOKEN = Term("stale token", "red", "The run had closed: its token was expired, invalid or rejected (R23).")
UNKNOWN_SOURCE = Term("unknown source", "yellow", "Not one of the known sources (R17).")
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
NO_LOG = Term("no log", "yellow", "The export has no proxy log: nothing here can be held against receipts (R16).")

NOTED = Term("noted", "gray", "A review without a verdict.")
STALE_REVIEW = Term("run changed", "orange", "The run was imported again with another content since its review (R42).")

UNDO = Term("undo", "gray", "Every run gets back the review that it had; one that was reviewed again since keeps that.")

LAYERS = {
    "call": Term("Classes of calls", "gray", "What the proxy said of one call; never merged with other layers (R22)."),
    "run": Term("Classes of runs", "gray", "What the platform said of the run; never merged with other layers (R22)."),
    "envelope": Term("Classes of envelopes", "gray", "The class in a seven-field error envelope (R39)."),
}

NOTHING_IN_LAYER = {
    "call": "No call failed.",
    "run": "No run carries an error class of its own.",
    "envelope": "No error envelope was found.",
}
