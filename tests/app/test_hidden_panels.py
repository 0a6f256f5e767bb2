"""A panel that is not shown does not run: neither its reading of the store nor its part of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import ModuleType

import pytest

from app import cache
from app.parts.run import calls_panel, panels, raw_panel
from tests.app.conftest import OpenPage
from trace_store.store import Store

PANELS: dict[str, tuple[ModuleType, str]] = {
    "transcript": (cache, "transcript"),
    "calls": (calls_panel, "show_calls"),
    "actors": (panels, "show_actors"),
    "timeline": (panels, "show_timeline"),
    "findings": (panels, "show_findings"),
    "raw": (raw_panel, "show_raw_document"),
}
"""What runs for a panel, and for no other."""


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("panel", PANELS)
def test_only_the_open_panel_runs(panel: str, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **named: object) -> object:
            ran[name] += 1
            return function(*args, **named)

        return call

    for name, (module, attribute) in PANELS.items():
        monkeypatch.setattr(module, attribute, counted(name, getattr(module, attribute)))
    open_page("run", run="run_retried", panel=panel)
    assert set(ran) == {panel}


def test_the_raw_document_is_read_for_its_panel_alone(
    filled: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("the raw document was read")

    monkeypatch.setattr(type(filled), "raw", refused)
    open_page("run", run="run_good", panel="calls")
