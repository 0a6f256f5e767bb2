"""Markdown over HTTP: texts in, HTML out, so that a reader who scrolls runs no page again.

The texts come from the browser, which has them already: the route knows no run and no session, and gives away nothing.
"""

from __future__ import annotations

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.markdown import LONGEST, as_html

PATH = "/transcript-markdown"
MOST_TEXTS = 24
"""Texts of one request; the browser asks for no more (`views.js`)."""
MOST_BYTES = MOST_TEXTS * LONGEST * 4


async def render_markdown(request: Request) -> Response:
    """Answer a JSON array of texts with the array of their HTML; null for one that `as_html` does not render."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            return Response(status_code=413)
    try:
        texts = orjson.loads(body)
    except orjson.JSONDecodeError:
        return Response(status_code=400)
    if not isinstance(texts, list) or len(texts) > MOST_TEXTS or not all(isinstance(text, str) for text in texts):
        return Response(status_code=400)
    html = await run_in_threadpool(lambda: [as_html(text) for text in texts])
    return Response(orjson.dumps(html), media_type="application/json")


def markdown_routes(base: str = "") -> list[Route]:
    """Return the route of the app that is served below the path `base`."""
    base = base.strip("/")
    return [Route(f"/{base}{PATH}" if base else PATH, render_markdown, methods=["POST"])]
