"""How long a page waits for the store, at a given number of runs.

    python -m benchmarks.queries --runs 100000 --store sqlite:////tmp/large.db

Fills the store first, where it is empty (100,000 runs take some minutes, and 4 GB), and keeps it for the next time.
Without `--store`, a temporary one. Each question is asked three times, and the best of each clock is printed: on a busy
machine, the processor's time says what the wall clock cannot.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.import_floor import write_runs
from trace_store import Store
from trace_store.importing.files import import_paths

LIST_MS, BREAKDOWN_MS = 200.0, 500.0
"""What README promises for 100,000 runs."""

COMPLETION_MS = 100.0
"""Beyond that, suggestions lag behind what is typed."""

RUNS_A_FILE = 10_000

LISTS = [
    ("runs", "", None),
    ("runs", "", "-failures"),
    ("runs", "", "-imported"),
    ("runs", "failed:true", "-started"),
    ("runs", "error_class:lock_contention", "-imported"),
    ("runs", "error_class:* actor_status:undeclared", "-imported"),
    ("runs", "outcome:ok", "-imported"),
    ("runs", "-outcome:failed", "-imported"),
    ("runs", "model:gpt-5 verdict:failed", "-failures"),
    ("runs", "refund", "-imported"),
    ("calls", "", "-started"),
    ("calls", "", "-latency_ms"),
    ("calls", "outcome:ok", "-started"),
    ("calls", "outcome:failed", "-latency_ms"),
    ("calls", "error_class:*", None),
    ("calls", "tool:get_refund latency_ms>2000", None),
    ("calls", "actor_status:undeclared", "-started"),
    ("calls", "model:gpt-5", None),
    ("calls", "model:gpt-5 outcome:failed", None),
    ("calls", "actor:supervisor/**", None),
    ("findings", "severity:error", None),
]
BREAKDOWNS = [
    ("", ["tool"]),
    ("", ["actor"]),
    ("", ["error_class"]),
    ("", ["source"]),
    ("outcome:failed", ["error_class", "tool"]),
    ("model:gpt-5", ["tool"]),
    ("", ["model"]),
]
FACETS = ["verdict", "run_status", "boundary", "severity", "error_class", "actor_status", "outcome", "tool", "model"]
COMPLETED = ["tool", "actor", "run", "task", "model", "boundary_tool", "boundary_message", "file", "format"]


def questions(store: Store) -> Iterator[tuple[str, float | None, Callable[[], object]]]:
    """Return what to ask, the promise in milliseconds, and how."""
    for listed, query, sort in LISTS:
        read = getattr(store, listed)
        yield f"{listed} {query!r} by {sort}", LIST_MS, partial(read, query, sort=sort)
    yield "runs, page 1,000", LIST_MS, lambda: store.runs(sort="-started", offset=50_000)
    yield "calls, page 10,000", LIST_MS, lambda: store.calls(sort="-latency_ms", offset=500_000)
    yield "totals of all", LIST_MS, store.figures.totals
    yield "totals of a model", LIST_MS, lambda: store.figures.totals("model:gpt-5")
    yield "totals by a call", LIST_MS, lambda: store.figures.totals("error_class:lock_contention")
    for field in FACETS:
        yield f"values of {field}", LIST_MS, partial(store.figures.facet, "", field)
    for field in COMPLETED:
        yield f"completion of {field}", COMPLETION_MS, partial(store.figures.field_values, field)
    some = store.runs(limit=1, offset=store.runs(limit=0).total // 2).rows[0]["run_id"]
    yield "neighbours", LIST_MS, lambda: store.lists.neighbours(str(some), "", "-imported")
    yield "one run", LIST_MS, lambda: store.run(str(some))
    for query, by in BREAKDOWNS:
        yield f"breakdown {query!r} by {', '.join(by)}", BREAKDOWN_MS, partial(store.stats, query, by=by)
    yield "failures page", None, store.figures.failure_tables
    yield "failures page of a model", None, lambda: store.figures.failure_tables("model:gpt-5")


@contextmanager
def filled(url: str | None, count: int, messages: int) -> Iterator[Store]:
    """Return a store with at least that many generated runs."""
    with tempfile.TemporaryDirectory() as folder, Store.open(url or f"sqlite:///{folder}/traces.db") as store:
        for first in range(store.runs(limit=0).total, count, RUNS_A_FILE):
            source = Path(folder) / "runs.jsonl"
            write_runs(source, min(RUNS_A_FILE, count - first), messages, 12, seed=1, first=first)
            import_paths(store, [source])
        yield store


def main() -> None:
    """Print the milliseconds of each question, with a mark where a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=17)
    parser.add_argument("--store", help="sqlite:///… to fill and keep")
    options = parser.parse_args()
    with filled(options.store, options.runs, options.messages) as store:
        print(f"{store.runs(limit=0).total:,} runs, {store.calls(limit=0).total:,} calls")
        for name, promise_ms, ask in questions(store):
            wall_ms, cpu_ms = map(min, zip(*(_milliseconds(ask) for _ in range(3)), strict=True))
            print(
                f"{wall_ms:8.1f} ms{' !' if promise_ms and wall_ms > promise_ms else '  '} cpu {cpu_ms:7.1f} ms  {name}"
            )


def _milliseconds(ask: Callable[[], object]) -> tuple[float, float]:
    began, cpu_began = time.perf_counter(), time.process_time()
    ask()
    return (time.perf_counter() - began) * 1000, (time.process_time() - cpu_began) * 1000


if __name__ == "__main__":
    main()
