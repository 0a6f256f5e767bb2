"""Schemas compiled once an import, and what a value breaks in them (R34)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import orjson
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from referencing import Registry

from trace_store.evidence.findings.formatting import format_json, format_list, format_name, format_value, quote
from trace_store.evidence.schemas.effort import TooCostlyError
from trace_store.evidence.schemas.faults import BROKEN_REFERENCE, Dialect, Fault, Path, SchemaInspector, dialect_of
from trace_store.evidence.schemas.guarded import Guard
from trace_store.evidence.schemas.quick import Check, quick_check
from trace_store.model import JSON


class Violation(NamedTuple):
    """The first value of a document that breaks its schema: where it is, what its schema wants in words that name the
    keyword, and how many more faults there are."""

    path: Path
    reason: str
    more: int


class Schema:
    """A compiled schema. With a `fault` it cannot be checked against."""

    __slots__ = ("_guard", "_quick", "_validator", "fault")

    def __init__(
        self, guard: Guard, fault: Fault | None, validator: Validator | None = None, quick: Check | None = None
    ) -> None:
        self.fault = fault
        self._guard = guard
        self._validator = validator
        self._quick = quick

    def violation(self, value: JSON) -> Violation | None:
        """The first fault of a value in the order of the document, or None.

        Raises TooCostlyError where schema and value together ask for more work than the value is worth, or than can
        be done.
        """
        if self._validator is None:
            return None
        effort = self._guard.effort
        effort.start(value)
        if self._quick is not None and self._fits_quickly(self._quick, value):
            return None
        effort.start(value)
        ranks = _Ranks(value)
        first: tuple[tuple[int, ...], ValidationError] | None = None
        count = 0
        for count, error in enumerate(self._errors(self._validator, value), 1):  # noqa: B007
            rank = ranks.rank(error.absolute_path)
            if first is None or rank < first[0]:
                first = rank, error
        if first is None:
            return None
        return Violation(tuple(first[1].absolute_path), self._reason(first[1]), count - 1)

    def _fits_quickly(self, check: Check, value: JSON) -> bool:
        try:
            return check(value)
        except ValueError:  # what jsonschema-rs cannot take over: values too deep, and lone surrogates
            return False

    def _errors(self, validator: Validator, value: JSON) -> Iterator[ValidationError]:
        try:
            yield from validator.iter_errors(value)
        except (RecursionError, *BROKEN_REFERENCE):
            # Values deeper than the library reaches, and references that only lead nowhere from where it comes to them.
            raise TooCostlyError from None

    def _reason(self, error: ValidationError) -> str:
        """Return what a keyword wants and what the value is, in words."""
        keyword, wanted, value, schema = error.validator, error.validator_value, error.instance, error.schema
        if keyword is None:
            return f"nothing is allowed here, but it holds {format_json(value)}"
        describe = _REASONS.get(str(keyword))
        if keyword == "additionalProperties" and isinstance(value, dict) and isinstance(schema, dict):
            extras = format_list(format_name(key) for key in self._guard.additional(value, schema))
            return f"`additionalProperties` allows no {extras}"
        return (
            f"`{keyword}` {describe(wanted, value)}" if describe else f"`{keyword}` is not met by {format_json(value)}"
        )


class SchemaCompiler:
    """The compiled schemas of one import, by their text. Not shared between threads."""

    MAX_SCHEMAS = 2_000

    def __init__(self) -> None:
        self._guard = Guard()
        self._schemas: dict[bytes, Schema] = {}
        self._inspectors: dict[str, tuple[SchemaInspector, type[Validator]]] = {}

    def schema(self, value: dict[str, JSON]) -> Schema:
        """The compiled form of a schema, whose `fault` says why it cannot be used, if so."""
        key = encode(value)
        schema = self._schemas.get(key)
        if schema is None:
            if len(self._schemas) >= self.MAX_SCHEMAS:
                self._schemas.clear()
            schema = self._schemas[key] = self._compile(value)
        return schema

    def _compile(self, value: dict[str, JSON]) -> Schema:
        dialect = dialect_of(value)
        if dialect is None:
            reason = f"its dialect {format_value(value['$schema'])} is not one of JSON Schema draft 4 to 2020-12"
            return Schema(self._guard, Fault(("$schema",), reason))
        inspector, validator = self._tools_of(dialect)
        fault = inspector.fault(value)
        if fault is not None:
            return Schema(self._guard, fault)
        # An empty registry fetches nothing: the library's default would.
        return Schema(
            self._guard, None, validator(value, registry=Registry()), quick_check(value, dialect, self._guard)
        )

    def _tools_of(self, dialect: Dialect) -> tuple[SchemaInspector, type[Validator]]:
        tools = self._inspectors.get(dialect.name)
        if tools is None:
            validator = self._guard.over(dialect.base)
            tools = self._inspectors[dialect.name] = SchemaInspector(dialect, self._guard, validator), validator
        return tools


def encode(value: JSON) -> bytes:
    """Return the JSON of a value as it stands. Equal values may differ in it: findings on a schema show the order of
    its keys, and whether it holds 1 or 1.0, and must not depend on which run came first."""
    try:
        return orjson.dumps(value)
    except TypeError:  # what orjson cannot write: integers beyond 64 bits, lone surrogates
        return json.dumps(value).encode()


class _Ranks:
    """Where the values of a document stand in it, so that errors can be told apart by which value comes first; an
    object comes before what is in it."""

    def __init__(self, document: JSON) -> None:
        self._document = document
        self._positions: dict[int, dict[str, int]] = {}

    def rank(self, path: Iterable[str | int]) -> tuple[int, ...]:
        """The positions of each step of a path among its siblings."""
        node = self._document
        rank = []
        for step in path:
            if isinstance(step, int):
                rank.append(step)
            else:
                positions = self._positions.get(id(node))
                if positions is None:
                    positions = self._positions[id(node)] = {key: i for i, key in enumerate(node)}
                rank.append(positions[step])
            node = node[step]
        return tuple(rank)


def _wanted_type(wanted: Any, value: JSON) -> str:
    return f"wants {wanted if isinstance(wanted, str) else ' or '.join(wanted)}, found {format_json(value)}"


_REASONS: dict[str, Callable[[Any, JSON], str]] = {
    "type": _wanted_type,
    "required": lambda wanted, value: f"wants {format_list(format_name(name) for name in wanted if name not in value)}",
    "enum": lambda wanted, value: f"allows {format_json(wanted)}, found {format_json(value)}",
    "const": lambda wanted, value: f"allows only {format_json(wanted)}, found {format_json(value)}",
    "pattern": lambda wanted, value: f"wants {quote(wanted)}, found {format_json(value)}",
    "minimum": lambda wanted, value: f"wants {wanted} or more, found {format_json(value)}",
    "maximum": lambda wanted, value: f"wants {wanted} or less, found {format_json(value)}",
    "exclusiveMinimum": lambda wanted, value: f"wants more than {wanted}, found {format_json(value)}",
    "exclusiveMaximum": lambda wanted, value: f"wants less than {wanted}, found {format_json(value)}",
    "minLength": lambda wanted, value: f"wants {wanted} characters or more, found {len(value):,}",
    "maxLength": lambda wanted, value: f"wants {wanted} characters or fewer, found {len(value):,}",
    "minItems": lambda wanted, value: f"wants {wanted} items or more, found {len(value):,}",
    "maxItems": lambda wanted, value: f"wants {wanted} items or fewer, found {len(value):,}",
}
"""By keyword: what it wants, and what the value is."""
