"""Run bodies: the format of the wire contract itself (R1-R4, R41)."""

from __future__ import annotations

from dataclasses import replace

from trace_store.contract.bodies import is_run_body
from trace_store.contract.calls import LOG_KEYS
from trace_store.model import JSON, Path, SoftWarning

FORMAT = "run-body"


def recognises(value: JSON) -> bool:
    """Return whether the value is a run body: a string, or an object with an answer, transcript, log or error."""
    return is_run_body(value)


def read(value: JSON) -> tuple[JSON, list[SoftWarning]]:
    """Return the body as it stands: the contract reads it."""
    return value, []


def path_in_run(path: str, value: JSON) -> str:
    """Return a path of the body as the run document has it: the log goes by `calls`, whatever key it stands under."""
    log = next((key for key in LOG_KEYS if isinstance(value, dict) and isinstance(value.get(key), list)), None)
    return "calls" + path[len(log) :] if log and path.startswith(f"{log}[") else path


def warnings_in_run(warnings: list[SoftWarning], value: JSON) -> list[SoftWarning]:
    """Return the warnings with their paths as the run document has them."""
    return [
        replace(warning, path=Path(path_in_run(warning.path, value)) if warning.path else None) for warning in warnings
    ]
