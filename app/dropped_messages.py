"""Which messages the import dropped, and why a run has no transcript: one answer for all pages.

Pure: no Streamlit, no store.
"""

from __future__ import annotations

from typing import LiteralString

from app.render import counted
from trace_store.model import Run, SoftWarning


def is_drop(warning: SoftWarning) -> bool:
    """Return whether a warning says that the import dropped a whole message (R14). Those of runs that an older version
    imported have no kind."""
    is_whole = warning.path is not None and warning.path.is_whole_message
    return is_whole and warning.origin == "import" and warning.kind in ("dropped", None)


def dropped_messages(run: Run) -> dict[int, str]:
    """Return why the import dropped each message that it did, by its index in the original array (R8, R9, R15)."""
    indexes = {message.index for message in run.messages or ()}
    reasons: dict[int, str] = {}
    for warning in run.warnings:
        index = warning.path.message_index if warning.path is not None and is_drop(warning) else None
        if index is not None and index not in indexes:
            reasons[index] = f"{reasons[index]}; {warning.reason}" if index in reasons else warning.reason
    return reasons


def describe_dropped(run: Run) -> LiteralString:
    """Return how many messages the import dropped: `3 messages`. A run has a bounded number of warnings: where the rest
    is only counted, from a message on, there may be more."""
    dropped = len(dropped_messages(run))
    is_cut = any(
        warning.kind == "noted" and warning.path is not None and warning.path.is_whole_message
        for warning in run.warnings
    )
    count = counted(dropped, "message")
    return f"{count} or more" if is_cut else count


def explain_thin(run: Run) -> str:
    """Return why nothing of the transcript is left, as a sentence that may quote a warning (R5, R7-R9)."""
    whole = [warning.reason for warning in run.warnings if warning.origin == "import" and warning.path == "messages"]
    if whole:
        return f"The messages could not be read: {whole[-1]}."
    dropped = len(dropped_messages(run))
    if dropped == 1:
        return "The only message of the export could not be kept."
    if dropped:
        return f"None of the {describe_dropped(run)} of the export could be kept."
    return "The export carries no messages, only the final response."
