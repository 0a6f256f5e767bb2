"""Failures as envelopes, one a line: what can be pasted in public, since no text of a run can get into it (R40)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import orjson

from trace_store.evidence.envelopes import as_envelope
from trace_store.store.lists.documents import RunRecord


def write_envelopes(runs: Iterable[RunRecord], out: BinaryIO) -> int:
    """Writes each failed or injected call of the runs as a line of JSON, in the order of runs and logs, and returns
    how many."""
    count = 0
    for stored in runs:
        for call in stored.run().calls:
            envelope = as_envelope(call, stored.run_id)
            if envelope is not None:
                out.write(orjson.dumps(envelope) + b"\n")
                count += 1
    return count
