"""The HTML page that the app starts from, with one script changed.

Streamlit's page has an inline script, which the policy of `security.py` forbids, and its front end looks for the server
below the path of each page first: every link to a page began with an error and two answers 404. A script of ours in the
place of the inline one does what that did, and says where the server is.
"""

from __future__ import annotations

import re

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATH = "/app-start.js"
INLINE = re.compile(rb"<script>\s*window\.prerenderReady\s*=\s*false;?\s*</script>")
_SCRIPT = b"""window.prerenderReady = false;
window.__streamlit = { ...window.__streamlit, BACKEND_BASE_URL: new URL("./", document.currentScript.src).href };
"""
LARGEST_PAGE = 1_000_000
"""Bytes; a larger HTML answer is not the start page."""


async def _start_script(request: Request) -> Response:
    return Response(_SCRIPT, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


def start_routes(base: str = "") -> list[Route]:
    """Return the route of the script, for the app that is served below the path `base`."""
    base = base.strip("/")
    return [Route(f"/{base}{PATH}" if base else PATH, _start_script)]


class StartPage:
    """Puts the script into the start page. Another page, or one without the inline script, passes as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        start: Message | None = None
        body = bytearray()
        if _asks_for_page(scope):  # uncompressed, so that it can be changed
            headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            scope = {**scope, "headers": headers}

        async def send_changed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is not None and message["type"] == "http.response.body":
                body.extend(message.get("body", b""))
                if not message.get("more_body"):
                    await send(_with_length(start, changed := _with_script(bytes(body))))
                    await send({"type": "http.response.body", "body": changed})
            else:
                await send(message)

        await self.app(scope, receive, send_changed)


def _asks_for_page(scope: Scope) -> bool:
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def _is_page(message: Message) -> bool:
    headers = MutableHeaders(scope=message)
    return (
        message["status"] == 200
        and headers.get("content-type", "").startswith("text/html")
        and "content-encoding" not in headers
        and int(headers.get("content-length", LARGEST_PAGE)) < LARGEST_PAGE
    )


def _with_script(page: bytes) -> bytes:
    return INLINE.sub(f'<script src=".{PATH}"></script>'.encode(), page, count=1)


def _with_length(start: Message, page: bytes) -> Message:
    headers = MutableHeaders(raw=list(start["headers"]))
    headers["content-length"] = str(len(page))
    for name in ("etag", "last-modified"):  # they are those of the file, which is not what is sent
        if name in headers:
            del headers[name]
    return {**start, "headers": headers.raw}
