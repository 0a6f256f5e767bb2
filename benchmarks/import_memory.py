"""How much memory an import takes above the interpreter, whatever the size of its file.

    python -m benchmarks.import_memory --runs 20000

With workers, each of them is an interpreter of its own.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path

from benchmarks.import_floor import time_import, write_runs

PROMISE_MB = 300
FEW = 50


def peak_mb(whose: int = resource.RUSAGE_SELF) -> float:
    """Return the most memory this process has had resident so far, in MB; or the largest of those that it started."""
    return resource.getrusage(whose).ru_maxrss / 1000


def main() -> None:
    """Print the growth of the peak from a small import, when everything is loaded, to a large one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--workers", type=int, help="else as many as there are cores for")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_runs(folder / "few.jsonl", FEW, 20, 12, seed=1)
        write_runs(folder / "many.jsonl", options.runs, 20, 12, seed=2)
        time_import(folder / "few.jsonl", folder / "few.db")
        before = peak_mb()
        elapsed = time_import(folder / "many.jsonl", folder / "many.db", options.workers)
        size_mb = (folder / "many.jsonl").stat().st_size / 1e6
    print(f"{options.runs:,} runs, {size_mb:,.0f} MB, {elapsed.wall_s:.1f} s")
    print(f"interpreter and libraries {before:.0f} MB, import {peak_mb() - before:.0f} MB more")
    print(f"a worker {peak_mb(resource.RUSAGE_CHILDREN):.0f} MB in all, promise {PROMISE_MB} MB more")


if __name__ == "__main__":
    main()
