"""The quick checks of common schemas say yes only where the general validator does (R34)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from tests.evidence.test_schemas import JSON_VALUES, KEYWORDS, ROOTS
from trace_store.evidence.schemas.bounded_validators import CheckContext
from trace_store.evidence.schemas.inspection import DRAFT_2020_12, dialect_of
from trace_store.evidence.schemas.quick_check import MAX_PARTS, QuickCheck, quick_check


def quick(schema: dict[str, Any]) -> QuickCheck | None:
    dialect = dialect_of(schema)
    assert dialect is not None
    return quick_check(schema, dialect, CheckContext())


@given(ROOTS | KEYWORDS.filter(lambda schema: "$ref" not in schema), JSON_VALUES)
def test_the_same_as_the_library(schema: dict[str, Any], value: Any) -> None:
    check = quick(schema)
    if check is not None:
        assert check(value) == Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False},
        {"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None, "title": "A"}}},
        {"type": "array", "items": {"$ref": "#/$defs/item"}, "$defs": {"item": {"enum": ["a", 1, True, None]}}},
        {"properties": {"a": {"pattern": "^[A-Z]+$", "maxLength": 9}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"},
        {"x-vendor": {"type": 5}},
        {"oneOf": [{}]},
        {"not": {}},
        {"if": {}},
        {"properties": {"a": {"uniqueItems": True}}},
        {"prefixItems": [{}], "items": False},
        {"enum": [[1]]},
        {"const": {}},
    ],
)
def test_common_schemas_have_one(schema: dict[str, Any]) -> None:
    assert quick(schema) is not None


@pytest.mark.parametrize(
    "schema",
    [
        {"patternProperties": {"a": {}}, "additionalProperties": False},
        {"unevaluatedProperties": False},
        {"enum": [[0] * MAX_PARTS]},
        {"enum": list(range(MAX_PARTS))},
        {"multipleOf": 0.01},
        {"const": {"a": [0] * MAX_PARTS}},
        {"$dynamicRef": "#"},
        {"$id": "a"},
        {"$anchor": "a"},
        {"$ref": "#"},
        {"properties": {"a": {"$ref": "#/properties/a"}}},
        {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {}}},
        {"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"},
    ],
)
def test_others_have_none(schema: dict[str, Any]) -> None:
    assert quick(schema) is None


def test_references_that_multiply_have_none() -> None:
    parts = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(20)}
    assert quick({"$ref": "#/$defs/d0", "$defs": {**parts, "d20": {}}}) is None
    assert quick({"allOf": [{}] * (MAX_PARTS - 1)}) is not None
    assert quick({"allOf": [{}] * MAX_PARTS}) is None


def test_in_older_dialects_a_reference_stands_alone() -> None:
    schema = {"$ref": "#/definitions/a", "type": "integer", "definitions": {"a": {"type": "string"}}}
    older = quick({"$schema": "http://json-schema.org/draft-07/schema#", **schema})
    assert older is not None and older("x")
    newer = quick_check(schema, DRAFT_2020_12, CheckContext())
    assert newer is not None and not newer("x")
