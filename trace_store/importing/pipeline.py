"""From a run body to what the store keeps of it: contract, evidence and rows. Plain values in and out, so that the
process that imports can do it, and any other."""

from __future__ import annotations

from dataclasses import dataclass

from trace_store.contract import normalise
from trace_store.evidence import SchemaCache, examine
from trace_store.model import Run, SoftWarning
from trace_store.readers import Body, Rejection, reject
from trace_store.store.writing.rows import RunRows, rows_of


@dataclass(slots=True)
class PreparedRun:
    """A run that is ready to be written: its rows, what this import found in it, and the secrets that were replaced."""

    rows: RunRows
    warnings: list[SoftWarning]
    redactions: int


def prepare_run(body: Body, file: str, import_id: int, schemas: SchemaCache) -> PreparedRun | Rejection:
    """Return the rows of a body from `file`. Raises StoreError when a run is too large to be numbered."""
    run = build_run(body, file, schemas)
    if isinstance(run, Rejection):
        return run
    run.import_id = import_id
    document = body.document
    rows = rows_of(run, document.raw, document.digest)
    return PreparedRun(rows, [warning for warning in run.warnings if warning.origin == "import"], document.redactions)


def build_run(body: Body, file: str, schemas: SchemaCache) -> Run | Rejection:
    """Return the run that a body describes, examined."""
    document = body.document
    try:
        normalised = normalise(body.value, run_id=body.run_id, format=body.format, warnings=body.warnings)
        examine(normalised, redacted_at=body.redacted_at, schemas=schemas)
    except Exception as error:  # noqa: BLE001 - a fault of ours in one document must not cost the others
        return reject(document.place, "internal", f"it could not be examined: {type(error).__name__}: {error}")
    run = normalised.run
    run.file, run.place = file, document.place
    return run
