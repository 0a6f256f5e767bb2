"""Changes of reviews: versions, many runs at once, history, undo, and reviews that come from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.building import body, put, run_ids
from trace_store.errors import ConflictError, NotFoundError
from trace_store.model import Review
from trace_store.store import ReviewEdit, Store


@pytest.fixture
def three(store: Store) -> Store:
    for name in "abc":
        put(store, body(name))
    return store


def verdicts(store: Store) -> list[str | None]:
    return [review.verdict if (review := store.reviews.get(name)) else None for name in "abc"]


def test_a_version_that_was_not_seen_is_not_overwritten(three: Store) -> None:
    three.reviews.save("a", Review("pass", reviewer="Ada"), expected=0)
    with pytest.raises(ConflictError, match="Ada saved another review"):
        three.reviews.save("a", Review("fail"), expected=0)
    assert verdicts(three)[0] == "pass"
    three.reviews.save("a", Review("fail"), expected=1)
    three.reviews.save("a", None, expected=2)
    with pytest.raises(ConflictError, match="took the review away"):
        three.reviews.save("a", Review("pass"), expected=2)
    three.reviews.save("a", Review("unsure"), expected=0)
    saved = three.reviews.get("a")
    assert saved is not None
    assert (saved.verdict, saved.version) == ("unsure", 4)


def test_another_process_is_seen(three: Store, path: Path) -> None:
    with Store.open(f"sqlite:///{path}") as other:
        other.reviews.save("a", Review("pass"), expected=0)
    with pytest.raises(ConflictError):
        three.reviews.save("a", Review("fail"), expected=0)


def test_one_word_on_many_runs_leaves_what_it_does_not_say(three: Store) -> None:
    three.reviews.save("a", Review("pass", note="kept", tags=("old", "gone")))
    change = three.reviews.save_many("run:a,b", ReviewEdit(verdict="fail", tags=("new",), tags_removed=("gone",)))
    assert change.saved == 2
    review = three.reviews.get("a")
    assert review is not None
    assert (review.verdict, review.note, review.tags) == ("fail", "kept", ("new", "old"))
    assert verdicts(three) == ["fail", "fail", None]
    assert three.reviews.save_many("", ReviewEdit(verdict="fail"), run_ids=["c", "nobody", "\udc80"]).saved == 1
    again = three.reviews.save_many("", ReviewEdit(verdict="fail"))
    assert (again.saved, again.change) == (0, 0)


def test_a_change_is_undone_except_where_somebody_said_more(three: Store) -> None:
    three.reviews.save("a", Review("pass", note="first"))
    before = three.reviews.get("a")
    bulk = three.reviews.save_many("", ReviewEdit(verdict="fail"))
    three.reviews.save("c", Review("unsure"))
    undone = three.reviews.undo(bulk.change)
    assert (undone.restored, undone.skipped) == (2, 1)
    assert verdicts(three) == ["pass", None, "unsure"]
    review = three.reviews.get("a")
    assert review is not None
    assert before is not None
    assert (review.note, review.reviewed_at) == ("first", before.reviewed_at)
    three.reviews.undo(undone.change)
    assert verdicts(three) == ["fail", "fail", "unsure"]


def test_what_never_was_cannot_be_undone(three: Store) -> None:
    with pytest.raises(NotFoundError, match="there is no change 7"):
        three.reviews.undo(7)


def test_a_review_that_is_brought_back_is_as_stale_as_it_was(three: Store) -> None:
    three.reviews.save("a", Review("pass"))
    change = three.reviews.save("a", Review("fail"))
    put(three, body("a", final_response="another answer"))
    three.reviews.undo(change)
    review = three.reviews.get("a")
    assert review is not None
    assert (review.verdict, review.stale) == ("pass", True)


def test_the_history_has_every_state(three: Store) -> None:
    three.reviews.save("a", Review("pass", reviewer="Ada"))
    three.reviews.save("a", None)
    three.reviews.save("a", Review("fail", tags=("x",)))
    states = three.reviews.history("a")
    assert [(state.version, state.review.verdict if state.review else None) for state in states] == [
        (3, "fail"), (2, None), (1, "pass"),
    ]  # fmt: skip
    assert states[0].review is not None
    assert states[0].review.tags == ("x",)
    bulk = three.reviews.save_many("", ReviewEdit(verdict="unsure"))
    recent = three.reviews.changes(2)
    assert [(one.change, one.runs) for one in recent] == [(bulk.change, 3), (states[0].change, 1)]
    assert three.reviews.changes(1)[0].changed_at.endswith("Z")


def test_reviews_from_elsewhere_keep_their_time_and_count_once(three: Store) -> None:
    said = [("a", Review("pass", tags=("x",)), 1_000_000), ("nobody", Review("fail"), None), ("b", Review(), None)]
    assert three.reviews.import_all(said) == (2, 0, ["nobody"])
    assert three.reviews.import_all(said) == (0, 2, ["nobody"])
    review = three.reviews.get("a")
    assert review is not None
    assert review.reviewed_at == "1970-01-01T00:00:01Z"
    assert [name for name, _ in three.reviews.each("review:pass")] == ["a"]
    assert [name for name, _ in three.reviews.each()] == ["a", "b"]


def test_queries_find_reviews_by_reviewer_and_actor(three: Store) -> None:
    three.reviews.save("a", Review("fail", actor_id="boss/refund_agent", reviewer="Ada"))
    assert sorted(run_ids(three.runs("reviewer:Ada").rows)) == ["a"]
    assert sorted(run_ids(three.runs("responsible:boss/**").rows)) == ["a"]
    assert sorted(run_ids(three.runs("reviewer:none").rows)) == ["b", "c"]
