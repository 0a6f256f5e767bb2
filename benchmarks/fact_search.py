"""What the index over the sources of an answer gains where an answer states many facts.

    python -m benchmarks.fact_search --facts 2000 --megabytes 2

Looks up numbers that stand nowhere, the worst case, by plain search and by the index that the search falls back on when
the plain one would read too much.
"""

from __future__ import annotations

import argparse
import random

from benchmarks.stopwatch import stopwatch
from trace_store.evidence.grounding import Source, SourceTexts
from trace_store.model import Path


def main() -> None:
    """Print the processor time of both ways, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=2_000)
    parser.add_argument("--megabytes", type=float, default=2.0)
    options = parser.parse_args()
    numbers = random.Random(1)
    text = " ".join(str(numbers.randrange(10**6, 10**7)) for _ in range(int(options.megabytes * 1e6 / 8)))
    facts = [str(numbers.randrange(10**8, 10**9)) for _ in range(options.facts)]
    sources = [Source(Path("calls[0].response"), text)]
    seconds = {}
    for way, expected in (("plain", 1), ("index", 10**9)):
        with stopwatch() as elapsed:
            texts = SourceTexts(sources, expected)
            assert not any(texts.path_of(fact) for fact in facts)
        seconds[way] = elapsed.cpu_s
    plain_s, index_s = seconds["plain"], seconds["index"]
    print(f"{options.facts:,} facts in {options.megabytes:g} MB: plain {plain_s:.2f} s, index {index_s:.2f} s")
    print(f"the index takes {index_s / plain_s:.0%} of the time of the plain search")


if __name__ == "__main__":
    main()
