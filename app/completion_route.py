"""Completion of a query over HTTP: what is typed in, suggestions out, so that a key press runs no page again.

Values come out of runs, so the route answers only at the names under which the app may be reached, as its WebSocket
does.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from app import state
from trace_store.errors import TraceError
from trace_store.store.query import LONGEST_QUERY, Field, ListName
from trace_store.store.query.completion import Suggestion, complete

PATH = "/query-completion"
MOST_SUGGESTIONS = 50
MOST_VALUES = MOST_SUGGESTIONS - 2
"""Of a field: `*` and `none` come after them."""
MOST_BYTES = LONGEST_QUERY * 12 + 200
"""Of a request: JSON writes a character in up to twelve."""


async def complete_query(request: Request) -> Response:
    """Answer `{"text", "cursor", "list"}` with suggestions, each `{"text", "description", "start", "end"}`. Positions
    count characters, not the units of the browser."""
    if not is_host_allowed(request.headers.get("host")):
        return Response(status_code=403)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            return Response(status_code=413)
    try:
        asked = orjson.loads(body)
    except orjson.JSONDecodeError:
        return Response(status_code=400)
    match asked:
        case {"text": str(text), "cursor": int(cursor), "list": "runs" | "calls" | "findings" as listed}:
            suggestions = await run_in_threadpool(_suggest, text, min(max(cursor, 0), len(text)), listed)
            return Response(orjson.dumps(suggestions), media_type="application/json")
    return Response(status_code=400)


def completion_routes(base: str = "") -> list[Route]:
    """Return the route of the app that is served below the path `base`."""
    base = base.strip("/")
    return [Route(f"/{base}{PATH}" if base else PATH, complete_query, methods=["POST"])]


def _suggest(text: str, cursor: int, listed: ListName) -> list[Suggestion]:
    def values(field: Field, beginning: str) -> Iterable[str]:
        try:
            return _values(state.store().revision(), field.name, beginning, listed)
        except TraceError:
            return ()  # the page itself says that the store cannot be read

    return complete(text, cursor, list_name=listed, values=values)[:MOST_SUGGESTIONS]


@lru_cache(maxsize=1024)
def _values(revision: str, field: str, beginning: str, listed: ListName) -> list[str]:
    return state.store().figures.field_values(field, beginning, MOST_VALUES, listed)
