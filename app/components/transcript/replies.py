"""What the browser asks for while one reads: a text as Markdown, and a message as it stood in the document.

Both are made on demand, for the few texts that are on screen: a run has ten thousand. Pure: no Streamlit, no store.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TypeAlias

from app import markdown
from app.components.transcript.payload_types import MessageItem, TranscriptData
from trace_store.model import JSON

MOST_AT_ONCE = 24
"""Texts that are answered together; the browser asks for no more (`views.js`)."""

Original: TypeAlias = Callable[[str], JSON]
"""What stands at a path of the document as it was imported."""


def answers(asked: object, data: TranscriptData, original: Original | None) -> dict[str, str | None]:
    """What was asked for, by the words that asked: `markdown messages[4]`, `markdown messages[4].content[1]`,
    `markdown final_response`, `raw messages[4]`. Null: it cannot be shown so. Anything else that is asked is left out.
    """
    wants = [want for want in asked if isinstance(want, str)][:MOST_AT_ONCE] if isinstance(asked, list) else []
    paths = {want.removeprefix("markdown ") for want in wants if want.startswith("markdown ")}
    texts = dict(_texts(data, paths))
    answered: dict[str, str | None] = {
        f"markdown {path}": markdown.as_html(texts[path]) if path in texts else None for path in paths
    }
    for want in wants:
        if want.startswith("raw messages["):
            answered[want] = _as_json(original(want.removeprefix("raw "))) if original else None
    return answered


def _texts(data: TranscriptData, paths: set[str]) -> Iterable[tuple[str, str]]:
    """The texts that stand at these paths."""
    wanted = {path.partition(".")[0] for path in paths}
    if not wanted:
        return
    for item in data["items"]:
        if item["type"] == "final" and "text" in item:
            yield "final_response", item["text"]
        elif item["type"] == "message" and (path := f"messages[{item['index']}]") in wanted:
            yield from _of_message(path, item)


def _of_message(path: str, item: MessageItem) -> Iterable[tuple[str, str]]:
    if "content" in item:
        yield path, item["content"]
    for place, text in enumerate(item.get("parts", [])):
        part = json.loads(text)
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            yield f"{path}.content[{place}]", part["text"]


def _as_json(value: JSON) -> str | None:
    if value is None:
        return None
    text = json.dumps(value, ensure_ascii=False)
    # The original may hold what the wire cannot: half a surrogate pair.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
