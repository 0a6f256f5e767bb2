"""Where the time of an import goes: what each chapter of it takes, without the chapters that it calls.

The functions are timed where the import calls them, in one process; the clock is that of the processor, so that other
programs on the machine do not count.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

from trace_store import Store
from trace_store.evidence import SchemaCache
from trace_store.importing import files, importer, pipeline
from trace_store.readers import Reading
from trace_store.readers.formats import registry
from trace_store.store import Batch

examine = import_module("trace_store.evidence.examine")  # the package has the function under this name
_REPORTS = [name for name in vars(examine) if name.startswith("report_")]
_CHAPTERS: tuple[tuple[object, str, str], ...] = (
    (Reading, "__next__", "reading"),
    (importer, "read_body", "reading"),
    (registry, "find_run_id", "contract"),
    (pipeline, "normalise", "contract"),
    (pipeline, "examine", "evidence: the rest"),
    (SchemaCache, "read_tools", "evidence: declared tools"),
    (examine, "pair_results", "evidence: pairing"),
    (examine, "pair_receipts", "evidence: receipts"),
    (examine, "ground_answer", "evidence: grounding"),
    (examine, "first_failed_boundary", "evidence: boundary"),
    *((examine, name, f"evidence: {name}") for name in _REPORTS),
    (pipeline, "rows_of", "rows"),
    (Batch, "_flush", "writing"),
)
"""Where a name stands that the import calls, the name, and the chapter it counts for."""

REST = "commit and the rest"


class Clock:
    """The processor's seconds of each chapter, itself only."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._within: list[float] = []  # of each open chapter: the seconds of those that it called

    def timed(self, chapter: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, with its time counted for `chapter`."""

        def run(*arguments: Any, **named: Any) -> Any:
            began = time.process_time()
            self._within.append(0.0)
            try:
                return function(*arguments, **named)
            finally:
                elapsed = time.process_time() - began
                self.seconds[chapter] += elapsed - self._within.pop()
                if self._within:
                    self._within[-1] += elapsed

        return run


def shares_of(source: Path, database: Path) -> dict[str, float]:
    """Return the seconds of each chapter of an import of `source` into a new store."""
    clock = Clock()
    with ExitStack() as timing, Store.open(f"sqlite:///{database}") as store:
        for owner, name, chapter in _CHAPTERS:
            timing.enter_context(patch.object(owner, name, clock.timed(chapter, getattr(owner, name))))
        clock.timed(REST, files.import_paths)(store, [source], workers=0)
    return dict(clock.seconds)
