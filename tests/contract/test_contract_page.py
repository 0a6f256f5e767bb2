"""`docs/contract.md` defines each rule once, and its tables are those of the code."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import pytest

from trace_store.contract.bodies import CONTEXT_VARIABLES
from trace_store.contract.calls import LOG_KEYS
from trace_store.contract.envelopes import ENVELOPE_CLASSES, FIELDS, RETRYABLE_CODES, SCHEMA_VERSION, STAGES
from trace_store.contract.events import TELEMETRY_KINDS, TRACE_EVENT_TYPES
from trace_store.contract.tools import MODES
from trace_store.contract.transcript import METADATA_KEYS
from trace_store.contract.vocabulary import CALL_CLASSES, FAILED_STATUSES, RUN_CLASSES, SOURCES, STATUS_MEANINGS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
CODE = [path for package in ("trace_store", "app") for path in sorted((ROOT / package).rglob("*.py"))]


def rows_after(text: str) -> dict[str, list[str]]:
    """The first table after a text: its rows by their first cell."""
    lines = PAGE[PAGE.index(text) :].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rows: dict[str, list[str]] = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        first, *rest = (cell.strip() for cell in line.strip("|").split("|"))
        rows[first] = rest
    return rows


def words(cell: str) -> set[str]:
    """What stands between backticks, or else between commas."""
    return set(re.findall(r"`([^`]+)`", cell)) or set(cell.split(", "))


def test_each_rule_is_defined_once_and_in_order() -> None:
    defined = [int(number) for number in re.findall(r"^\*\*R(\d+)\b", PAGE, re.MULTILINE)]
    assert defined == list(range(1, 46))


def test_code_cites_rules_that_exist() -> None:
    cited = {
        (str(path.relative_to(ROOT)), int(number))
        for path in CODE
        for number in re.findall(r"\bR(\d{1,2})\b", path.read_text(encoding="utf-8"))
    }
    assert {(path, number) for path, number in cited if number not in range(1, 46)} == set()


def test_the_classes_of_calls() -> None:
    shown = {name: cells for names, cells in rows_after("*Calls:*").items() for name in words(names)}
    assert {name: cells[0] for name, cells in shown.items()} == {name: c.status for name, c in CALL_CLASSES.items()}
    retried = {name: cells[1] for name, cells in shown.items() if cells[1] != "no"}
    assert retried == {
        name: "yes" if len(known.retryable) == 3 else f"in the {next(iter(known.retryable))} lane"
        for name, known in CALL_CLASSES.items()
        if known.retryable
    }


def test_the_envelopes() -> None:
    shown = {name: (words(codes), words(stages)) for name, (codes, stages) in rows_after("**R39").items()}
    assert shown.pop("internal") == ({"internal_error"}, {"all"})
    assert shown == {name: (set(c.codes), set(c.stages)) for name, c in ENVELOPE_CLASSES.items() if name != "internal"}
    assert set(STAGES) == ENVELOPE_CLASSES["internal"].stages


def test_sources_and_modes() -> None:
    assert {family: words(cells[0]) for family, cells in rows_after("**R17").items()} == {
        family: {source for source, of in SOURCES.items() if of == family} for family in ("simulated", "live")
    }
    assert {public: words(cells[0]) for public, cells in rows_after("**R33").items()} == {
        mode.public: {mode.stored} for mode in MODES.values()
    }


NAMES = {
    "classes of runs": RUN_CLASSES,
    "statuses of failed runs": FAILED_STATUSES,
    "keys of the log": LOG_KEYS,
    "keys of metadata": METADATA_KEYS,
    "types of trace events": TRACE_EVENT_TYPES,
    "kinds of telemetry": TELEMETRY_KINDS,
    "fields of an envelope": FIELDS,
    "retryable codes": RETRYABLE_CODES,
    "schema version": [SCHEMA_VERSION],
    "variables of the context": CONTEXT_VARIABLES.values(),
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_names_stand_on_the_page(names: Collection[str]) -> None:
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_statuses_stand_on_the_page() -> None:
    sentence = PAGE[PAGE.index("Without a class, the status says") :].split("\n\n")[0]
    assert {int(status) for status in re.findall(r"\d{3}", sentence)} == set(STATUS_MEANINGS)
