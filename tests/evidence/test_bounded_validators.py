"""What the bounded validators rely on within jsonschema, which a release of it may change (R34)."""

from __future__ import annotations

import inspect
from typing import Any, cast

import attrs
import pytest
from referencing import Registry

from trace_store.evidence.schemas.bounded_validators import CheckContext, bounded_validator
from trace_store.evidence.schemas.effort import BASE_UNITS
from trace_store.evidence.schemas.inspection import DIALECTS, Dialect

EVERY_DIALECT = list({dialect.name: dialect for dialect in DIALECTS.values()}.values())


@pytest.fixture(params=EVERY_DIALECT, ids=lambda dialect: dialect.name)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    chosen: Dialect = request.param
    return chosen


def test_validators_are_attrs_classes_with_the_fields_that_are_carried_over(dialect: Dialect) -> None:
    names = {field.alias for field in attrs.fields(cast(Any, dialect.base)) if field.init}
    assert {"schema", "registry", "resolver"} <= names


def test_descend_takes_the_arguments_that_ours_passes_on(dialect: Dialect) -> None:
    names = list(inspect.signature(cast(Any, dialect.base).descend).parameters)
    assert names == ["self", "instance", "schema", "path", "schema_path", "resolver"]


@pytest.mark.parametrize(
    ("schema", "value", "units"),
    [
        ({"properties": {"a": {"allOf": [{"not": {"enum": [5]}}]}}}, {"a": 1}, 4),
        ({"properties": {"a": {"$ref": "#/definitions/b"}}, "definitions": {"b": {"type": "string"}}}, {"a": "x"}, 3),
        ({"additionalProperties": {"anyOf": [{"minimum": 2}, {"type": "string"}]}}, {"a": "x"}, 3),
    ],
)
def test_every_keyword_at_every_depth_costs_effort(
    dialect: Dialect, schema: dict[str, Any], value: Any, units: int
) -> None:
    context = CheckContext()
    validator = bounded_validator(dialect.base, context)(schema, registry=Registry())
    context.effort.start(None)
    assert list(validator.iter_errors(value)) == []
    assert BASE_UNITS - context.effort._left == units


def test_a_part_is_checked_by_the_bounded_class(dialect: Dialect) -> None:
    validator = bounded_validator(dialect.base, CheckContext())({}, registry=Registry())
    assert type(validator.evolve(schema={"type": "string"})) is type(validator)


def test_errors_come_one_by_one_and_keep_no_message(dialect: Dialect) -> None:
    context = CheckContext()
    validator = bounded_validator(dialect.base, context)({"items": {"type": "string"}}, registry=Registry())
    context.effort.start(None)
    first = next(validator.iter_errors(list(range(1_000))))
    assert (first.message, list(first.absolute_path), first.validator, first.validator_value) == (
        "",
        [0],
        "type",
        "string",
    )
    assert BASE_UNITS - context.effort._left < 10
