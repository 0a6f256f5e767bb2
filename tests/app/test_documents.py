"""Raw documents as the app reads them again: tolerantly, and by path."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from app import cache, raw_documents, state
from trace_store.importing.files import import_paths


def test_integers_beyond_64_bits_stay_exact() -> None:
    assert raw_documents.value_of(b'{"n": 123456789012345678901234567890}') == {"n": 123456789012345678901234567890}


def test_nan_and_infinities_are_numbers() -> None:
    value = raw_documents.value_of(b'{"a": NaN, "b": -Infinity}')
    assert math.isnan(value["a"])
    assert value["b"] == -math.inf


def test_the_encoding_is_that_of_the_bytes() -> None:
    raw = '{"a": "é"}'.encode("utf-16")
    assert raw_documents.value_of(raw) == {"a": "é"}
    assert '"é"' in raw_documents.text_of(raw)


def test_what_is_not_valid_json_has_no_value() -> None:
    assert raw_documents.value_of(b"{broken") is None


@pytest.mark.parametrize(
    ("path", "reached", "value"),
    [
        ("tools_schema[1].name", "tools_schema[1].name", "b"),
        ("tools_schema[1].input_schema.type", "tools_schema[1]", {"name": "b"}),
        ("tools_schema[7]", "tools_schema", [{"name": "a"}, {"name": "b"}]),
        ("error.stage", "error.stage", None),
    ],
)
def test_a_path_leads_as_far_as_the_document_goes(path: str, reached: str, value: object) -> None:
    document = {"tools_schema": [{"name": "a"}, {"name": "b"}], "error": {"stage": None}}
    assert raw_documents.find_value(document, path) == (reached, value)


def test_a_path_that_begins_nowhere_leads_nowhere() -> None:
    assert raw_documents.find_value({"a": 1}, "b.c") is None
    assert raw_documents.find_value([1], "calls[0]") is None


def test_a_dropped_entry_of_a_document_with_nan_is_opened(url: str, tmp_path: Path) -> None:
    file = tmp_path / "nan.json"
    file.write_text(
        '{"run_id": "r", "final_response": "x", "score": NaN,'
        ' "messages": [{"role": "user", "content": "hi"}, {"role": "nobody", "n": 123456789012345678901234567890}]}'
    )
    import_paths(state.store(), [file])
    dropped = next(item for item in cache.transcript("r")["items"] if item["type"] == "dropped")
    assert '"n": 123456789012345678901234567890' in dropped["entry"]
