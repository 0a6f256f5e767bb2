"""The registry of findings, the page made of it, and the table of the contract say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trace_store.contract.findings.registry import GROUPS, KINDS, Kind, as_markdown

DOCS = Path(__file__).resolve().parents[2] / "docs"


def rows_of_the_contract() -> dict[str, tuple[str, str]]:
    lines = (DOCS / "contract.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("| kind | severity | rule | path | one per |")
    rows = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        kinds, severity, rule = (cell.strip() for cell in line.strip("|").split("|")[:3])
        rows.update(dict.fromkeys(re.findall(r"`(\w+)`", kinds), (severity, rule)))
    return rows


def test_the_page_is_what_the_registry_says() -> None:
    assert (DOCS / "findings.md").read_text(encoding="utf-8") == as_markdown()


def test_kinds_severities_and_rules_are_those_of_the_contract() -> None:
    assert {kind.kind: (kind.severity, kind.rule) for kind in KINDS.values()} == rows_of_the_contract()


def test_no_kind_stands_in_two_groups() -> None:
    assert sum(len(kinds) for kinds in GROUPS.values()) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.kind)
def test_each_kind_has_its_texts(kind: Kind) -> None:
    assert kind.title and not kind.title.endswith(".")
    for text in (kind.meaning, kind.why_it_matters, kind.false_alarms, kind.what_to_do):
        assert text.endswith((".", "?")), text
        assert text == text.strip()
    assert re.fullmatch(r"[a-z]+(_[a-z]+)+", kind.kind)
