"""Takes the pictures in docs/screenshots: every page, over the sample runs and over real ones, light and dark.

    python -m docs.take_screenshots [--real FILE]

Needs the extra `test` and a Chromium on the PATH. Pictures differ a little from machine to machine, with its fonts. A
palette of 256 colours keeps them small.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from benchmarks.serving import served
from trace_store import Store, import_paths

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = Path("sample_runs", "runs")
REAL = Path("tests", "evidence", "transcripts", "tau-airline.jsonl")
PICTURES = ROOT / "docs" / "screenshots"
SIZE: ViewportSize = {"width": 1280, "height": 900}

PAGES = {
    "runs": ("", "71 runs"),
    "run": ("run?run=support-claimed-refund", "First failed at"),
    "run-calls": ("run?run=travel-rate-limited&panel=calls", "chains"),
    "run-actors": ("run?run=support-refund-typo-actor&panel=actors", "undeclared"),
    "run-timeline": ("run?run=travel-rate-limited&panel=timeline", "travel-rate-limited"),
    "run-findings": ("run?run=support-claimed-refund&panel=findings", "What was seen"),
    "run-raw": ("run?run=support-claimed-refund&panel=raw", "bytes as imported"),
    "run-thin": ("run?run=support-thin-answer", "thin"),
    "calls": ("calls?q=error_class%3A*", "calls"),
    "failures": ("failures", "calls failed"),
    "actors": ("actors", "Undeclared actors"),
    "compare": ("compare", "Compare the runs"),
    "compare-runs": ("compare?left=support-refund-typo-actor&right=support-refund-clean", "support-refund-clean"),
    "compare-rates": ("compare?q=verdict%3Apassed&against=verdict%3Afailed", "Swap sides"),
    "review": ("review", "runs not reviewed"),
    "judge": ("judge", "passed with errors"),
    "imports": ("imports", "imports"),
}
REAL_PAGES = {
    "real-runs": ("", "runs"),
    "real-run": ("run?run=tau-airline-46-3", "tau-airline-46-3"),
    "real-run-calls": ("run?run=tau-airline-46-3&panel=calls", "chains"),
    "real-calls": ("calls", "calls"),
    "real-failures": ("failures", "calls failed"),
    "real-actors": ("actors", "in 27 runs"),
    "real-judge": ("judge", "passed with errors"),
    "real-compare": ("compare", "Compare the runs"),
}
EMPTY_PAGES = {"empty": ("", "No runs yet.")}
"""Each picture's page, and words that stand on it when it is there."""

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def take(chromium: Browser, address: str, pages: dict[str, tuple[str, str]]) -> None:
    """The pictures of some pages, in both themes."""
    for scheme in SCHEMES:
        context = chromium.new_context(viewport=SIZE, color_scheme=scheme)
        page = context.new_page()
        for name, (path, words) in pages.items():
            page.goto(f"{address}/{path}")
            expect(page.get_by_test_id("stMain").get_by_text(words).first).to_be_visible(timeout=30_000)
            page.locator("[data-test-script-state=notRunning]").wait_for()
            page.wait_for_timeout(1_500)  # tables are drawn after the page has settled
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(256, dither=Image.Dither.NONE).save(PICTURES / f"{name}-{scheme}.png", optimize=True)
        context.close()


def main() -> None:
    """Takes every picture: over the sample runs, over real ones, and of an empty store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", type=Path, default=REAL, help="real runs; the table of pages names their ids")
    options = parser.parse_args()
    os.chdir(ROOT)
    PICTURES.mkdir(exist_ok=True)
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    stores = (("samples", SAMPLES, PAGES), ("real", options.real, REAL_PAGES), ("empty", None, EMPTY_PAGES))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        for name, source, pages in stores:
            url = f"sqlite:///{folder}/{name}.db"
            with Store.open(url) as store:
                if source is not None:
                    import_paths(store, [source])
            with served(url) as address:
                take(chromium, address, pages)
        chromium.close()


if __name__ == "__main__":
    main()
