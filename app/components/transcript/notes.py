"""Findings and warnings, put beside the message or call that they speak of."""

from __future__ import annotations

import re
from collections import defaultdict

from app.components.transcript.wire import Note
from trace_store.model import Run, SoftWarning

FINAL = "final_response"
PLACE = re.compile(r"messages\[\d+\](?:\.tool_calls\[\d+\])?|calls\[\d+\]")
MESSAGE = re.compile(r"messages\[(\d+)\]")
RUN_LAYER = ("final_response", "response_error", "error", "error_class", "status")
SHOWN_AS_WARNING = "rich_mode_dropped"  # R14: the warning itself stands there


def notes_by_place(run: Run) -> dict[str, list[Note]]:
    """Notes keyed by `messages[i]`, `messages[i].tool_calls[j]`, `calls[k]` or `final_response`.

    A warning stands at its message as a whole: it counts tool calls as the original array does, the run document does
    not. Whole-message warnings, which drop the message, are the placeholder's own.
    """
    notes: defaultdict[str, list[Note]] = defaultdict(list)
    for warning in run.warnings:
        message = MESSAGE.match(warning.path or "")
        if message and message.group() != warning.path:
            text = f"{warning.path[message.end() :].lstrip('.')}: {warning.reason}" if warning.path else warning.reason
            notes[message.group()].append(Note(severity="warning", kind=f"{warning.origin} warning", message=text))
        elif warning.path == FINAL:
            notes[FINAL].append(Note(severity="warning", kind=f"{warning.origin} warning", message=warning.reason))
    for finding in run.findings:
        if finding.kind == SHOWN_AS_WARNING:
            continue
        place = PLACE.match(finding.path)
        if place:
            notes[place.group()].append(
                Note(severity=finding.severity, kind=finding.kind.replace("_", " "), message=finding.message)
            )
        elif finding.path.split(".")[0] in RUN_LAYER:
            notes[FINAL].append(
                Note(severity=finding.severity, kind=finding.kind.replace("_", " "), message=finding.message)
            )
    return dict(notes)


def dropped_reasons(run: Run) -> dict[int, str]:
    """Why each missing message is missing, by its index in the original array (R8, R9, R15)."""
    kept = {message.index for message in run.messages or []}
    reasons: dict[int, str] = {}
    for warning in run.warnings:
        index = _whole_message(warning)
        if index is not None and index not in kept:
            reasons[index] = f"{reasons[index]}; {warning.reason}" if index in reasons else warning.reason
    for index in range(max(kept, default=-1)):
        if index not in kept:
            reasons.setdefault(index, "no reason is recorded")
    return reasons


def _whole_message(warning: SoftWarning) -> int | None:
    match = MESSAGE.fullmatch(warning.path or "")
    return int(match.group(1)) if match and warning.origin == "import" else None
