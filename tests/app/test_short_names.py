"""Long names in a column: what tells them apart stays."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.parts.table.listing import with_short_names
from app.parts.table.names import shorten_names

LONG = "nightly-2026-03-01-refund-agent-checkout-scenario"


@pytest.mark.parametrize(
    "names",
    [
        [f"{LONG}-{number:04}" for number in range(50)],
        [f"{number:04}-{LONG}" for number in range(50)],
        [f"{LONG}-{number:04}-{LONG}" for number in range(50)],
        [f"{LONG}-{one}-{LONG}-{other}-{LONG}" for one in "abc" for other in "xyz"],
        [f"{LONG}{'z' * number}" for number in range(3)],
    ],
    ids=["at the end", "at the start", "in the middle", "in two places", "in length"],
)
def test_names_that_differ_anywhere_stay_different(names: list[str]) -> None:
    short = shorten_names(names, 18)
    assert len(set(short)) == len(names)
    assert all(len(text) <= 18 and "…" in text for text in short)


def test_short_names_stay_whole_and_one_name_reads_the_same_in_every_row() -> None:
    assert shorten_names(["run_1", LONG, LONG, "run_1"], 18) == [
        "run_1",
        "nightly-2…scenario",
        "nightly-2…scenario",
        "run_1",
    ]


def test_a_short_name_that_looks_like_a_shortened_one_is_kept() -> None:
    assert shorten_names(["nightly-2…scenario"], 18) == ["nightly-2…scenario"]


@given(st.lists(st.text(alphabet="ab", max_size=60), max_size=20), st.integers(9, 30))
def test_any_names_are_cut_to_the_limit_in_their_order(names: list[str], limit: int) -> None:
    short = shorten_names(names, limit)
    assert len(short) == len(names)
    assert all(len(text) <= limit for text in short)
    by_name = sorted(zip(names, short, strict=True))
    assert all(left[1] == right[1] for left, right in pairwise(by_name) if left[0] == right[0])


def test_cells_are_shortened_to_the_width_of_their_column() -> None:
    frame = pd.DataFrame({"run": [f"{LONG}-1", f"{LONG}-2"], "id": [f"{LONG}-1", f"{LONG}-2"]})
    narrow = with_short_names(frame, ["run"], {"run": {"width": 150}})
    assert len(set(narrow["run"])) == 2
    assert max(map(len, narrow["run"])) <= 18
    assert list(narrow["id"]) == list(frame["id"])
    assert list(with_short_names(frame, ["run"], {"run": {"width": 600}})["run"]) == list(frame["run"])
