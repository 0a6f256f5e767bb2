"""Every HTTP answer carries the headers, whoever made it."""

from __future__ import annotations

import asyncio
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Message

from app.main import app as shell
from app.security import SecurityHeaders
from app.start_page import StartPage

ROOT = Path(__file__).resolve().parents[2]


async def page(request: Request) -> Response:
    return PlainTextResponse("ok", headers={"Content-Security-Policy": "default-src *", "X-Own": "kept"})


def get(path: str) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer, through the middleware."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [],
        "app": None,
    }
    app = SecurityHeaders(Starlette(routes=[Route("/", page)]))
    # In a thread of its own: the browser tests keep an event loop running in this one.
    with ThreadPoolExecutor(1) as executor:
        executor.submit(lambda: asyncio.run(app(scope, receive, send))).result()
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_a_page_carries_the_policy_instead_of_its_own() -> None:
    status, headers = get("/")
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert status == 200
    assert policy["default-src"] == "'self'"
    assert policy["img-src"] == "'self' data: blob:"
    assert policy["object-src"] == policy["frame-ancestors"] == "'none'"
    assert "'unsafe-inline'" not in policy["script-src"]
    assert headers["x-own"] == "kept"


def test_an_error_carries_the_headers_too() -> None:
    status, headers = get("/nothing")
    assert status == 404
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"


def test_the_server_script_wraps_the_page_script_in_the_headers() -> None:
    assert [cast(object, middleware.cls) for middleware in shell._user_middleware] == [SecurityHeaders, StartPage]
    assert Path(shell.script_path).name == "ui.py"


def test_the_configuration_keeps_the_app_on_this_machine() -> None:
    config = tomllib.loads((ROOT / "app/.streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["allowedHosts"] == ["127.0.0.1", "localhost"]
    assert config["server"]["enableXsrfProtection"] is config["server"]["enableCORS"] is True
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"] == {
        "toolbarMode": "viewer",
        "showErrorDetails": "type",
        "showErrorLinks": False,
        "disableDataExport": True,
    }


def test_the_configuration_holds_from_the_root_of_the_repository_too() -> None:
    assert (ROOT / ".streamlit/config.toml").samefile(ROOT / "app/.streamlit/config.toml")
