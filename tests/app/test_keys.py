"""The table of keys: it says one thing a key, leads to pages that are there, and is what the docs show."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from app import keys

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", keys.PAGES)
def test_a_key_means_one_thing_on_a_page(page: str) -> None:
    meant = sorted(key.keys for key in keys.of_page(page))
    assert [(one, other) for one, other in pairwise(meant) if one == other] == []
    starts = {key.split()[0] for key in meant if " " in key}
    assert starts & set(meant) == set()  # a key that begins a sequence is none by itself


def test_every_page_can_be_gone_to() -> None:
    assert [key.target for key in keys.KEYS if key.act == "go"] == list(keys.PAGES)


def test_keys_of_a_page_name_pages_that_are_there() -> None:
    assert {page for key in keys.KEYS for page in key.pages} <= set(keys.PAGES)


def test_the_docs_show_the_table() -> None:
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == keys.as_markdown()
