"""Numbers in components: they read as the same numbers do where Python writes them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from app import formatting
from app.components.frontend import read_files


@pytest.mark.parametrize("digits", [0, 1, 2])
def test_numbers_round_in_the_browser_as_they_do_in_python(page: Page, digits: int) -> None:
    numbers = [0, 0.05, 0.25, 0.5, 1.005, 1.5, 2.5, 2.675, 12.5, 99.95, 999.5, 1234567.25, 1234567.5]
    script = (
        f"numbers => {{ {read_files('shared/format.js')} return numbers.map(number => decimal(number, {digits})); }}"
    )
    assert page.evaluate(script, numbers) == [formatting.decimal(number, digits) for number in numbers]


def test_durations_never_round_beyond_their_unit(page: Page) -> None:
    durations = {0.354: "0.35 ms", 0.999: "1 ms", 12.5: "13 ms", 999.6: "1.0 s", 1250: "1.3 s", 59_960: "1 min 0 s",
                 125_000: "2 min 5 s", 3_599_600: "1 h 0 min"}  # fmt: skip
    script = f"all => {{ {read_files('shared/format.js')} return all.map(duration); }}"
    assert page.evaluate(script, list(durations)) == list(durations.values())


def test_no_two_ticks_of_a_timeline_read_the_same(page: Page) -> None:
    """From any time on, whatever the step: twenty in a row, also beyond a minute and an hour."""
    script = f"""starts => {{ {read_files("shared/format.js", "timeline/scale.js")}
        return STEPS.flatMap(step => starts.map(start => {{
            const first = Math.ceil(start / step);
            return Array.from({{ length: 20 }}, (_, n) => tickLabel((first + n) * step, step));
        }}));
    }}"""
    for labels in page.evaluate(script, [0, 990, 59_000, 3_590_000]):
        assert len(set(labels)) == len(labels), labels


def test_a_tick_is_as_exact_as_its_step(page: Page) -> None:
    labels = {(0, 50): "0", (250, 50): "250 ms", (1250, 50): "1.25 s", (62_000, 1000): "1 min 2 s",
              (3_600_000, 600_000): "1 h", (60_002, 2): "1 min 0.002 s"}  # fmt: skip
    code = read_files("shared/format.js", "timeline/scale.js")
    script = f"all => {{ {code} return all.map(([time, step]) => tickLabel(time, step)); }}"
    assert page.evaluate(script, [list(one) for one in labels]) == list(labels.values())
