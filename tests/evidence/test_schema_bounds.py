"""Schemas made to hang or to fill the memory are given up, or answered at once (R34)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evidence.test_schemas import violation
from trace_store.evidence.schemas.effort import TooCostlyError


def test_a_bomb_of_references() -> None:
    parts = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    schema = {"$ref": "#/$defs/d0", "$defs": {**parts, "d40": {"type": "string"}}}
    with pytest.raises(TooCostlyError):
        violation(schema, "x")


def test_a_bomb_of_branches() -> None:
    branch = {"properties": {"x": {"$ref": "#"}}}
    schema = {"anyOf": [{**branch, "required": ["y"]}, {**branch, "required": ["z"]}]}
    value: dict[str, Any] = {}
    for _ in range(60):
        value = {"x": value}
    with pytest.raises(TooCostlyError):
        violation(schema, value)


def test_a_value_deeper_than_the_validator_reaches() -> None:
    schema = {"properties": {"c": {"$ref": "#"}}, "additionalProperties": False}
    value: dict[str, Any] = {"z": 1}
    for _ in range(199):
        value = {"c": value}
    with pytest.raises(TooCostlyError):
        violation(schema, value)


def test_a_schema_as_deep_as_a_document_can_be() -> None:
    schema: dict[str, Any] = {"type": "string"}
    good: Any = "x"
    for _ in range(95):
        schema, good = {"properties": {"a": schema}, "required": ["a"]}, {"a": good}
    assert violation(schema, good) is None
    assert violation(schema, {"a": {}}) is not None


def test_the_classic_pattern() -> None:
    assert violation({"properties": {"a": {"pattern": "(a+)+$"}}}, {"a": "a" * 50_000 + "!"}) is not None
    assert violation({"patternProperties": {"(a+)+$": False}}, {"a" * 10_000 + "!": 1}) is None
    named = {"propertyNames": {"pattern": "^(a|a)*$"}, "additionalProperties": {"type": "string"}}
    assert violation(named, {"a" * 10_000 + "!": 1}) is not None


def test_a_huge_enum() -> None:
    schema = {"items": {"enum": list(range(100_000))}}
    assert violation(schema, list(range(0, 100_000, 10))) is None
    found = violation(schema, [*range(1_000), "x"])
    assert found is not None and found.path == (1_000,)


def test_a_huge_list_of_objects_that_must_differ() -> None:
    schema = {"uniqueItems": True}
    assert violation(schema, [{"n": n} for n in range(20_000)]) is None
    assert violation(schema, [*({"n": n} for n in range(20_000)), {"n": 7.0}]) is not None


def test_a_large_value_that_is_wrong_all_over() -> None:
    found = violation({"items": {"type": "string"}}, list(range(20_000)))
    assert found is not None and found.more == 19_999


def test_the_next_check_has_its_effort_again() -> None:
    parts = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    with pytest.raises(TooCostlyError):
        violation({"$ref": "#/$defs/d0", "$defs": {**parts, "d40": {}}}, "x")
    assert violation({"oneOf": [{"type": "string"}]}, "x") is None
