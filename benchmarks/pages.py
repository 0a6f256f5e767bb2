"""How long each page of the app takes on the server, over many runs.

    python -m benchmarks.pages --runs 100000 --store sqlite:////tmp/large.db

Fills the store first, where it has fewer runs, and keeps it. Each page is run as Streamlit runs it, without a browser:
first with a query that nobody asked before (nothing is in the caches), then again as a click that changes nothing
would, the best of three. Of each run, the second figure is the store's own time. `!` marks a rerun over its promise.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path

import streamlit as st
from streamlit.testing.v1 import AppTest

from app import state
from benchmarks.queries import filled
from trace_store import Store

RERUN_MS = 400.0
"""What README promises for 100,000 runs."""

PAGES: list[tuple[str, dict[str, str]]] = [
    ("runs", {}),
    ("runs", {"q": "error_class:run_token_expired actor_status:undeclared"}),
    ("runs", {"q": "model:gpt-5 verdict:failed", "sort": "-failures"}),
    ("runs", {"q": "refund"}),
    ("run", {"panel": "transcript"}),
    ("run", {"panel": "calls"}),
    ("run", {"panel": "actors"}),
    ("run", {"panel": "timeline"}),
    ("run", {"panel": "findings"}),
    ("run", {"panel": "raw"}),
    ("calls", {}),
    ("calls", {"q": "outcome:failed", "sort": "-latency_ms"}),
    ("calls", {"q": "model:gpt-5 error_class:*"}),
    ("failures", {}),
    ("failures", {"q": "model:gpt-5"}),
    ("actors", {}),
    ("actors", {"q": "model:gpt-5"}),
    ("compare", {}),
    ("compare", {"q": "model:gpt-5", "against": "model:gpt-5-mini"}),
    ("review", {}),
    ("judge", {}),
    ("judge", {"q": "model:gpt-5"}),
    ("imports", {}),
]


@dataclass
class StoreClock:
    """Seconds inside of the store, over all of its public methods; the inner ones of nested calls count once."""

    seconds: float = 0.0
    calls: list[tuple[str, float]] = field(default_factory=list)
    depth: int = 0

    def watch(self, cls: type[Store]) -> None:
        """Measure every public method of the class from now on."""
        for name, method in list(vars(cls).items()):
            if callable(method) and not name.startswith("_") and name != "close":
                setattr(cls, name, self._timed(name, method))

    def _timed(self, name: str, method: Callable[..., object]) -> Callable[..., object]:
        @wraps(method)
        def timed(*args: object, **named: object) -> object:
            began, self.depth = time.perf_counter(), self.depth + 1
            try:
                return method(*args, **named)
            finally:
                self.depth -= 1
                if self.depth == 0:
                    elapsed = time.perf_counter() - began
                    self.seconds += elapsed
                    self.calls.append((name, elapsed))

        return timed

    def reset(self) -> None:
        """Start anew."""
        self.seconds, self.depth = 0.0, 0
        self.calls.clear()


def forget() -> None:
    """Empty the caches of the app; the store is open again afterwards."""
    state.store().close()
    st.cache_data.clear()
    st.cache_resource.clear()
    state.store()


def measured(script: AppTest, clock: StoreClock) -> tuple[float, float]:
    """Return one run of the page: milliseconds in all, and in the store. Raises RuntimeError where the page failed."""
    clock.reset()
    began = time.perf_counter()
    script.run()
    elapsed_ms = (time.perf_counter() - began) * 1000
    if script.exception:
        raise RuntimeError(f"{script.exception[0].message}")
    return elapsed_ms, clock.seconds * 1000


def opened(page: str, params: dict[str, str]) -> AppTest:
    """Return the page, before its first run there, in a session that has seen the first page of the app."""
    script = AppTest.from_file(str(Path("app/ui.py").resolve()), default_timeout=120)
    script.run()
    if page != "runs":
        script.switch_page(f"views/{page}.py")
    for name, value in params.items():
        script.query_params[name] = value
    return script


def main() -> None:
    """Print a line a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=17)
    parser.add_argument("--store", required=True, help="sqlite:///… to fill and keep")
    parser.add_argument("--only", help="pages whose name begins so")
    parser.add_argument("--profile", type=int, default=0, help="lines of a profile of each first run")
    options = parser.parse_args()
    with filled(options.store, options.runs, options.messages) as store:
        count = store.runs(limit=0).total
        some = str(store.runs(limit=1, offset=count // 2).rows[0]["run_id"])
        print(f"{count:,} runs, {store.calls(limit=0).total:,} calls")
    os.environ["TRACE_STORE_URL"] = options.store
    clock = StoreClock()
    clock.watch(Store)
    print("   first    store     rerun    store    page")
    for page, params in PAGES:
        if (options.only and not page.startswith(options.only)) or not Path(f"app/views/{page}.py").exists():
            continue
        script = opened(page, params | ({"run": some} if page == "run" else {}))
        forget()
        profile = cProfile.Profile()
        if options.profile:
            profile.enable()
        first_ms, first_store_ms = measured(script, clock)
        profile.disable()
        slowest = ", ".join(
            f"{name} {1000 * elapsed:.0f}" for name, elapsed in sorted(clock.calls, key=lambda c: -c[1])[:4]
        )
        rerun_ms, rerun_store_ms = min(measured(script, clock) for _ in range(3))
        mark = "!" if rerun_ms > RERUN_MS else " "
        shown = " ".join(f"{name}={value}" for name, value in params.items())
        print(
            f"{first_ms:8.0f} {first_store_ms:8.0f}  {rerun_ms:8.0f} {rerun_store_ms:8.0f} {mark}  {page} {shown}"
            f"  ({slowest})"
        )
        if options.profile:
            pstats.Stats(profile, stream=sys.stdout).sort_stats("cumulative").print_stats(options.profile)


if __name__ == "__main__":
    main()
