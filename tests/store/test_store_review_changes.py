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
    return [review.verdict if (review := store.review(name)) else None for name in "abc"]


def test_a_version_that_was_not_seen_is_not_overwritten(three: Store) -> None:
    three.save_review("a", Review("pass", reviewer="Ada"), expected=0)
    with pytest.raises(ConflictError, match="Ada saved another review"):
        three.save_review("a", Review("fail"), expected=0)
    assert verdicts(three)[0] == "pass"
    three.save_review("a", Review("fail"), expected=1)
    three.save_review("a", None, expected=2)
    with pytest.raises(ConflictError, match="took the review away"):
        three.save_review("a", Review("pass"), expected=2)
    three.save_review("a", Review("unsure"), expected=0)
    saved = three.review("a")
    assert saved is not None
    assert (saved.verdict, saved.version) == ("unsure", 4)


def test_another_process_is_seen(three: Store, path: Path) -> None:
    with Store.open(f"sqlite:///{path}") as other:
        other.save_review("a", Review("pass"), expected=0)
    with pytest.raises(ConflictError):
        three.save_review("a", Review("fail"), expected=0)


def test_one_word_on_many_runs_leaves_what_it_does_not_say(three: Store) -> None:
    three.save_review("a", Review("pass", note="kept", tags=("old", "gone")))
    change = three.review_many("run:a,b", ReviewEdit(verdict="fail", tags=("new",), tags_removed=("gone",)))
    assert change.saved == 2
    review = three.review("a")
    assert review is not None
    assert (review.verdict, review.note, review.tags) == ("fail", "kept", ("new", "old"))
    assert verdicts(three) == ["fail", "fail", None]
    assert three.review_many("", ReviewEdit(verdict="fail"), run_ids=["c", "nobody", "\udc80"]).saved == 1
    again = three.review_many("", ReviewEdit(verdict="fail"))
    assert (again.saved, again.change) == (0, 0)


def test_a_change_is_undone_except_where_somebody_said_more(three: Store) -> None:
    three.save_review("a", Review("pass", note="first"))
    before = three.review("a")
    bulk = three.review_many("", ReviewEdit(verdict="fail"))
    three.save_review("c", Review("unsure"))
    undone = three.undo_review(bulk.change)
    assert (undone.restored, undone.kept) == (2, 1)
    assert verdicts(three) == ["pass", None, "unsure"]
    review = three.review("a")
    assert review is not None
    assert before is not None
    assert (review.note, review.reviewed_at) == ("first", before.reviewed_at)
    three.undo_review(undone.change)
    assert verdicts(three) == ["fail", "fail", "unsure"]


def test_what_never_was_cannot_be_undone(three: Store) -> None:
    with pytest.raises(NotFoundError, match="there is no change 7"):
        three.undo_review(7)


def test_a_review_that_is_brought_back_is_as_stale_as_it_was(three: Store) -> None:
    three.save_review("a", Review("pass"))
    change = three.save_review("a", Review("fail"))
    put(three, body("a", final_response="another answer"))
    three.undo_review(change)
    review = three.review("a")
    assert review is not None
    assert (review.verdict, review.stale) == ("pass", True)


def test_the_history_has_every_state(three: Store) -> None:
    three.save_review("a", Review("pass", reviewer="Ada"))
    three.save_review("a", None)
    three.save_review("a", Review("fail", tags=("x",)))
    states = three.review_history("a")
    assert [(state.version, state.review.verdict if state.review else None) for state in states] == [
        (3, "fail"), (2, None), (1, "pass"),
    ]  # fmt: skip
    assert states[0].review is not None
    assert states[0].review.tags == ("x",)
    bulk = three.review_many("", ReviewEdit(verdict="unsure"))
    recent = three.recent_changes(2)
    assert [(one.change, one.runs) for one in recent] == [(bulk.change, 3), (states[0].change, 1)]
    assert three.recent_changes(1)[0].changed_at.endswith("Z")


def test_reviews_from_elsewhere_keep_their_time_and_count_once(three: Store) -> None:
    said = [("a", Review("pass", tags=("x",)), 1_000_000), ("nobody", Review("fail"), None), ("b", Review(), None)]
    assert three.put_reviews(said) == (2, 0, ["nobody"])
    assert three.put_reviews(said) == (0, 2, ["nobody"])
    review = three.review("a")
    assert review is not None
    assert review.reviewed_at == "1970-01-01T00:00:01Z"
    assert [name for name, _ in three.each_review("review:pass")] == ["a"]
    assert [name for name, _ in three.each_review()] == ["a", "b"]


def test_queries_find_reviews_by_reviewer_and_actor(three: Store) -> None:
    three.save_review("a", Review("fail", actor_id="boss/refund_agent", reviewer="Ada"))
    assert sorted(run_ids(three.runs("reviewer:Ada").rows)) == ["a"]
    assert sorted(run_ids(three.runs("responsible:boss/**").rows)) == ["a"]
    assert sorted(run_ids(three.runs("reviewer:none").rows)) == ["b", "c"]
