"""The signature of a run's failure: where it first went wrong (R38), at which tool, with which error class."""

from __future__ import annotations

from typing import NamedTuple

from trace_store.model import Run, Stage


class Signature(NamedTuple):
    """What failures are grouped by. `tool`: of the call at the boundary; `error_class`: of that call, or else of the
    run. All null where no boundary failed."""

    stage: Stage | None = None
    tool: str | None = None
    error_class: str | None = None


def signature_of(run: Run) -> Signature:
    """Return the signature of the run's first failed boundary."""
    boundary = run.boundary
    if boundary is None:
        return Signature()
    call = None if boundary.call is None else run.calls[boundary.call]
    return Signature(boundary.stage, boundary.tool_name, (call and call.error_class) or run.error_class)
