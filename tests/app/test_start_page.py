"""The start page: Streamlit's own, but for the inline script, which the policy forbids."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Message

from app.start_page import INLINE, PATH, StartPage, start_routes

INSTALLED = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()


def get(path: str, base: str = "") -> tuple[dict[str, str], bytes]:
    sent: list[Message] = []

    async def page(request: Request) -> Response:
        if request.url.path == "/plain":
            return PlainTextResponse(INSTALLED)
        return HTMLResponse(INSTALLED, headers={"ETag": "x"})

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
    app = StartPage(Starlette(routes=[*start_routes(base), Route("/{name}", page)]))
    # In a thread of its own: the browser tests keep an event loop running in this one.
    with ThreadPoolExecutor(1) as executor:
        executor.submit(lambda: asyncio.run(app(scope, receive, send))).result()
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, b"".join(message.get("body", b"") for message in sent[1:])


def test_the_inline_script_of_the_installed_page_gives_way_to_ours() -> None:
    headers, page = get("/failures")
    assert len(INLINE.findall(INSTALLED)) == 1
    assert b"<script>" not in page and b'<script src="./app-start.js"></script>' in page
    assert page == INLINE.sub(b'<script src="./app-start.js"></script>', INSTALLED)
    assert headers["content-length"] == str(len(page)) and "etag" not in headers


def test_what_is_not_a_page_passes_as_it_is() -> None:
    assert get("/plain")[1] == INSTALLED


@pytest.mark.parametrize(("path", "base"), [(PATH, ""), (f"/team{PATH}", "team"), (f"/team{PATH}", "/team/")])
def test_the_script_says_where_the_server_is(path: str, base: str) -> None:
    headers, script = get(path, base)
    assert headers["content-type"].startswith("text/javascript")
    assert b"BACKEND_BASE_URL" in script
