"""What a browser may bring into a session."""

from __future__ import annotations

import pytest

from app.components import browser_storage
from tests.app.conftest import OpenPage


@pytest.mark.parametrize(
    ("sent", "valid"),
    [
        ({"reviewer": "Ada", "reading": "pretty"}, {"reviewer": "Ada", "reading": "pretty"}),
        ({"reviewer": 7, "reading": None, "stranger": "x"}, {}),
        ({"reviewer": ""}, {}),
        ({"reviewer": "x" * browser_storage.LONGEST}, {"reviewer": "x" * browser_storage.LONGEST}),
        ({"reviewer": "x" * (browser_storage.LONGEST + 1)}, {}),
        (["reviewer"], {}),
        (None, {}),
    ],
)
def test_only_known_names_with_bounded_texts_are_valid(sent: object, valid: dict[str, str]) -> None:
    assert browser_storage.validate(sent) == valid


def test_every_page_mounts_it_once(open_page: OpenPage) -> None:
    for page in ("runs", "calls"):
        mounted = [
            part
            for part in open_page(page).get("bidi_component")
            if part.proto.component_name == "trace_browser_storage"
        ]
        assert len(mounted) == 1
