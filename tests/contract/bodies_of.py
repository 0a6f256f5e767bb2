"""Small run bodies for the tests: a log, a transcript, one call."""

from __future__ import annotations

from typing import Any

from trace_store.contract import normalise
from trace_store.model import Call, Path, Run, SoftWarning

LOCK = {"status_code": 503, "source": "error", "error": {"detail": {"error_class": "lock_contention"}}}
"""A retryable failure."""

REFUSED = {"status_code": 500, "source": "error", "error": {"detail": "boom"}}
"""A terminal failure."""

OK = {"status_code": 200, "source": "odyssey", "response": {"status": "shipped"}}


def logged(*calls: Any, **body: Any) -> Run:
    """The run with that log; a call that is an object and names no tool is one of `get_order`."""
    log = [
        {"tool_name": "get_order", "arguments": {"n": 1}} | call if isinstance(call, dict) else call for call in calls
    ]
    return normalise({"final_response": "Done.", "proxy_calls": log, **body}).run


def one_call(**fields: Any) -> Call:
    """The only call of a run whose log has just this one."""
    return logged(fields).calls[0]


def run_of_messages(*messages: Any, **body: Any) -> Run:
    """Return the run with that transcript."""
    return normalise({"final_response": "Done.", "messages": list(messages), **body}).run


def warned_paths(run: Run) -> list[str | None]:
    """Return the paths at which the import warned, in order."""
    return [warning.path for warning in run.warnings if warning.origin == "import"]


def exported(run: Run) -> list[str]:
    """What the export warned of, in order."""
    return [warning.reason for warning in run.warnings if warning.origin == "export"]


def at(milliseconds: float) -> str:
    """A time so many milliseconds after midnight."""
    seconds, rest = divmod(round(milliseconds), 1000)
    return f"2026-04-01T00:00:{seconds:02d}.{rest:03d}Z"


def import_warning(path: str) -> SoftWarning:
    """A warning that a reader could have found."""
    return SoftWarning("import", Path(path), "a reason")
