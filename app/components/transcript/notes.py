"""Findings and warnings, put beside the message or call that they speak of."""

from __future__ import annotations

import re
from collections import defaultdict

from app.components.transcript.payload_types import Note
from trace_store.model import Run, SoftWarning

FINAL = "final_response"
PLACE = re.compile(r"(messages\[\d+\])(?:\.tool_calls\[\d+\])?|calls\[\d+\]")
MESSAGE = re.compile(r"messages\[(\d+)\]")
RUN_LAYER = ("final_response", "response_error", "error", "error_class", "status")
SHOWN_AS_WARNING = "rich_mode_dropped"  # R14: the warning itself stands there


def notes_by_place(run: Run) -> dict[str, list[Note]]:
    """Notes keyed by `messages[i]`, `messages[i].tool_calls[j]`, `calls[k]` or `final_response`.

    What speaks of a tool call that did not survive stands at its message. A warning that dropped a whole message is
    the placeholder's own (`dropped_reasons`); other paths are not the transcript's to show.
    """
    calls = {
        f"messages[{message.index}].tool_calls[{call.index}]"
        for message in run.messages or []
        for call in message.tool_calls or []
    }
    notes: defaultdict[str, list[Note]] = defaultdict(list)
    for warning in run.warnings:
        place = _place(warning.path, calls)
        if place is not None and warning.path is not None and _whole_message(warning) is None:
            rest = warning.path[len(place) :].lstrip(".")
            text = f"{rest}: {warning.reason}" if rest else warning.reason
            notes[place].append(Note(severity="warning", kind=f"{warning.origin} warning", message=text))
    for finding in run.findings:
        place = _place(finding.path, calls)
        if place is not None and finding.kind != SHOWN_AS_WARNING:
            kind = finding.kind.replace("_", " ")
            notes[place].append(Note(severity=finding.severity, kind=kind, message=finding.message))
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


def _place(path: str | None, calls: set[str]) -> str | None:
    match = PLACE.match(path or "")
    if match is None:
        return FINAL if (path or "").split(".")[0] in RUN_LAYER else None
    return match.group() if match.group(1) is None or match.group() in calls else match.group(1)


def _whole_message(warning: SoftWarning) -> int | None:
    match = MESSAGE.fullmatch(warning.path or "")
    return int(match.group(1)) if match and warning.origin == "import" else None
