"""Drafts as a text that a browser keeps: they come back as they were, and nothing else is believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.parts.review.drafts import Draft, from_text, to_text
from trace_store.model import Review

WORDS = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
REVIEWS = st.builds(
    Review, verdict=st.sampled_from(["pass", "fail", "unsure", None]), actor_id=WORDS, step=WORDS, failure_mode=WORDS,
    note=WORDS, reviewer=WORDS, tags=st.lists(st.text("ab"), max_size=3).map(tuple),
)  # fmt: skip
ONE = Draft(Review("fail", note="x" * 300), 2)


@given(st.dictionaries(st.text("abc"), st.builds(Draft, REVIEWS, st.integers(0, 9)), max_size=4))
def test_drafts_come_back_as_they_were(drafts: dict[str, Draft]) -> None:
    assert from_text(to_text(drafts, 100_000)) == drafts


def test_the_latest_that_fit_are_kept_in_their_order() -> None:
    drafts = {f"run_{n}": ONE for n in range(10)}
    text = to_text(drafts, 1500)
    assert len(text) <= 1500
    assert list(from_text(text)) == ["run_7", "run_8", "run_9"]
    assert to_text({"long": Draft(Review(note="x" * 2000), 0)}, 1500) == ""


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "7", '{"a": 1}', '{"a": {}}', '{"a": {"expected": 0, "tags": [null]}}',
        '{"a": {"expected": "0", "tags": []}}', '{"a": {"expected": 0, "tags": [], "verdict": "good"}}',
        '{"a": {"expected": 0, "tags": [], "note": 7}}',
    ],
)  # fmt: skip
def test_what_is_no_draft_is_left_out(text: str) -> None:
    assert from_text(text) == {}
