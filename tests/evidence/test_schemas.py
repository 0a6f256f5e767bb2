"""Schemas from outside: what is wrong with one, and what a value breaks in one (R34)."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from trace_store.evidence.schemas.compiler import Schema, SchemaCompiler, Violation
from trace_store.evidence.schemas.inspection import Fault

DRAFT = "http://json-schema.org/draft-0{}/schema#"
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-3, 3) | st.sampled_from(["", "a", "b", "ab", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abx"), inner, max_size=3),
    max_leaves=8,
)


COMPILER = SchemaCompiler()


def compiled(definition: dict[str, Any]) -> Schema:
    schema = COMPILER.compile(definition)
    assert isinstance(schema, Schema), schema
    return schema


def violation(definition: dict[str, Any], value: Any) -> Violation | None:
    return compiled(definition).find_violation(value)


def fault(definition: dict[str, Any]) -> tuple[tuple[str | int, ...], str]:
    fault = COMPILER.compile(definition)
    assert isinstance(fault, Fault)
    return fault.path, fault.reason


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("a schema reached for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


class TestFaults:
    @pytest.mark.parametrize(
        ("schema", "path"),
        [
            ({"type": "objekt"}, ("type",)),
            ({"properties": 5}, ("properties",)),
            ({"properties": {"a": {"type": 5}}}, ("properties", "a", "type")),
            ({"properties": {"a": 5}}, ("properties", "a")),
            ({"anyOf": []}, ("anyOf",)),
            ({"anyOf": [{}, {"minimum": "x"}]}, ("anyOf", 1, "minimum")),
            ({"items": [{}]}, ("items",)),
            ({"required": "a"}, ("required",)),
            ({"$defs": {"a": {"enum": 5}}}, ("$defs", "a", "enum")),
            ({"$id": 5}, ("$id",)),
            ({"$ref": 5}, ("$ref",)),
            ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "x"}}}, ("$defs", "a", "type")),
            ({"$ref": "#/elsewhere", "elsewhere": {"type": "x"}}, ("$ref", "type")),
        ],
    )
    def test_what_is_no_schema(self, schema: dict[str, Any], path: tuple[str | int, ...]) -> None:
        found, reason = fault(schema)
        assert found == path
        assert "not a valid JSON Schema" in reason

    @pytest.mark.parametrize(
        "reference",
        [
            "http://evil.example/schema.json",
            "file:///etc/passwd",
            "other.json",
            "#/nowhere",
            "#nowhere",
            "%zz",
            "http://[x",
        ],
    )
    def test_a_reference_to_elsewhere_is_never_followed(self, reference: str, no_network: None) -> None:
        found, reason = fault({"properties": {"a": {"$ref": reference}}})
        assert found == ("properties", "a", "$ref")
        assert "nothing is fetched" in reason

    def test_an_identifier_is_not_fetched_either(self, no_network: None) -> None:
        schema = {"$id": "http://evil.example/", "$defs": {"a": {"$id": "b", "type": "string"}}, "$ref": "b"}
        assert violation(schema, 5) is not None

    def test_a_metaschema_that_comes_along_is_not_elsewhere(self, no_network: None) -> None:
        schema = {"$ref": "https://json-schema.org/draft/2020-12/schema"}
        assert violation(schema, {"type": "string"}) is None
        assert violation(schema, {"type": "x"}) is not None

    @pytest.mark.parametrize(
        "schema",
        [
            {"$ref": "#"},
            {"allOf": [{"$ref": "#"}]},
            {"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"not": {"$ref": "#/$defs/a"}}]}}},
            {"if": {}, "then": {"$ref": "#"}},
            {"dependentSchemas": {"a": {"$ref": "#"}}},
        ],
    )
    def test_a_reference_that_leads_back_to_itself(self, schema: dict[str, Any]) -> None:
        assert "without end" in fault(schema)[1]

    @pytest.mark.parametrize(
        "schema",
        [
            {"properties": {"a": {"$ref": "#"}}},
            {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "object"}}},
            {"properties": {"$ref": {"type": "string"}}},
            {"const": {"$ref": "#/nowhere"}},
            {"enum": [{"$ref": "#"}]},
            {"default": {"$schema": "x"}},
            {"$schema": DRAFT.format(7), "$ref": "#/definitions/a", "pattern": "(?=a)", "definitions": {"a": {}}},
            {"$comment": "(?=x)", "title": "*"},
        ],
    )
    def test_what_only_looks_at_fault(self, schema: dict[str, Any]) -> None:
        compiled(schema)

    @pytest.mark.parametrize("name", ["http://example.com/schema", 5, "", "draft-07"])
    def test_an_unknown_dialect(self, name: Any) -> None:
        found, reason = fault({"$schema": name})
        assert found == ("$schema",)
        assert "dialect" in reason

    @pytest.mark.parametrize(
        "name",
        [
            "https://json-schema.org/draft/2020-12/schema",
            "http://json-schema.org/draft/2020-12/schema#",
            "https://json-schema.org/draft/2019-09/schema",
            "http://json-schema.org/schema#",
            *(DRAFT.format(n) for n in (4, 6, 7)),
        ],
    )
    def test_known_dialects(self, name: str) -> None:
        assert violation({"$schema": name, "type": "string"}, 5) is not None

    def test_the_dialect_decides_what_a_keyword_means(self) -> None:
        items = {"items": [{"type": "string"}]}
        assert violation({"$schema": DRAFT.format(7), **items}, [5]) is not None
        assert fault(items)[0] == ("items",)
        exclusive = {"minimum": 5, "exclusiveMinimum": True}
        assert violation({"$schema": DRAFT.format(4), **exclusive}, 5) is not None
        assert fault(exclusive)[0] == ("exclusiveMinimum",)
        whole = {"type": "integer"}
        assert violation({"$schema": DRAFT.format(4), **whole}, 1.0) is not None
        assert violation(whole, 1.0) is None

    def test_a_part_in_another_dialect(self) -> None:
        assert fault({"items": {"$schema": DRAFT.format(7)}})[0] == ("items", "$schema")

    @pytest.mark.parametrize(
        ("schema", "path"),
        [
            ({"pattern": "(?=a)"}, ("pattern",)),
            ({"patternProperties": {"(a": {}}}, ("patternProperties", "(a")),
            ({"properties": {"a": {"items": {"pattern": r"(a)\1"}}}}, ("properties", "a", "items", "pattern")),
        ],
    )
    def test_a_pattern_that_cannot_be_used(self, schema: dict[str, Any], path: tuple[str | int, ...]) -> None:
        found, reason = fault(schema)
        assert found == path
        assert "pattern" in reason

    def test_leftover_keywords_beside_patterns_are_refused(self) -> None:
        schema = {"patternProperties": {"(a+)+$": {}}, "unevaluatedProperties": False}
        assert fault(schema)[0] == ("unevaluatedProperties",)
        assert violation({"properties": {"a": {}}, "unevaluatedProperties": False}, {"b": 1}) is not None

    def test_a_deep_schema_is_read(self) -> None:
        schema: dict[str, Any] = {"type": "string"}
        value: Any = 5
        for _ in range(60):
            schema, value = {"properties": {"a": schema}}, {"a": value}
        found = violation(schema, value)
        assert found is not None and found.path == ("a",) * 60


class TestViolations:
    @pytest.mark.parametrize(
        ("schema", "value", "path", "says"),
        [
            ({"type": "string"}, 5, (), "`type` wants string, found 5"),
            ({"type": ["string", "null"]}, 5, (), "string or null"),
            ({"required": ["a", "b"]}, {"a": 1}, (), "`required` wants b"),
            ({"enum": ["x", "y"]}, "z", (), '`enum` allows ["x", "y"], found "z"'),
            ({"const": 1}, True, (), "`const` allows only 1, found true"),
            ({"pattern": "^a"}, "b", (), '`pattern` wants “^a”, found "b"'),
            ({"minimum": 2}, 1, (), "2 or more"),
            ({"maximum": 2}, 3, (), "2 or less"),
            ({"exclusiveMinimum": 2}, 2, (), "more than 2"),
            ({"exclusiveMaximum": 2}, 2, (), "less than 2"),
            ({"minLength": 2}, "a", (), "2 characters or more, found 1"),
            ({"maxItems": 1}, [1, 2], (), "1 items or fewer, found 2"),
            ({"additionalProperties": False, "properties": {"a": {}}}, {"a": 1, "z": 2}, (), "allows no z"),
            ({"additionalProperties": {"type": "string"}}, {"z": 2}, ("z",), "`type`"),
            ({"patternProperties": {"^a": {"type": "string"}}}, {"ab": 1}, ("ab",), "`type`"),
            ({"properties": {"a": False}}, {"a": 1}, ("a",), "nothing is allowed"),
            ({"items": {"type": "integer"}}, [1, "a", "b"], (1,), "`type`"),
            ({"uniqueItems": True}, [1, 1.0], (), "`uniqueItems`"),
            ({"anyOf": [{"type": "string"}, {"minimum": 3}]}, 1, (), "`anyOf`"),
            ({"oneOf": [{}, {}]}, 1, (), "`oneOf`"),
            ({"not": {}}, 1, (), "`not`"),
            ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, 1, (), "`type`"),
        ],
    )
    def test_each_names_its_keyword(
        self, schema: dict[str, Any], value: Any, path: tuple[str | int, ...], says: str
    ) -> None:
        found = violation(schema, value)
        assert found is not None
        assert found.path == path
        assert says in found.reason

    def test_the_first_is_that_of_the_document_and_the_rest_are_counted(self) -> None:
        schema = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["c", "d"]}
        assert violation(schema, {"b": 1, "a": 2, "c": 1, "d": 1}) == Violation(
            ("b",), "`type` wants string, found 1", 1
        )
        found = violation(schema, {"b": 1, "a": 2})
        assert found is not None
        assert (found.path, found.more) == ((), 3)

    @pytest.mark.parametrize(
        ("divisor", "value", "fits"),
        [
            (0.01, 19.99, True),
            (0.01, 1.1, True),
            (0.1, 0.3, True),
            (0.01, 19.995, False),
            (3, 9.0, True),
            (3, 10, False),
            (2.5, -7.5, True),
            (1e-300, 1e300, True),
            (0.5, True, True),
            (0.5, "0.3", True),
            (7, 0, True),
        ],
    )
    def test_multiples_are_those_of_the_decimal_numbers_as_written(
        self, divisor: float, value: Any, fits: bool
    ) -> None:
        assert (violation({"multipleOf": divisor}, value) is None) == fits

    def test_formats_are_not_checked(self) -> None:
        assert violation({"format": "email"}, "no mail") is None

    def test_a_schema_is_compiled_once(self) -> None:
        compiler = SchemaCompiler()
        one = compiler.compile({"type": "object", "required": ["a"]})
        assert compiler.compile({"type": "object", "required": ["a"]}) is one
        assert compiler.compile({"type": "object"}) is not one

    def test_more_schemas_than_are_kept(self) -> None:
        compiler = SchemaCompiler()
        for n in range(SchemaCompiler.MAX_SCHEMAS + 5):
            assert isinstance(compiler.compile({"$schema": f"unknown {n}"}), Fault)
        schema = compiler.compile({"type": "string"})
        assert isinstance(schema, Schema)
        assert schema.find_violation(5) is not None


PARTS: st.SearchStrategy[Any] = st.deferred(lambda: SCHEMAS)
KEYWORDS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["string", "integer", "number", "object", "array", "boolean", "null", ["string", "null"]]
        ),
        "properties": st.dictionaries(st.sampled_from("abx"), PARTS, max_size=2),
        "required": st.lists(st.sampled_from("abx"), max_size=2, unique=True),
        "additionalProperties": PARTS,
        "items": PARTS,
        "enum": st.lists(JSON_VALUES, max_size=3),
        "const": JSON_VALUES,
        "minimum": st.integers(-2, 2),
        "exclusiveMaximum": st.floats(-2, 2),
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(0, 2),
        "minItems": st.integers(0, 2),
        "maxItems": st.integers(0, 2),
        "minProperties": st.integers(0, 2),
        "maxProperties": st.integers(0, 2),
        "pattern": st.sampled_from(["a", "^a", "b$", "[ax]", "^(a|b)+$"]),
        "patternProperties": st.dictionaries(st.sampled_from(["a", "^[ab]$"]), PARTS, max_size=1),
        "anyOf": st.lists(PARTS, min_size=1, max_size=2),
        "allOf": st.lists(PARTS, min_size=1, max_size=2),
        "oneOf": st.lists(PARTS, min_size=1, max_size=2),
        "not": PARTS,
        "uniqueItems": st.booleans(),
        "prefixItems": st.lists(PARTS, min_size=1, max_size=2),
        "contains": PARTS,
        "propertyNames": PARTS,
        "dependentRequired": st.just({"a": ["b"]}),
        "title": st.just("t"),
        "format": st.just("email"),
        "$ref": st.just("#/$defs/d"),
        "unknown": st.just({"type": 5}),
    },
)
SCHEMAS: st.SearchStrategy[Any] = st.booleans() | KEYWORDS
ROOTS = st.tuples(KEYWORDS, KEYWORDS.map(lambda part: {k: v for k, v in part.items() if k != "$ref"})).map(
    lambda pair: {**pair[0], "$defs": {"d": pair[1]}}
)


@given(ROOTS, JSON_VALUES)
def test_the_same_verdict_and_count_as_the_library(schema: dict[str, Any], value: Any) -> None:
    ours = COMPILER.compile(schema)
    if isinstance(ours, Fault):
        assert "without end" in ours.reason
        return
    errors = list(Draft202012Validator(schema).iter_errors(value))
    violation = ours.find_violation(value)
    assert (violation is None) == (not errors)
    if violation is not None:
        assert violation.more == len(errors) - 1
        # The library forgets the path of what a false schema refuses.
        is_refused = violation.reason.startswith("nothing is allowed")
        assert is_refused or violation.path in {tuple(error.absolute_path) for error in errors}


@given(KEYWORDS, JSON_VALUES, st.sampled_from([6, 7]))
def test_older_dialects_too(schema: dict[str, Any], value: Any, draft: int) -> None:
    schema = {"$schema": DRAFT.format(draft), "$defs": {"d": {"type": "string"}}, **schema}
    ours = COMPILER.compile(schema)
    if isinstance(ours, Schema):
        errors = list(validator_for(schema)(schema).iter_errors(value))
        assert (ours.find_violation(value) is None) == (not errors)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "type",
                "$ref",
                "$id",
                "$anchor",
                "items",
                "allOf",
                "properties",
                "pattern",
                "enum",
                "$schema",
                "not",
                "$dynamicRef",
            ]
        ),
        JSON_VALUES,
        max_size=4,
    )
)
def test_any_object_is_a_schema_or_says_why_not(schema: dict[str, Any]) -> None:
    ours = COMPILER.compile(schema)
    if isinstance(ours, Schema):
        ours.find_violation({"a": ["x", 1]})
