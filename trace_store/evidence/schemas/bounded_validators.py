"""JSON Schema validators whose work is bounded: every keyword and every error costs effort, patterns run in linear
time, and values are compared with many others by hashing (R34).

They are the validators of `jsonschema`, with every keyword function wrapped and some replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

import attrs
from jsonschema import validators
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator

from trace_store.evidence.schemas.effort import Effort
from trace_store.evidence.schemas.patterns import Pattern
from trace_store.model import JSON

Schema: TypeAlias = dict[str, JSON]
Keyword: TypeAlias = Callable[[Any, Any, JSON, Schema], Iterable[ValidationError] | None]
"""A keyword function of `jsonschema`: it gets the validator, the keyword's value, the instance and the schema."""

MAX_CACHED = 2_000
_CHARACTERS_PER_UNIT = 1_000
_VALUES_PER_UNIT = 10


class CheckContext:
    """What the checks of one import share: the effort that is left, and the patterns and value lists of schemas, each
    prepared once. Not shared between threads."""

    def __init__(self) -> None:
        self.effort = Effort()
        self._patterns: dict[str, Pattern] = {}
        # By identity: a list in a schema lives as long as the schema, which the entry keeps alive.
        self._value_sets: dict[int, tuple[list[JSON], frozenset[object]]] = {}

    def pattern(self, source: str) -> Pattern:
        """Return the compiled pattern. Raises PatternError."""
        pattern = self._patterns.get(source)
        if pattern is None:
            _clear_if_full(self._patterns)
            pattern = self._patterns[source] = Pattern(source)
        return pattern

    def matches(self, source: str, text: str) -> bool:
        """Return whether a pattern matches anywhere in a text. Raises PatternError, TooCostlyError."""
        return self.pattern(source).search(text, self.effort)

    def is_one_of(self, value: JSON, values: list[JSON]) -> bool:
        """Return whether a value equals one in a list that is part of a schema. Raises TooCostlyError."""
        entries = self._value_sets.get(id(values))
        if entries is None:
            _clear_if_full(self._value_sets)
            entries = self._value_sets[id(values)] = (values, frozenset(self.hashable(entry) for entry in values))
        return self.hashable(value) in entries[1]

    def hashable(self, value: JSON) -> object:
        """Return a hashable form of a JSON value, equal for equal values: 1 equals 1.0, but not true. Raises
        TooCostlyError."""
        if isinstance(value, dict):
            self.effort.spend(1 + len(value) // _VALUES_PER_UNIT)
            return frozenset((key, self.hashable(inner)) for key, inner in value.items())
        if isinstance(value, list):
            self.effort.spend(1 + len(value) // _VALUES_PER_UNIT)
            return tuple(self.hashable(inner) for inner in value)
        return (type(value), value) if isinstance(value, bool) else value

    def additional_keys(self, instance: dict[str, JSON], schema: Schema) -> list[str]:
        """Return the keys of an object that its schema neither names nor matches. Raises TooCostlyError."""
        properties, sources = schema.get("properties", {}), schema.get("patternProperties", {})
        return [
            key
            for key in instance
            if key not in properties and not any(self.matches(source, key) for source in sources)
        ]


def bounded_validator(base: type[Validator], context: CheckContext) -> type[Validator]:
    """Return the validator class of a dialect whose checks spend the effort of `context`, and raise TooCostlyError."""
    keywords: dict[str, Keyword] = {**base.VALIDATORS, **_Keywords(context).replacements()}
    bounded: Any = validators.extend(  # type: ignore[no-untyped-call]
        base, {name: _with_cost(keywords[name], context.effort) for name in base.VALIDATORS}
    )
    names = [(field.name, field.alias or field.name) for field in attrs.fields(bounded) if field.init]
    library_descend = bounded.descend

    def evolve(self: Any, **changes: Any) -> Any:
        # The library's own picks a class by the `$schema` of the part, and so leaves the bounded one.
        for name, alias in names:
            if alias not in changes:
                changes[alias] = getattr(self, name)
        return bounded(**changes)

    def descend(
        self: Any, instance: JSON, schema: JSON, path: Any = None, schema_path: Any = None, resolver: Any = None
    ) -> Iterator[ValidationError]:
        if schema is False:  # the library loses the path of an instance for which nothing is allowed
            return iter((_nothing_allowed(instance, path),))
        errors: Iterator[ValidationError] = library_descend(self, instance, schema, path, schema_path, resolver)
        return errors

    bounded.evolve = evolve
    bounded.descend = descend
    validator: type[Validator] = bounded
    return validator


def _with_cost(keyword: Keyword, effort: Effort) -> Keyword:
    """Return a keyword function that spends effort for each call and for each error."""

    def check(validator: Any, value: JSON, instance: JSON, schema: Schema) -> Iterator[ValidationError]:
        effort.spend(1)
        for error in keyword(validator, value, instance, schema) or ():
            # The library writes the instance into the message of each error: it costs effort, and is not kept.
            if error.message:
                effort.spend(1 + len(error.message) // _CHARACTERS_PER_UNIT)
                error.message = ""
            yield error

    return check


class _Keywords:
    """The keyword functions that replace those of the library. An error has no message: `compiler` writes it."""

    def __init__(self, context: CheckContext) -> None:
        self._context = context

    def replacements(self) -> dict[str, Keyword]:
        """Return the functions by keyword."""
        return {
            "type": _type,
            "anyOf": _any_of,
            "oneOf": _one_of,
            "pattern": self._pattern,
            "patternProperties": self._pattern_properties,
            "additionalProperties": self._additional_properties,
            "enum": self._enum,
            "const": self._const,
            "uniqueItems": self._unique_items,
            "multipleOf": _multiple_of,
        }

    def _pattern(self, validator: Any, source: str, instance: JSON, schema: Schema) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not self._context.matches(source, instance):
            yield ValidationError("")

    def _pattern_properties(
        self, validator: Any, parts: dict[str, JSON], instance: JSON, schema: Schema
    ) -> Iterator[ValidationError]:
        for key, inner in instance.items() if isinstance(instance, dict) else ():
            for source, part in parts.items():
                if self._context.matches(source, key):
                    yield from validator.descend(inner, part, path=key, schema_path=source)

    def _additional_properties(
        self, validator: Any, allowed: JSON, instance: JSON, schema: Schema
    ) -> Iterator[ValidationError]:
        if allowed is True or not isinstance(instance, dict):
            return
        extras = self._context.additional_keys(instance, schema)
        if allowed is not False:
            for key in extras:
                yield from validator.descend(instance[key], allowed, path=key)
        elif extras:
            yield ValidationError("")

    def _enum(self, validator: Any, values: list[JSON], instance: JSON, schema: Schema) -> Iterator[ValidationError]:
        if not self._context.is_one_of(instance, values):
            yield ValidationError("")

    def _const(self, validator: Any, value: JSON, instance: JSON, schema: Schema) -> Iterator[ValidationError]:
        if self._context.hashable(value) != self._context.hashable(instance):
            yield ValidationError("")

    def _unique_items(
        self, validator: Any, is_unique: JSON, instance: JSON, schema: Schema
    ) -> Iterator[ValidationError]:
        if is_unique is True and isinstance(instance, list):
            self._context.effort.spend(len(instance) // _VALUES_PER_UNIT)
            if len({self._context.hashable(entry) for entry in instance}) < len(instance):
                yield ValidationError("")


def _type(validator: Any, types: str | list[str], instance: JSON, schema: Schema) -> Iterator[ValidationError]:
    names = [types] if isinstance(types, str) else types
    if not any(validator.is_type(instance, name) for name in names):
        yield ValidationError("")


# The library's own `anyOf` and `oneOf` keep all errors of all branches; here it only matters whether there is one.


def _any_of(validator: Any, branches: list[JSON], instance: JSON, schema: Schema) -> Iterator[ValidationError]:
    if not any(_fits(validator, branch, instance) for branch in branches):
        yield ValidationError("")


def _one_of(validator: Any, branches: list[JSON], instance: JSON, schema: Schema) -> Iterator[ValidationError]:
    if sum(_fits(validator, branch, instance) for branch in branches) != 1:
        yield ValidationError("")


def _multiple_of(validator: Any, divisor: float, instance: JSON, schema: Schema) -> Iterator[ValidationError]:
    # The library divides floats, by which 19.99 is not a multiple of 0.01.
    is_number = isinstance(instance, int | float) and not isinstance(instance, bool)
    if is_number and (Fraction(repr(instance)) / Fraction(repr(divisor))).denominator != 1:
        yield ValidationError("")


def _fits(validator: Any, schema: JSON, instance: JSON) -> bool:
    return next(validator.descend(instance, schema), None) is None


def _nothing_allowed(instance: JSON, path: str | int | None) -> ValidationError:
    steps = () if path is None else (path,)
    nothing: Any = None  # passed on, so that the library does not fill in the keyword around it
    return ValidationError("", path=steps, validator=nothing, validator_value=nothing, instance=instance, schema=False)


def _clear_if_full(cache: dict[Any, Any]) -> None:
    if len(cache) >= MAX_CACHED:
        cache.clear()
