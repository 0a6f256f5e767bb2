"""What failures are grouped by: the stage, tool and class of a run's first failed boundary, and without a class, what
it said."""

from __future__ import annotations

import re
from typing import NamedTuple

from trace_store.model import Run, Stage

LONGEST_MESSAGE = 160

_VARIABLE = re.compile(
    r"""
      (?P<url>\b[a-z][a-z0-9+.-]{1,12}://[^\s"'<>)\]]{1,400})
    | (?P<email>\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}\b)
    | (?P<quoted>"[^"]{0,200}"|'[^'\w][^']{0,200}'|(?<!\w)'[^']{1,200}'(?!\w)|`[^`]{1,200}`)
    | (?P<time>\b\d{4}-\d\d?-\d\d?(?:[T ]\d\d?:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d:?\d\d)?\b
              |\b\d\d?:\d\d(?::\d\d)?\b)
    | (?P<path>(?<![\w/])(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@+-]{1,100}){2,20})
    | (?P<id>\b(?=[\w-]{0,100}\d)(?=[\w-]{0,100}[A-Za-z])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*\b)
    | (?P<number>[-+]?\d{1,30}(?:,\d{3}){0,10}(?:\.\d{1,20})?)
    """,
    re.VERBOSE,
)
_MASKS = {
    "url": "<url>", "email": "<email>", "quoted": "<text>", "time": "<time>", "path": "<path>", "id": "<id>",
    "number": "<number>",
}  # fmt: skip


class Signature(NamedTuple):
    """What failures are grouped by (R38). `tool`: of the call at the boundary; `error_class`: of that call, else of the
    run; `message`: what the boundary said, with what differs from run to run masked, where there is no class. All null
    where no boundary failed."""

    stage: Stage | None = None
    tool: str | None = None
    error_class: str | None = None
    message: str | None = None


def signature_of(run: Run) -> Signature:
    """Return the signature of the run's first failed boundary."""
    boundary = run.boundary
    if boundary is None:
        return Signature()
    call = None if boundary.call is None else run.calls[boundary.call]
    error_class = (call and call.error_class) or run.error_class
    message = None if error_class else mask_message(boundary.reason)
    return Signature(boundary.stage, boundary.tool_name, error_class, message)


def mask_message(text: str) -> str:
    """Return a message with numbers, ids, times, paths, addresses and quoted texts replaced by what they are, so that
    the same failure reads the same in every run; on one line, cut after LONGEST_MESSAGE characters."""
    text = " ".join(text[: 8 * LONGEST_MESSAGE].split())
    masked = _VARIABLE.sub(lambda match: _MASKS[match.lastgroup or "id"], text)
    return masked if len(masked) <= LONGEST_MESSAGE else f"{masked[: LONGEST_MESSAGE - 1]}…"
