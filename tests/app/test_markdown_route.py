"""The route that lays out Markdown: a few texts a request, each with its HTML."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from starlette.applications import Starlette
from starlette.types import Message

from app.main import app as shell
from app.markdown import LONGEST
from app.markdown_route import MOST_BYTES, MOST_TEXTS, PATH, markdown_routes


def post(body: bytes, path: str = PATH, base: str = "") -> tuple[int, Any]:
    """The status and the JSON of an answer; null for an answer without."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": []}
    served = Starlette(routes=markdown_routes(base))
    # In a thread of its own: the browser tests keep an event loop running in this one.
    with ThreadPoolExecutor(1) as executor:
        executor.submit(lambda: asyncio.run(served(scope, receive, send))).result()
    status, content = sent[0]["status"], sent[1]["body"]
    return status, orjson.loads(content) if status == 200 else None


def test_each_text_has_its_html_and_null_what_is_too_long() -> None:
    texts = ["**b** <script>", "x" * (LONGEST + 1)]
    assert post(orjson.dumps(texts)) == (200, ["<p><strong>b</strong> &lt;script&gt;</p>\n", None])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"[", 400),
        (b'{"a": 1}', 400),
        (b"[1]", 400),
        (orjson.dumps(["a"] * (MOST_TEXTS + 1)), 400),
        (b" " * (MOST_BYTES + 1), 413),
    ],
    ids=["broken", "object", "number", "many", "large"],
)
def test_other_requests_are_refused(body: bytes, status: int) -> None:
    assert post(body) == (status, None)


def test_the_route_stands_beside_the_pages_wherever_the_app_is_served() -> None:
    assert post(b"[]", f"/inspect{PATH}", base="/inspect/") == (200, [])
    assert PATH in {getattr(route, "path", None) for route in shell._user_routes}
