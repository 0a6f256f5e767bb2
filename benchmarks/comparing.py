"""How long comparing takes: two long runs step by step, and two sets of runs by their rates.

    python -m benchmarks.comparing --messages 10000 --calls 5000
    python -m benchmarks.comparing --runs 100000 --store sqlite:////tmp/large.db

The two runs are compared from what the store hands out to what the browser is sent: once against a run that has little
in common with it, and once against a copy in which one step in twenty is missing. The store is filled first where it
has too few runs, as `benchmarks.queries` does it. The best of three is printed, on the wall and of the processor.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from copy import deepcopy
from functools import partial

from app.components.comparison import build_comparison, build_rates
from app.components.frontend import encode_payload
from benchmarks.generate import run as generated
from benchmarks.queries import filled
from benchmarks.stopwatch import best, stopwatch
from trace_store import Store
from trace_store.comparing import align_steps, list_steps
from trace_store.contract import normalise
from trace_store.evidence import SchemaCache, examine
from trace_store.model import Run

RUNS_MS, RATES_MS = 2000.0, 500.0
"""What README promises: of the longest run that is to open, and of breakdowns over 100,000 runs."""

QUERIES = ("", "model:gpt-5", "model:gemini-2.5-pro", "outcome:failed", "check:check-3")


def two_runs(messages: int, calls: int) -> None:
    """Compare the same run with two others."""
    one, other = (_run(number, messages, calls) for number in (0, 1))
    near = deepcopy(one)
    near.messages = [message for at, message in enumerate(one.messages or []) if at % 20]
    print(f"{len(list_steps(one)):,} steps")
    for name, right in (("another run", other), ("a near copy", near)):
        left_steps, right_steps = list_steps(one), list_steps(right)
        _tell(f"aligned with {name}", None, partial(align_steps, left_steps, right_steps))
        _tell(f"compared with {name}", RUNS_MS, partial(_compare, one, right))
        print(f"{len(_compare(one, right)) / 1e6:8.1f} MB   sent to the browser")


def _compare(left: Run, right: Run) -> bytes:
    return encode_payload(build_comparison(left, right))


def two_sets(store: Store) -> None:
    """Ask for rates, repeats and counterparts over all of the store."""
    print(f"{store.runs(limit=0).total:,} runs, {store.calls(limit=0).total:,} calls")
    for query in QUERIES:
        _tell(f"rates {query!r}", RATES_MS, partial(store.figures.rates, query))
    left, right = (store.figures.rates(query) for query in QUERIES[1:3])
    _tell("rates as they are shown", None, lambda: build_rates((QUERIES[1], QUERIES[2]), left, right))
    _tell("runs on both sides", RATES_MS, lambda: store.figures.common_runs("outcome:failed", QUERIES[1]))
    _tell("tasks with repeats", RATES_MS, store.figures.repeats)
    _tell("a task by model and prompt", RATES_MS, lambda: store.figures.repeats("task:task-3", ["model", "prompt"], 1))
    rows = store.runs("task:task-3", limit=50).rows
    _tell("counterparts of 50 runs", RATES_MS, lambda: store.figures.counterparts([str(row["run_id"]) for row in rows]))


def _run(number: int, messages: int, calls: int) -> Run:
    body = generated(number, messages=messages, calls=calls)
    normalised = normalise(body)
    run = normalised.run
    run.run_id = str(body["run_id"])
    examine(normalised, schemas=SchemaCache())
    return run


def _tell(name: str, promise_ms: float | None, ask: Callable[[], object]) -> None:
    times = []
    for _ in range(3):
        with stopwatch() as elapsed:
            ask()
        times.append(elapsed)
    least = best(times)
    late = " !" if promise_ms is not None and least.wall_s * 1000 > promise_ms else "  "
    print(f"{least.wall_s * 1000:8.1f} ms{late} cpu {least.cpu_s * 1000:7.1f} ms  {name}")


def main() -> None:
    """Print the milliseconds of each step, with a mark where a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=0, help="of the store; 0 leaves the sets out")
    parser.add_argument("--store", help="sqlite:///… to fill and keep")
    options = parser.parse_args()
    two_runs(options.messages, options.calls)
    if options.runs:
        with filled(options.store, options.runs, messages=17) as store:
            two_sets(store)


if __name__ == "__main__":
    main()
