"""Reviews: what is saved comes back, and filters find it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.store.building import body, put, run_ids
from trace_store import Store
from trace_store.errors import NotFoundError
from trace_store.model import Review

WHOLE = Review(
    verdict="fail",
    actor_id="boss/refund_agent",
    step="calls[3]",
    failure_mode="wrong order",
    note="it refunded twice\nand said nothing",
    reviewer="Ada",
    tags=("later", "billing", " billing ", ""),
)


def test_a_review_comes_back(store: Store) -> None:
    put(store, body("a"))
    assert store.reviews.get("a") is None
    assert store.run("a").review is None
    store.reviews.save("a", WHOLE)
    saved = store.reviews.get("a")
    assert saved is not None
    assert saved.reviewed_at is not None
    assert saved.reviewed_at.endswith("Z")
    assert store.run("a").review == replace(WHOLE, tags=("billing", "later"), reviewed_at=saved.reviewed_at, version=1)


def test_a_later_review_takes_the_place_of_the_first(store: Store) -> None:
    put(store, body("a"))
    store.reviews.save("a", WHOLE)
    store.reviews.save("a", Review("pass", tags=("new",)))
    saved = store.reviews.get("a")
    assert saved is not None
    assert (saved.verdict, saved.note, saved.tags) == ("pass", None, ("new",))


def test_a_review_is_taken_away(store: Store) -> None:
    put(store, body("a"))
    store.reviews.save("a", WHOLE)
    store.reviews.save("a", None)
    assert store.reviews.get("a") is None
    assert store.figures.facet("", "tag") == []
    assert store.figures.totals().unreviewed == 1


@pytest.mark.parametrize("run_id", ["nobody", "\udc80"])
def test_a_run_that_is_not_there_cannot_be_reviewed(store: Store, run_id: str) -> None:
    with pytest.raises(NotFoundError, match="there is no run"):
        store.reviews.save(run_id, WHOLE)
    assert store.reviews.get(run_id) is None


def test_a_word_that_is_no_verdict_is_refused() -> None:
    with pytest.raises(ValueError, match="'good' is not a verdict"):
        Review("good")  # type: ignore[arg-type]  # that is the point


def test_filters_find_reviews(store: Store) -> None:
    put(store, body("a"), body("b"), body("c"))
    store.reviews.save("a", WHOLE)
    store.reviews.save("b", Review(note="only a note"))
    assert run_ids(store.runs("reviewed:true").rows) == ["b", "a"]
    assert run_ids(store.runs("review:fail").rows) == ["a"]
    assert run_ids(store.runs("tag:billing").rows) == ["a"]
    assert run_ids(store.runs('failure_mode:"wrong order"').rows) == ["a"]
    rows = {row["run_id"]: row for row in store.runs().rows}
    assert [(rows[name]["review"], rows[name]["reviewed"], rows[name]["tags"]) for name in "abc"] == [
        ("fail", True, ["billing", "later"]), (None, True, []), (None, False, []),
    ]  # fmt: skip
    put(store, body("a", status="changed"))
    assert store.runs("run:a").rows[0]["review_stale"] is True


def test_the_review_of_a_deleted_run_waits_for_it(store: Store) -> None:
    put(store, body("a"))
    store.reviews.save("a", WHOLE)
    assert store.delete("run:a") == 1
    assert store.reviews.get("a") is None
    put(store, body("a"))
    saved = store.reviews.get("a")
    assert saved is not None
    assert (saved.verdict, saved.stale) == ("fail", False)
