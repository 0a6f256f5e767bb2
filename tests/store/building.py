"""Runs for the tests of the store: bodies as an export has them, normalised and put."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import orjson

from trace_store import Store
from trace_store.contract import normalise
from trace_store.model import Boundary, Finding, Path, Run, Stage
from trace_store.reports import FileReport


def body(run_id: str, *calls: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A run body with a log of `calls`, where there are any."""
    log = {"proxy_calls": list(calls)} if calls else {}
    return {"run_id": run_id, "final_response": "done", **log, **fields}


def call(tool: str = "get_order", **fields: Any) -> dict[str, Any]:
    """An entry of a proxy log: answered, unless `fields` say something else."""
    return {"tool_name": tool, "arguments": {}, "response": {}, "source": "odyssey", "status_code": 200, **fields}


def failed_call(tool: str = "get_order", error_class: str | None = "lock_contention", **fields: Any) -> dict[str, Any]:
    """An entry of a proxy log that failed, in a way that may be retried."""
    return call(tool, source="error", status_code=503, response=None, error_class=error_class, **fields)


def finding(kind: str = "call_failed", severity: str = "error", path: str = "calls[0]") -> Finding:
    """A finding; `severity` is one of the contract's."""
    return Finding(kind, severity, path, f"{kind} at {path}", "R19")  # type: ignore[arg-type]  # read from a parameter


def run_of(document: dict[str, Any], *findings: Finding, place: str = "line 1") -> tuple[Run, bytes, bytes]:
    """What a batch is given for a document: the run, the raw document, and a digest."""
    raw = orjson.dumps(document)
    run = normalise(document).run
    run.run_id, run.place, run.findings = document["run_id"], place, list(findings)
    return run, raw, hashlib.sha256(raw).digest()


def put(store: Store, *bodies: dict[str, Any], file: str = "runs.jsonl") -> list[str]:
    """Imports the bodies as one file; what became of each."""
    return put_runs(store, (run_of(document) for document in bodies), file=file)


def put_runs(store: Store, runs: Iterable[tuple[Run, bytes, bytes]], *, file: str = "runs.jsonl") -> list[str]:
    """Imports the runs as one file; what became of each."""
    with store.importing(file, 1000) as batch:
        verdicts = [batch.put(run, raw, digest) for run, raw, digest in runs]
        batch.finish(FileReport(file, imported=len(verdicts)))
    return list(verdicts)


def run_ids(rows: Iterable[dict[str, object]]) -> list[str]:
    """The run ids of a page's rows."""
    return [str(row["run_id"]) for row in rows]


def boundary(
    stage: Stage,
    path: str = "calls[0]",
    *,
    reason: str = "it failed",
    recovery: str = "try again",
    call: int | None = 0,
    tool_name: str | None = None,
) -> Boundary:
    """A first failed boundary at a path."""
    return Boundary(stage, Path(path), reason, recovery, [], None, deliberate=False, call=call, tool_name=tool_name)
