"""Two runs side by side: which steps are paired, what a changed one differs in, and what a bound leaves."""

from __future__ import annotations

from typing import Any

from hypothesis import given as for_any
from hypothesis import strategies as st

from tests.comparing.runs_of import asks, logged, run_of, says, user
from trace_store.comparing import Alignment, Change, Pair, Step, align_steps, list_steps

SAME, CHANGED, LEFT, RIGHT = Change.SAME, Change.CHANGED, Change.ONLY_LEFT, Change.ONLY_RIGHT


def step(doing: str, kind: Any = "call") -> Step:
    """`get:1` calls the tool get with the argument 1."""
    tool, _, argument = doing.partition(":")
    return Step(kind, "calls[0]", tool, {"arguments": argument}, doing.encode())


def steps(text: str) -> list[Step]:
    return [step(doing) for doing in text.split()]


def changes(left: str, right: str) -> list[tuple[int | None, int | None, Change]]:
    return [(pair.left, pair.right, pair.change) for pair in align_steps(steps(left), steps(right)).pairs]


def test_equal_runs_are_the_same_throughout() -> None:
    alignment = align_steps(steps("get:1 put:2"), steps("get:1 put:2"))
    assert [pair.change for pair in alignment.pairs] == [SAME, SAME]
    assert alignment.first_difference is None


def test_a_step_that_one_run_took_more_stands_alone() -> None:
    assert changes("get:1 put:2", "get:1 check:3 put:2") == [(0, 0, SAME), (None, 1, RIGHT), (1, 2, SAME)]
    assert changes("get:1 check:3 put:2", "get:1 put:2") == [(0, 0, SAME), (1, None, LEFT), (2, 1, SAME)]


def test_the_same_tool_with_other_arguments_is_a_changed_step() -> None:
    alignment = align_steps(steps("get:1 put:2 end:0"), steps("get:1 put:9 end:0"))
    assert alignment.pairs[1] == Pair(1, 1, CHANGED, ("arguments",))
    assert alignment.first_difference == alignment.pairs[1]


def test_what_did_the_same_is_paired_before_what_is_alike() -> None:
    # By tools alone, the first get would go with the first get.
    assert changes("get:1 get:2", "get:2 get:3") == [(0, None, LEFT), (1, 0, SAME), (None, 1, RIGHT)]


def test_other_tools_are_never_paired() -> None:
    assert changes("get:1", "put:1") == [(0, None, LEFT), (None, 0, RIGHT)]


def test_an_empty_run_leaves_the_other_alone() -> None:
    assert changes("", "get:1") == [(None, 0, RIGHT)]
    assert changes("", "") == []


def test_a_changed_step_says_what_came_out_differently() -> None:
    left = run_of(user("Go."), calls=[logged("charge", "paid")])
    right = run_of(user("Go."), calls=[logged("charge", status_code=402, source="error", error="no funds")])
    (pair,) = (pair for pair in align_steps(list_steps(left), list_steps(right)).pairs if pair.change is CHANGED)
    assert pair.differs == ("outcome", "error", "response")


def test_true_is_not_one_and_the_order_of_keys_means_nothing() -> None:
    left, right = run_of(asks("set", on=True, at="x")), run_of(asks("set", at="x", on=1))
    assert align_steps(list_steps(left), list_steps(right)).pairs[0].differs == ("arguments",)
    left, right = run_of(asks("set", on=1, at="x")), run_of(asks("set", at="x", on=1))
    assert align_steps(list_steps(left), list_steps(right)).pairs[0].change is SAME


def test_another_wording_of_the_same_role_is_a_changed_step() -> None:
    left, right = run_of(user("Go."), says("Yes.")), run_of(user("Go."), says("No."))
    assert [(pair.change, pair.differs) for pair in align_steps(list_steps(left), list_steps(right)).pairs] == [
        (SAME, ()),
        (CHANGED, ("text",)),
        (SAME, ()),
    ]


def test_beyond_the_bound_what_stands_once_on_each_side_is_paired_and_it_says_so() -> None:
    left, right = steps("a:0 x:1 x:1 y:2 q:5 z:3 b:0"), steps("a:0 w:7 z:3 x:1 y:2 x:1 q:5 b:0")
    alignment = align_steps(left, right, largest_table=3)
    assert not alignment.complete
    same = [(pair.left, pair.right) for pair in alignment.pairs if pair.change is SAME]
    assert same == [(0, 0), (2, 3), (3, 4), (4, 6), (6, 7)]
    assert align_steps(left, right).complete


doings = st.lists(st.sampled_from(["a:1", "a:2", "b:1", "b:2", "c:1"]), max_size=14).map(" ".join)


def longest(left: list[Step], right: list[Step]) -> int:
    """The length of a longest common subsequence, by the table that everybody knows."""
    row = [0] * (len(right) + 1)
    for one in left:
        before = row
        row = [0]
        for at, other in enumerate(right):
            row.append(before[at] + 1 if one.action == other.action else max(row[at], before[at + 1]))
    return row[-1]


def places(alignment: Alignment) -> tuple[list[int], list[int]]:
    return (
        [pair.left for pair in alignment.pairs if pair.left is not None],
        [pair.right for pair in alignment.pairs if pair.right is not None],
    )


@for_any(doings, doings)
def test_every_step_stands_once_in_order_and_no_more_could_be_the_same(left: str, right: str) -> None:
    alignment = align_steps(steps(left), steps(right))
    assert places(alignment) == (list(range(len(steps(left)))), list(range(len(steps(right)))))
    assert sum(pair.change is SAME for pair in alignment.pairs) == longest(steps(left), steps(right))


@for_any(doings, doings)
def test_a_bound_loses_no_step(left: str, right: str) -> None:
    alignment = align_steps(steps(left), steps(right), largest_table=0)
    assert places(alignment) == (list(range(len(steps(left)))), list(range(len(steps(right)))))
