"""The cases of all chapters, with what evidence adds to them: findings, receipts, grounding, boundary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.contract.matching import CHAPTERS, Case, mismatches, read_cases
from trace_store.contract import normalise
from trace_store.evidence import SchemaCache, examine
from trace_store.model import Run

OWN = Path(__file__).parent / "cases"
OWN_CHAPTERS = ("evidence", "tools", "envelopes")


def own_cases(chapter: str) -> list[Case]:
    entries = json.loads((OWN / f"{chapter}.json").read_text(encoding="utf-8"))
    return [Case(chapter, entry["name"], entry["rules"], entry["document"], entry["expect"]) for entry in entries]


CASES = [
    *(case for chapter in OWN_CHAPTERS for case in own_cases(chapter)),
    *(case for chapter in CHAPTERS for case in read_cases(chapter)),
]


def run_document(body: Any) -> bytes:
    normalised = normalise(body)
    examine(normalised, schemas=SchemaCache())
    return normalised.run.to_json()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_evidence_case(case: Case) -> None:
    assert mismatches(case.expect, json.loads(run_document(case.document))) == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_examined_run_reads_back_as_it_was(case: Case) -> None:
    document = run_document(case.document)
    assert Run.from_json(document).to_json() == document
