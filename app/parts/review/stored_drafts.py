"""Drafts of reviews as a text that a browser keeps, so that a reload loses nothing; and back, believing nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson

from trace_store.model import JSON, Review

_TEXTS = ("verdict", "actor_id", "step", "failure_mode", "note", "reviewer")


class Draft(NamedTuple):
    """A review in the making. `expected`: the version of the saved review that it began from, 0 for none."""

    review: Review
    expected: int


def written(drafts: dict[str, Draft], longest: int) -> str:
    """The drafts by run id as a text of at most `longest` characters: the latest ones, as many as fit."""
    kept: dict[str, JSON] = {}
    text = ""
    for run_id, draft in reversed(list(drafts.items())):
        said: dict[str, JSON] = {name: getattr(draft.review, name) for name in _TEXTS}
        kept[run_id] = {**said, "tags": list(draft.review.tags), "expected": draft.expected}
        longer = orjson.dumps(dict(reversed(list(kept.items())))).decode()
        if len(longer) > longest:
            break
        text = longer
    return text


def read(text: str) -> dict[str, Draft]:
    """The drafts in a text that came from a browser; whatever is none is left out."""
    try:
        kept: JSON = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    if not isinstance(kept, dict):
        return {}
    return {run_id: draft for run_id, value in kept.items() if (draft := _draft(value)) is not None}


def _draft(value: JSON) -> Draft | None:
    if not isinstance(value, dict):
        return None
    said: dict[str, Any] = {name: value.get(name) for name in _TEXTS}
    tags, expected = value.get("tags"), value.get("expected")
    if not isinstance(expected, int) or not isinstance(tags, list):
        return None
    if not all(text is None or isinstance(text, str) for text in (*said.values(), *tags)) or None in tags:
        return None
    try:
        return Draft(Review(**said, tags=tuple(map(str, tags))), expected)
    except ValueError:
        return None  # a verdict that there is not
