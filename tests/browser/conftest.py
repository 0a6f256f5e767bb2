"""Fixtures for tests that drive real pages in headless Chromium.

Chromium is the system's own. Without one these tests skip; under CI they fail, so that a green run means they ran.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from trace_store import Store, import_paths

ROOT = Path(__file__).resolve().parents[2]
START_TIMEOUT_S = 60
CHROMIUM_FLAGS = [
    "--no-sandbox",  # tests may run as root in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Serve = Callable[..., str]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in Path(item.path).parts:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        reason = "no Chromium on this machine (Debian: apt-get install chromium)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page of 1280 x 900 that fails the test when the page tries to reach another host."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    strangers: list[str] = []
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))
            else strangers.append(request.url)
        ),
    )
    yield page
    context.close()
    assert strangers == []


FAULTS = ".broken, .st-key-script-error, [data-testid=stException]"
"""What the app shows where something failed."""


@pytest.fixture
def reports(page: Page) -> list[str]:
    """What the page has reported: errors in the console, exceptions, and answers that failed."""
    reports: list[str] = []
    page.on("console", lambda message: reports.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: reports.append(str(error)))
    page.on("response", lambda answer: reports.append(f"{answer.status} {answer.url}") if answer.status > 399 else None)
    return reports


@contextmanager
def running_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A function that starts `streamlit run script` on a free port and returns its address; all end with the block."""
    servers: list[subprocess.Popen[bytes]] = []

    def start(script: str | Path = "app/main.py", *, store: str | None = None, **env: str) -> str:
        folder = tmp_path_factory.mktemp("server")
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        log = folder / "server.log"
        with log.open("wb") as output:
            server = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port),
                 "--server.headless", "true"],
                cwd=ROOT,
                env=os.environ | {"TRACE_STORE_URL": store or f"sqlite:///{folder / 'traces.db'}"} | env,
                stdout=output,
                stderr=subprocess.STDOUT,
            )  # fmt: skip
        servers.append(server)
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and server.poll() is None:
            try:
                with urlopen(f"{address}/_stcore/health", timeout=1):
                    return address
            except (URLError, OSError):
                time.sleep(0.1)
        pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")

    try:
        yield start
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait(timeout=20)


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """`serve(script, store=URL, **env)` starts a server for one file of tests."""
    with running_servers(tmp_path_factory) as start:
        yield start


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app over the sample runs, for tests that only read: one server for all their files."""
    url = f"sqlite:///{tmp_path_factory.mktemp('store') / 'samples.db'}"
    with Store.open(url) as store:
        import_paths(store, [ROOT / "sample_runs" / "runs"])
    with running_servers(tmp_path_factory) as start:
        yield start(store=url)
