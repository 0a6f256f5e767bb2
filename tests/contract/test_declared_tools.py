"""R33: what a declared tool says of itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.bodies_of import logged
from trace_store.contract.tools import TOOL_NAME
from trace_store.model import Tool


def tool(**entry: Any) -> Tool:
    return logged(tools_schema=[entry]).tools[0]


@pytest.mark.parametrize(
    ("stated", "mode", "stored"),
    [
        (None, "simulated", "sandbox"),
        ("simulated", "simulated", "sandbox"),
        ("sandbox", "simulated", "sandbox"),
        ("executed", "executed", "code_intercepted"),
        ("code_intercepted", "executed", "code_intercepted"),
        ("live", "live", "passthrough"),
        ("passthrough", "live", "passthrough"),
        ("turbo", None, "turbo"),
        (5, None, None),
    ],
)
def test_modes_are_shown_in_the_public_vocabulary(stated: Any, mode: str | None, stored: str | None) -> None:
    shown = tool(name="f", default_execution_mode=stated)
    assert (shown.mode, shown.stored_mode) == (mode, stored)


def test_a_tool_without_a_mode_is_simulated() -> None:
    assert tool(name="f") == Tool("f", "simulated", "sandbox", None, False)


def test_what_a_tool_says_of_itself() -> None:
    said = tool(name="f", description="d", output_schema={}, requires_human_approval=True, input_schema={})
    assert said == Tool("f", "simulated", "sandbox", "d", True, True)


def test_entries_keep_their_places_and_the_declaration_stays() -> None:
    entries = ["x", {"name": 5, "description": [], "requires_human_approval": "yes"}, {"name": "f"}]
    run = logged(tools_schema=entries)
    assert [(shown.name, shown.mode) for shown in run.tools] == [(None, None), (None, "simulated"), ("f", "simulated")]
    assert run.extra == {"tools_schema": entries}


@pytest.mark.parametrize(
    ("name", "fits"), [("f", True), ("_a-B9", True), ("9a", False), ("", False), ("a.b", False), ("a" * 129, False)]
)
def test_the_names_of_tools(name: str, fits: bool) -> None:
    assert bool(TOOL_NAME.fullmatch(name)) is fits
