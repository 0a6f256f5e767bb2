"""The route that completes a query: what is typed in, suggestions out."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import orjson
import pytest
from starlette.applications import Starlette
from starlette.types import Message

from app import state
from app.completion_route import MOST_BYTES, MOST_SUGGESTIONS, PATH, completion_routes
from app.main import app as shell
from tests.store.building import body, call, put
from trace_store import Store


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store in which seventy tools were called."""
    with Store.open(f"sqlite:///{tmp_path / 'traces.db'}") as store:
        put(store, body("run", *(call(f"tool_{n:02}") for n in range(70))))
    monkeypatch.setenv("TRACE_STORE_URL", f"sqlite:///{tmp_path / 'traces.db'}")
    state.settings.clear()


def post(content: bytes, path: str = PATH, base: str = "", host: str = "localhost") -> tuple[int, Any]:
    """The status and the JSON of an answer; null for an answer without."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"host", host.encode())]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    served = Starlette(routes=completion_routes(base))
    # In a thread of its own: the browser tests keep an event loop running in this one.
    with ThreadPoolExecutor(1) as executor:
        executor.submit(lambda: asyncio.run(served(scope, receive, send))).result()
    status, answer = sent[0]["status"], sent[1]["body"]
    return status, orjson.loads(answer) if status == 200 else None


def suggested(text: str, listed: str = "runs", cursor: int = 10**6) -> list[str]:
    status, answer = post(orjson.dumps({"text": text, "cursor": cursor, "list": listed}))
    assert status == 200
    return [suggestion["text"] for suggestion in answer]


def test_values_come_from_the_store_and_leave_room_for_any_and_none(tools: None) -> None:
    values = suggested("tool:")
    assert len(values) == MOST_SUGGESTIONS
    assert (values[0], values[-2:]) == ("tool_00", ["*", "none"])
    assert suggested("tool:tool_6") == [f"tool_6{n}" for n in range(10)]
    assert suggested("tool:tool_6 err", cursor=11)[0] == "tool_60"


def test_fields_are_those_of_the_list() -> None:
    _, (of_run,) = post(orjson.dumps({"text": "starte", "cursor": 6, "list": "runs"}))
    _, (of_call,) = post(orjson.dumps({"text": "starte", "cursor": 6, "list": "calls"}))
    assert of_run["text"] == of_call["text"] == "started>"
    assert (of_run["description"], of_run["start"], of_run["end"]) == ("When the run started.", 0, 6)
    assert of_call["description"].startswith("When the call started")


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b'{"text": "a", "cursor": "1", "list": "runs"}', 400),
        (b'{"text": "a", "cursor": 1, "list": "imports"}', 400),
        (b" " * (MOST_BYTES + 1), 413),
    ],
    ids=["broken", "array", "cursor", "list", "large"],
)
def test_other_requests_are_refused(content: bytes, status: int) -> None:
    assert post(content) == (status, None)


def test_a_page_that_rebound_its_name_to_this_address_learns_nothing(tools: None) -> None:
    assert post(b'{"text": "tool:", "cursor": 5, "list": "runs"}', host="evil.example") == (403, None)


def test_the_route_stands_beside_the_pages_wherever_the_app_is_served() -> None:
    content = b'{"text": "view:t", "cursor": 6, "list": "runs"}'
    assert post(content, f"/inspect{PATH}", base="/inspect/")[1][0]["text"] == "thin"
    assert PATH in {getattr(route, "path", None) for route in shell._user_routes}
