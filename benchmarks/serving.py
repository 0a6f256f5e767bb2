"""The app in a process of its own, for scripts that look at it as a browser does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from socket import socket
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 30.0


@contextmanager
def served(store: str) -> Iterator[str]:
    """Start the app over the store at this URL on a free port, and yield its address. Raises TimeoutError."""
    with closing(socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.port", str(port)]
    server = subprocess.Popen(
        [*command, "--server.headless", "true"],
        cwd=ROOT,
        env=os.environ | {"TRACE_STORE_URL": store},
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait(address)
        yield address
    finally:
        server.terminate()
        server.wait()


def _wait(address: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            with urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"the app at {address} does not answer")
