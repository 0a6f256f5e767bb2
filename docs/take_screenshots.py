"""Takes the pictures in docs/screenshots: every page, over the sample runs, light and dark.

    python docs/take_screenshots.py

Needs the extra `test` and a Chromium on the PATH. Pictures differ a little from machine to machine, with its fonts.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal
from urllib.request import urlopen

from playwright.sync_api import Browser, expect, sync_playwright

from trace_store import Store, import_paths

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = Path("sample_runs", "runs")
PICTURES = ROOT / "docs" / "screenshots"
SIZE = {"width": 1280, "height": 900}

PAGES = {
    "runs": ("", "71 runs"),
    "run": ("run?run=support-claimed-refund", "First failed at"),
    "run-calls": ("run?run=travel-rate-limited&panel=calls", "chains"),
    "run-actors": ("run?run=support-refund-typo-actor&panel=actors", "undeclared"),
    "run-findings": ("run?run=support-claimed-refund&panel=findings", "What was seen"),
    "run-thin": ("run?run=support-thin-answer", "thin"),
    "calls": ("calls?q=error_class%3A*", "calls"),
    "failures": ("failures", "calls failed"),
    "imports": ("imports", "imports"),
}
"""Each picture's page, and a word that stands on it when it is there."""

Scheme = Literal["light", "dark"]


@contextmanager
def served(store: str) -> Iterator[str]:
    """The app over a store, on a free port."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.port", str(port)]
    server = subprocess.Popen(
        [*command, "--server.headless", "true"], cwd=ROOT, env=os.environ | {"TRACE_STORE_URL": store}
    )
    try:
        for _ in range(300):
            try:
                with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1):
                    break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def take(chromium: Browser, address: str, scheme: Scheme, pages: dict[str, tuple[str, str]]) -> None:
    """The pictures of some pages in one theme."""
    context = chromium.new_context(viewport=SIZE, color_scheme=scheme)
    page = context.new_page()
    for name, (path, word) in pages.items():
        page.goto(f"{address}/{path}")
        expect(page.get_by_test_id("stMain").get_by_text(word).first).to_be_visible(timeout=30_000)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(1_500)  # tables are drawn after the page has settled
        page.screenshot(path=PICTURES / f"{name}-{scheme}.png")
    context.close()


def main() -> None:
    """Fills a store with the sample runs and takes every picture in both themes; then those of an empty store."""
    os.chdir(ROOT)
    PICTURES.mkdir(exist_ok=True)
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        full = f"sqlite:///{folder}/full.db"
        with Store.open(full) as store:
            import_paths(store, [SAMPLES])
        schemes: tuple[Scheme, ...] = ("light", "dark")
        with served(full) as address:
            for scheme in schemes:
                take(chromium, address, scheme, PAGES)
        with served(f"sqlite:///{folder}/empty.db") as address:
            for scheme in schemes:
                take(chromium, address, scheme, {"empty": ("", "No runs yet.")})
        chromium.close()


if __name__ == "__main__":
    main()
