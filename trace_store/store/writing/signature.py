"""The signature of a run's failure: where it first went wrong (R38), at which tool, with which error class."""

from __future__ import annotations

import re
from typing import NamedTuple

from trace_store.model import Run

_CALL = re.compile(r"calls\[(\d+)\]")
_CLAIM = re.compile(r"messages\[(\d+)\](?:\.tool_calls\[(\d+)\])?")


class Signature(NamedTuple):
    """What failures are grouped by. `tool`: of the call at the boundary; `error_class`: of that call, or else of the
    run. All null where no boundary failed."""

    stage: str | None = None
    tool: str | None = None
    error_class: str | None = None


def signature_of(run: Run) -> Signature:
    """The signature of the run's first failed boundary."""
    boundary = run.boundary
    if not isinstance(boundary, dict):
        return Signature()
    stage, path = boundary.get("stage"), boundary.get("path")
    tool, error_class = _at(run, path) if isinstance(path, str) else (None, None)
    return Signature(stage if isinstance(stage, str) else None, tool, error_class or run.error_class)


def _at(run: Run, path: str) -> tuple[str | None, str | None]:
    """The tool and the error class of the call that `path` leads to; nulls where it leads to none."""
    if call := _CALL.match(path):
        logged = run.calls[int(call[1])]
        return logged.tool_name, logged.error_class
    claim = _CLAIM.match(path)
    message = next((one for one in run.messages or () if claim and one.index == int(claim[1])), None)
    if claim is None or message is None:
        return None, None
    if claim[2] is None:
        # A tool message stands for the call it answers.
        return _at(run, message.answers) if message.answers else (None, None)
    claimed = (message.tool_calls or [])[int(claim[2])]
    logged_class = run.calls[claimed.receipt].error_class if claimed.receipt is not None else None
    return claimed.name, logged_class
