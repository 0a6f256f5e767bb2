"""Review queues and the list of failure modes."""

from __future__ import annotations

import pytest

from tests.store.building import body, put, run_ids
from trace_store.errors import NotFoundError, StoreError
from trace_store.model import Review
from trace_store.store import FailureMode, Store
from trace_store.store.reviews.queues import choose_sample


@pytest.fixture
def five(store: Store) -> Store:
    for name in "abcde":
        put(store, body(name))
    return store


def test_a_queue_keeps_its_runs_in_order(five: Store) -> None:
    queue = five.queues.make("  Mine ", "run:a,b,c", "-run", made_by="Ada")
    assert (queue.name, queue.runs, queue.reviewed, queue.made_by) == ("Mine", 3, 0, "Ada")
    assert five.queues.position(queue.id, None).next_unreviewed == "c"
    place = five.queues.position(queue.id, "b")
    assert (place.position, place.total, place.previous, place.next) == (2, 3, "c", "a")
    five.reviews.save("b", Review("pass"))
    five.reviews.save("a", Review("pass"))
    # After the last one it begins again at the front.
    assert five.queues.position(queue.id, "a").next_unreviewed == "c"
    five.reviews.save("c", Review())
    assert five.queues.position(queue.id, "a").next_unreviewed is None
    assert five.queues.get(queue.id).reviewed == 3
    assert sorted(run_ids(five.runs(f"queue:{queue.id}").rows)) == ["a", "b", "c"]
    assert sorted(run_ids(five.runs("queue:none").rows)) == ["d", "e"]


def test_runs_that_left_the_store_are_passed_over(five: Store) -> None:
    queue = five.queues.make("All", "", "run")
    five.delete("run:b")
    place = five.queues.position(queue.id, "a")
    assert (place.next, place.total) == ("c", 4)
    assert five.queues.position(queue.id, "c").position == 2
    assert five.queues.get(queue.id).gone == 1


def test_a_run_of_another_list_has_no_place(five: Store) -> None:
    queue = five.queues.make("Two", run_ids=["e", "d", "e"])
    assert five.queues.position(queue.id, "a").position is None
    assert five.queues.position(queue.id, None).next == "e"
    assert five.queues.get(queue.id).runs == 2


def test_a_sample_depends_on_its_seed_alone(five: Store) -> None:
    first = five.queues.make("One", sample=3, seed=7)
    second = five.queues.make("Two", sort="-run", sample=3, seed=7)
    assert (first.runs, first.seed) == (3, 7)
    ids = [five.queues.position(queue.id, None).next for queue in (first, second)]
    assert ids[0] == ids[1]
    names = [f"run_{n}" for n in range(200)]
    assert choose_sample(names, 20, 1) == choose_sample(names[::-1], 20, 1)
    assert set(choose_sample(names, 20, 1)) != set(choose_sample(names, 20, 2))
    assert len(set(choose_sample(names, 20, 1))) == 20


@pytest.mark.parametrize(
    ("name", "query", "said"),
    [("Mine", "", "there is a queue “Mine” already"), (" ", "", "needs a name"), ("None", "run:nobody", "be empty")],
)
def test_a_queue_that_cannot_be_is_refused(five: Store, name: str, query: str, said: str) -> None:
    five.queues.make("Mine")
    with pytest.raises(StoreError, match=said):
        five.queues.make(name, query)
    assert [queue.name for queue in five.queues.all()] == ["Mine"]


def test_a_queue_goes_and_its_reviews_stay(five: Store) -> None:
    queue = five.queues.make("Mine")
    five.reviews.save("a", Review("pass"))
    five.queues.delete(queue.id)
    assert five.queues.all() == []
    assert five.reviews.get("a") is not None
    for gone in (five.queues.delete, five.queues.get):
        with pytest.raises(NotFoundError, match="there is no queue"):
            gone(queue.id)
    with pytest.raises(NotFoundError):
        five.queues.position(queue.id, None)


def test_failure_modes_are_listed_in_their_order_with_those_in_use(five: Store) -> None:
    five.reviews.save("a", Review("fail", failure_mode="wrong tool"))
    five.reviews.save("b", Review("fail", failure_mode="unlisted"))
    five.failure_modes.save(
        [
            FailureMode("wrong tool", " picked the wrong one "),
            FailureMode(" "),
            FailureMode("loop"),
            FailureMode("loop"),
        ]
    )
    assert five.failure_modes.all() == [
        FailureMode("wrong tool", "picked the wrong one", 1),
        FailureMode("loop"),
        FailureMode("unlisted", None, 1, listed=False),
    ]
    five.failure_modes.save([])
    assert [mode.name for mode in five.failure_modes.all()] == ["unlisted", "wrong tool"]
