"""Commands that hand out something else than runs: the schema of a run body, and the app."""

from __future__ import annotations

import errno
import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import orjson
import typer

from trace_store.cli.output import write
from trace_store.errors import TraceError

LOOPBACK = "127.0.0.1"


def serve(
    ctx: typer.Context,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8501,
) -> None:
    """Start the app, on this machine only."""
    _must_be_free(port)
    command = [sys.executable, "-m", "streamlit", "run", str(_app()), "--server.port", str(port)]
    environment = os.environ | {"TRACE_STORE_URL": ctx.ensure_object(dict)["store"]}
    process = subprocess.run([*command, "--server.address", LOOPBACK], env=environment, check=False)
    raise typer.Exit(process.returncode)


def _must_be_free(port: int) -> None:
    # Asked before the app starts: what its server says about a port is a page of log.
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, os.name != "nt")  # as the server will ask for it
        try:
            listener.bind((LOOPBACK, port))
            listener.listen()
        except OSError as error:
            reason = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror}"
            raise TraceError(f"port {port} {reason}", hint="name another one with --port") from None


def _app() -> Path:
    spec = importlib.util.find_spec("app")
    main = Path(spec.submodule_search_locations[0], "main.py") if spec and spec.submodule_search_locations else None
    if main is None or not main.is_file():
        raise TraceError("the app is not installed", hint="install the whole project: pip install -e .")
    return main


def schema() -> None:
    """Print the JSON Schema of a run body."""
    from trace_store.contract.run_body_schema import (
        run_body_schema,  # here, because its models take their time to build
    )

    write(orjson.dumps(run_body_schema(), option=orjson.OPT_INDENT_2) + b"\n")
