"""Compile schemas, each once an import, and find the violations of values (R34)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import orjson
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from referencing import Registry

from trace_store.evidence.findings.formatting import format_json, format_list, format_name, format_value, quote
from trace_store.evidence.schemas.bounded_validators import CheckContext
from trace_store.evidence.schemas.effort import TooCostlyError
from trace_store.evidence.schemas.inspection import BROKEN_REFERENCE, Fault, Path, SchemaInspector, dialect_of
from trace_store.evidence.schemas.quick_check import QuickCheck, quick_check
from trace_store.model import JSON


class Violation(NamedTuple):
    """The first value of a document that is not valid: its path, the reason, which names the keyword, and the number of
    other violations."""

    path: Path
    reason: str
    more: int


class Schema:
    """A compiled schema."""

    __slots__ = ("_context", "_is_valid", "_validator")

    def __init__(self, context: CheckContext, validator: Validator, is_valid: QuickCheck | None) -> None:
        self._context = context
        self._validator = validator
        self._is_valid = is_valid

    def find_violation(self, value: JSON) -> Violation | None:
        """Return the first violation in the order of the document, or None where the value is valid.

        Raises TooCostlyError where the check takes more effort than the value allows, or goes deeper than the library
        can.
        """
        effort = self._context.effort
        effort.start(value)
        if self._passes_quick_check(value):
            return None
        effort.start(value)
        order = _DocumentOrder(value)
        first: tuple[tuple[int, ...], ValidationError] | None = None
        count = 0
        for count, error in enumerate(self._errors(value), 1):  # noqa: B007
            position = order.position_of(error.absolute_path)
            if first is None or position < first[0]:
                first = position, error
        if first is None:
            return None
        return Violation(tuple(first[1].absolute_path), self._describe(first[1]), count - 1)

    def _passes_quick_check(self, value: JSON) -> bool:
        try:
            return self._is_valid is not None and self._is_valid(value)
        except ValueError:  # what jsonschema-rs cannot convert: values too deep, and lone surrogates
            return False

    def _errors(self, value: JSON) -> Iterator[ValidationError]:
        try:
            yield from self._validator.iter_errors(value)
        except (RecursionError, *BROKEN_REFERENCE):
            # Values deeper than the library can go, and references that cannot be resolved from where it meets them.
            raise TooCostlyError from None

    def _describe(self, error: ValidationError) -> str:
        """Return what a keyword requires and what the value is, in words."""
        keyword, required, value, schema = error.validator, error.validator_value, error.instance, error.schema
        if keyword is None:
            return f"nothing is allowed here, but it holds {format_json(value)}"
        if keyword == "additionalProperties" and isinstance(value, dict) and isinstance(schema, dict):
            extras = format_list(format_name(key) for key in self._context.additional_keys(value, schema))
            return f"`additionalProperties` allows no {extras}"
        describe = _DESCRIPTIONS.get(str(keyword))
        if describe is None:
            return f"`{keyword}` is not met by {format_json(value)}"
        return f"`{keyword}` {describe(required, value)}"


class SchemaCompiler:
    """Compiles schemas, and keeps them by their text for one import. Not shared between threads."""

    MAX_SCHEMAS = 2_000

    def __init__(self) -> None:
        self._context = CheckContext()
        self._compiled: dict[bytes, Schema | Fault] = {}
        self._inspectors: dict[str, SchemaInspector] = {}

    def compile(self, definition: dict[str, JSON]) -> Schema | Fault:
        """Return the compiled schema, or why it cannot be used."""
        key = encode(definition)
        compiled = self._compiled.get(key)
        if compiled is None:
            if len(self._compiled) >= self.MAX_SCHEMAS:
                self._compiled.clear()
            compiled = self._compiled[key] = self._compile(definition)
        return compiled

    def _compile(self, definition: dict[str, JSON]) -> Schema | Fault:
        dialect = dialect_of(definition)
        if dialect is None:
            reason = f"its dialect {format_value(definition['$schema'])} is not one of JSON Schema draft 4 to 2020-12"
            return Fault(("$schema",), reason)
        inspector = self._inspectors.get(dialect.name)
        if inspector is None:
            inspector = self._inspectors[dialect.name] = SchemaInspector(dialect, self._context)
        fault = inspector.find_fault(definition)
        if fault is not None:
            return fault
        # With an empty registry nothing is fetched: the library's default would.
        validator = inspector.validator(definition, registry=Registry())
        return Schema(self._context, validator, quick_check(definition, dialect, self._context))


def encode(value: JSON) -> bytes:
    """Return a value as JSON, with its keys in their order. Equal values may differ in it: findings on a schema show
    the order of its keys, and whether it has 1 or 1.0, and must not depend on which run came first."""
    try:
        return orjson.dumps(value)
    except TypeError:  # what orjson cannot write: integers beyond 64 bits, lone surrogates
        return json.dumps(value).encode()


class _DocumentOrder:
    """The order of the values in a document: an object or array comes before what is in it."""

    def __init__(self, document: JSON) -> None:
        self._document = document
        self._positions: dict[int, dict[str, int]] = {}

    def position_of(self, path: Iterable[str | int]) -> tuple[int, ...]:
        """Return the position of each step of a path among its siblings."""
        node = self._document
        position = []
        for step in path:
            if isinstance(step, int):
                position.append(step)
            else:
                keys = self._positions.get(id(node))
                if keys is None:
                    keys = self._positions[id(node)] = {key: i for i, key in enumerate(node)}
                position.append(keys[step])
            node = node[step]
        return tuple(position)


def _describe_type(required: Any, value: JSON) -> str:
    return f"wants {required if isinstance(required, str) else ' or '.join(required)}, found {format_json(value)}"


def _describe_missing(required: Any, value: JSON) -> str:
    return f"wants {format_list(format_name(name) for name in required if name not in value)}"


_DESCRIPTIONS: dict[str, Callable[[Any, JSON], str]] = {
    "type": _describe_type,
    "required": _describe_missing,
    "enum": lambda required, value: f"allows {format_json(required)}, found {format_json(value)}",
    "const": lambda required, value: f"allows only {format_json(required)}, found {format_json(value)}",
    "pattern": lambda required, value: f"wants {quote(required)}, found {format_json(value)}",
    "minimum": lambda required, value: f"wants {required} or more, found {format_json(value)}",
    "maximum": lambda required, value: f"wants {required} or less, found {format_json(value)}",
    "exclusiveMinimum": lambda required, value: f"wants more than {required}, found {format_json(value)}",
    "exclusiveMaximum": lambda required, value: f"wants less than {required}, found {format_json(value)}",
    "minLength": lambda required, value: f"wants {required} characters or more, found {len(value):,}",
    "maxLength": lambda required, value: f"wants {required} characters or fewer, found {len(value):,}",
    "minItems": lambda required, value: f"wants {required} items or more, found {len(value):,}",
    "maxItems": lambda required, value: f"wants {required} items or fewer, found {len(value):,}",
}
"""By keyword: what it requires, and what the value is."""
