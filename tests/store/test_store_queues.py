"""Review queues and the list of failure modes."""

from __future__ import annotations

import pytest

from tests.store.building import body, put, run_ids
from trace_store.errors import NotFoundError, StoreError
from trace_store.model import Review
from trace_store.store import FailureMode, Store
from trace_store.store.reviews.queues import drawn


@pytest.fixture
def five(store: Store) -> Store:
    for name in "abcde":
        put(store, body(name))
    return store


def test_a_queue_keeps_its_runs_in_order(five: Store) -> None:
    queue = five.make_queue("  Mine ", "run:a,b,c", "-run", made_by="Ada")
    assert (queue.name, queue.runs, queue.reviewed, queue.made_by) == ("Mine", 3, 0, "Ada")
    assert five.queue_place(queue.id, None).next_unreviewed == "c"
    place = five.queue_place(queue.id, "b")
    assert (place.position, place.total, place.previous, place.next) == (2, 3, "c", "a")
    five.save_review("b", Review("pass"))
    five.save_review("a", Review("pass"))
    # After the last one it begins again at the front.
    assert five.queue_place(queue.id, "a").next_unreviewed == "c"
    five.save_review("c", Review())
    assert five.queue_place(queue.id, "a").next_unreviewed is None
    assert five.queue(queue.id).reviewed == 3
    assert sorted(run_ids(five.runs(f"queue:{queue.id}").rows)) == ["a", "b", "c"]
    assert sorted(run_ids(five.runs("queue:none").rows)) == ["d", "e"]


def test_runs_that_left_the_store_are_passed_over(five: Store) -> None:
    queue = five.make_queue("All", "", "run")
    five.delete("run:b")
    place = five.queue_place(queue.id, "a")
    assert (place.next, place.total) == ("c", 4)
    assert five.queue_place(queue.id, "c").position == 2
    assert five.queue(queue.id).gone == 1


def test_a_run_of_another_list_has_no_place(five: Store) -> None:
    queue = five.make_queue("Two", run_ids=["e", "d", "e"])
    assert five.queue_place(queue.id, "a").position is None
    assert five.queue_place(queue.id, None).next == "e"
    assert five.queue(queue.id).runs == 2


def test_a_sample_depends_on_its_seed_alone(five: Store) -> None:
    first = five.make_queue("One", sample=3, seed=7)
    second = five.make_queue("Two", sort="-run", sample=3, seed=7)
    assert (first.runs, first.seed) == (3, 7)
    ids = [five.queue_place(queue.id, None).next for queue in (first, second)]
    assert ids[0] == ids[1]
    names = [f"run_{n}" for n in range(200)]
    assert drawn(names, 20, 1) == drawn(names[::-1], 20, 1)
    assert set(drawn(names, 20, 1)) != set(drawn(names, 20, 2))
    assert len(set(drawn(names, 20, 1))) == 20


@pytest.mark.parametrize(
    ("name", "query", "said"),
    [("Mine", "", "there is a queue “Mine” already"), (" ", "", "needs a name"), ("None", "run:nobody", "be empty")],
)
def test_a_queue_that_cannot_be_is_refused(five: Store, name: str, query: str, said: str) -> None:
    five.make_queue("Mine")
    with pytest.raises(StoreError, match=said):
        five.make_queue(name, query)
    assert [queue.name for queue in five.queues()] == ["Mine"]


def test_a_queue_goes_and_its_reviews_stay(five: Store) -> None:
    queue = five.make_queue("Mine")
    five.save_review("a", Review("pass"))
    five.delete_queue(queue.id)
    assert five.queues() == []
    assert five.review("a") is not None
    for gone in (five.delete_queue, five.queue):
        with pytest.raises(NotFoundError, match="there is no queue"):
            gone(queue.id)
    with pytest.raises(NotFoundError):
        five.queue_place(queue.id, None)


def test_failure_modes_are_listed_in_their_order_with_those_in_use(five: Store) -> None:
    five.save_review("a", Review("fail", failure_mode="wrong tool"))
    five.save_review("b", Review("fail", failure_mode="unlisted"))
    five.save_failure_modes(
        [
            FailureMode("wrong tool", " picked the wrong one "),
            FailureMode(" "),
            FailureMode("loop"),
            FailureMode("loop"),
        ]
    )
    assert five.failure_modes() == [
        FailureMode("wrong tool", "picked the wrong one", 1),
        FailureMode("loop"),
        FailureMode("unlisted", None, 1, listed=False),
    ]
    five.save_failure_modes([])
    assert [mode.name for mode in five.failure_modes()] == ["unlisted", "wrong tool"]
