"""What it gains to look for the separator between the elements of an array instead of counting brackets.

    python -m benchmarks.array_elements --runs 2000

Reads one array of runs on one line, with and without the search, several times in turn. The gain is also printed as a
share of an import of the same runs, because the search has to earn its place in the reader.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from unittest.mock import patch

from benchmarks.import_floor import time_import, write_runs
from benchmarks.stopwatch import Elapsed, best, stopwatch
from trace_store.readers import open_documents
from trace_store.readers.parsing import splitting

REPEATS = 3


def read(path: Path) -> Elapsed:
    """Read every document of a file."""
    with stopwatch() as elapsed, open_documents(path) as reading:
        for _ in reading:
            pass
    return elapsed


def main() -> None:
    """Print the processor time of both ways, and what the difference is of an import."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        lines, array = Path(name) / "runs.jsonl", Path(name) / "runs.json"
        write_runs(lines, options.runs, 20, 12, seed=1)
        array.write_bytes(b"[" + b",".join(lines.read_bytes().splitlines()) + b"]")
        searching, counting = [], []
        for _ in range(REPEATS):
            searching.append(read(array))
            with patch.object(splitting._Separator, "is_worth_a_guess", lambda _: False):
                counting.append(read(array))
        imported = time_import(array, Path(name) / "runs.db", 0)
    search_s, count_s = best(searching).cpu_s, best(counting).cpu_s
    print(
        f"{options.runs:,} runs in one array: reading takes {search_s:.2f} s with the search, {count_s:.2f} s without"
    )
    print(
        f"the search saves {(count_s - search_s) / (imported.cpu_s + count_s - search_s):.0%} of an import without it"
    )


if __name__ == "__main__":
    main()
