"""How long a run with one very long message takes to open, to search, and to page through, in Chromium.

    python -m benchmarks.long_message --megabytes 60

Imports a run whose second message is that long into a temporary store and serves the app. *Opens* and *runs again* are
those of `big_run`; *finds* is from the last key of a query to the match, which stands in the middle of the message, on
the screen; *pages* from a click on the next 100,000 characters to the frame that shows them. The best of several.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import orjson
from playwright.sync_api import Page, sync_playwright

from benchmarks.big_run import RAN_AGAIN, opened_ms, settled
from benchmarks.serving import served
from benchmarks.stopwatch import stopwatch
from trace_store import Store, import_paths

FIND_MS = 1000.0
"""What README promises."""

LINE = "a line of the log that goes on for a while, number 0123456789\n"
NEEDLE = "needle in the middle"

FOUND = """words => new Promise(resolve => {
    const root = [...document.querySelectorAll(".st-key-run-transcript *")].find((one) => one.shadowRoot).shadowRoot;
    const find = root.querySelector("[data-part=find]");
    find.value = words;
    const began = performance.now();
    find.dispatchEvent(new Event("input", { bubbles: true }));
    const look = () => root.querySelector("mark.current")
        ? requestAnimationFrame(() => resolve(performance.now() - began))
        : requestAnimationFrame(look);
    look();
})"""
CLEARED = """() => new Promise(resolve => {
    const root = [...document.querySelectorAll(".st-key-run-transcript *")].find((one) => one.shadowRoot).shadowRoot;
    const find = root.querySelector("[data-part=find]");
    find.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    requestAnimationFrame(() => requestAnimationFrame(resolve));
})"""
PAGED = """() => new Promise(resolve => {
    const root = [...document.querySelectorAll(".st-key-run-transcript *")].find((one) => one.shadowRoot).shadowRoot;
    const button = (words) => [...root.querySelectorAll("button")].find((one) => one.textContent.startsWith(words));
    button("Read all in")?.click();
    const began = performance.now();
    button("Next ").click();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
})"""


def write_run(path: Path, megabytes: int) -> None:
    """Write a run with a message of that many megabytes."""
    half = LINE * (megabytes * 500_000 // len(LINE))
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": half + NEEDLE + half},
        {"role": "user", "content": "thanks"},
    ]
    path.write_bytes(orjson.dumps({"run_id": "long-message", "final_response": "ok", "messages": messages}) + b"\n")


def measure(page: Page, address: str, times: int) -> dict[str, list[float]]:
    """Return the milliseconds of each thing that a reader does, by its name."""
    figures: dict[str, list[float]] = {"opens": [opened_ms(page, address, "long-message") for _ in range(times)]}
    settled(page)
    figures |= {"runs again": [], "finds": [], "pages": []}
    for place in range(times):
        figures["runs again"].append(float(page.evaluate(RAN_AGAIN, place % 2)))
        settled(page)
    for turn in range(times):
        figures["finds"].append(float(page.evaluate(FOUND, NEEDLE[: len(NEEDLE) - turn])))
        page.evaluate(CLEARED)
    figures["pages"] = [float(page.evaluate(PAGED)) for _ in range(times)]
    return figures


def main() -> None:
    """Print what a reader waits for, beside what is promised."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=60)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        source, url = Path(name, "run.jsonl"), f"sqlite:///{name}/traces.db"
        write_run(source, options.megabytes)
        with Store.open(url) as store, stopwatch() as elapsed:
            import_paths(store, [source])
        print(f"a run of {source.stat().st_size / 1e6:.1f} MB, imported in {elapsed.wall_s:.1f} s")
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        with served(url) as address:
            page = chromium.new_page(viewport={"width": 1280, "height": 900})
            page.set_default_timeout(120_000)
            figures = measure(page, address, options.times)
        chromium.close()
    for word, found in figures.items():
        mark = "!" if word == "finds" and min(found) > FIND_MS else " "
        print(f"{min(found):8.0f} ms {mark} {word}; all: {[round(ms) for ms in found]}")


if __name__ == "__main__":
    main()
