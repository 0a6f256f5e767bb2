"""JSON Schema validators that cannot be made to run long: every keyword and every error costs effort, patterns run on
automata, and what compares many values does so by hashing (R34).

Made from the validators of `jsonschema`, keyword by keyword.
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

MAX_CACHED = 2_000
_CHARACTERS_PER_UNIT = 1_000
_VALUES_PER_UNIT = 10


class Guard:
    """What the checks of one import share: their effort, and the patterns and value lists of its schemas, each
    prepared once."""

    def __init__(self) -> None:
        self.effort = Effort()
        self._patterns: dict[str, Pattern] = {}
        # By identity: a list in a schema lives as long as the schema, which the entry keeps alive.
        self._sets: dict[int, tuple[list[JSON], frozenset[object]]] = {}

    def matches(self, source: str, text: str) -> bool:
        """Whether a pattern matches. Raises PatternError, TooCostlyError."""
        return self.pattern(source).search(text, self.effort)

    def pattern(self, source: str) -> Pattern:
        """The compiled pattern. Raises PatternError."""
        pattern = self._patterns.get(source)
        if pattern is None:
            _clear_if_full(self._patterns)
            pattern = self._patterns[source] = Pattern(source)
        return pattern

    def is_one_of(self, value: JSON, values: list[JSON]) -> bool:
        """Whether a value equals one of a list that stands in a schema. Raises TooCostlyError."""
        entries = self._sets.get(id(values))
        if entries is None:
            _clear_if_full(self._sets)
            entries = self._sets[id(values)] = (values, frozenset(self.hashable(entry) for entry in values))
        return self.hashable(value) in entries[1]

    def hashable(self, value: JSON) -> object:
        """A hashable stand-in: equal for equal JSON values, where 1 equals 1.0 but not true. Raises TooCostlyError."""
        if isinstance(value, dict):
            self.effort.spend(1 + len(value) // _VALUES_PER_UNIT)
            return frozenset((key, self.hashable(inner)) for key, inner in value.items())
        if isinstance(value, list):
            self.effort.spend(1 + len(value) // _VALUES_PER_UNIT)
            return tuple(self.hashable(inner) for inner in value)
        return (type(value), value) if isinstance(value, bool) else value

    def over(self, base: type[Validator]) -> type[Validator]:
        """The validator class of a dialect, under guard: its checks spend effort, and raise TooCostlyError."""
        keywords: dict[str, Keyword] = {**base.VALIDATORS, **self._replacements()}
        made: Any = validators.extend(  # type: ignore[no-untyped-call]
            base, {name: self._charged(keywords[name]) for name in base.VALIDATORS}
        )
        names = [(field.name, field.alias or field.name) for field in attrs.fields(made) if field.init]
        library_descend = made.descend

        def evolve(self: Any, **changes: Any) -> Any:
            # The library's own goes by the `$schema` of the part, and so leads out of the guarded class.
            for name, alias in names:
                if alias not in changes:
                    changes[alias] = getattr(self, name)
            return made(**changes)

        def descend(
            self: Any, instance: JSON, schema: JSON, path: Any = None, schema_path: Any = None, resolver: Any = None
        ) -> Iterator[ValidationError]:
            if schema is False:  # the library forgets the path of what nothing is allowed for
                return iter((_nothing_allowed(instance, path),))
            errors: Iterator[ValidationError] = library_descend(self, instance, schema, path, schema_path, resolver)
            return errors

        made.evolve = evolve
        made.descend = descend
        validator: type[Validator] = made
        return validator

    def _charged(self, keyword: Keyword) -> Keyword:
        spend = self.effort.spend

        def charged(validator: Any, value: JSON, instance: JSON, schema: Schema) -> Iterator[ValidationError]:
            spend(1)
            for error in keyword(validator, value, instance, schema) or ():
                # The library writes the instance into the message of each error: paid for once, and not kept.
                if error.message:
                    spend(1 + len(error.message) // _CHARACTERS_PER_UNIT)
                    error.message = ""
                yield error

        return charged

    def _replacements(self) -> dict[str, Keyword]:
        return {
            "type": self._type,
            "anyOf": self._any_of,
            "oneOf": self._one_of,
            "pattern": self._pattern,
            "patternProperties": self._pattern_properties,
            "additionalProperties": self._additional_properties,
            "enum": self._enum,
            "const": self._const,
            "uniqueItems": self._unique_items,
            "multipleOf": _multiple_of,
        }

    def _type(
        self, validator: Any, types: str | list[str], instance: JSON, schema: Schema
    ) -> Iterator[ValidationError]:
        names = [types] if isinstance(types, str) else types
        if not any(validator.is_type(instance, name) for name in names):
            yield ValidationError("")

    # The library keeps all errors of all branches; whether there is one is all that is asked.

    def _any_of(
        self, validator: Any, branches: list[JSON], instance: JSON, schema: Schema
    ) -> Iterator[ValidationError]:
        if not any(_fits(validator, branch, instance) for branch in branches):
            yield ValidationError("")

    def _one_of(
        self, validator: Any, branches: list[JSON], instance: JSON, schema: Schema
    ) -> Iterator[ValidationError]:
        if sum(_fits(validator, branch, instance) for branch in branches) != 1:
            yield ValidationError("")

    def _pattern(self, validator: Any, source: str, instance: JSON, schema: Schema) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not self.matches(source, instance):
            yield ValidationError("")

    def _pattern_properties(
        self, validator: Any, parts: dict[str, JSON], instance: JSON, schema: Schema
    ) -> Iterator[ValidationError]:
        for key, inner in instance.items() if isinstance(instance, dict) else ():
            for source, part in parts.items():
                if self.matches(source, key):
                    yield from validator.descend(inner, part, path=key, schema_path=source)

    def _additional_properties(
        self, validator: Any, allowed: JSON, instance: JSON, schema: Schema
    ) -> Iterator[ValidationError]:
        if allowed is True or not isinstance(instance, dict):
            return
        extras = self.additional(instance, schema)
        if allowed is not False:
            for key in extras:
                yield from validator.descend(instance[key], allowed, path=key)
        elif extras:
            yield ValidationError("")

    def additional(self, instance: dict[str, JSON], schema: Schema) -> list[str]:
        """The keys of an object that its schema does not name. Raises TooCostlyError."""
        properties, sources = schema.get("properties", {}), schema.get("patternProperties", {})
        return [
            key
            for key in instance
            if key not in properties and not any(self.matches(source, key) for source in sources)
        ]

    def _enum(self, validator: Any, values: list[JSON], instance: JSON, schema: Schema) -> Iterator[ValidationError]:
        if not self.is_one_of(instance, values):
            yield ValidationError("")

    def _const(self, validator: Any, value: JSON, instance: JSON, schema: Schema) -> Iterator[ValidationError]:
        if self.hashable(value) != self.hashable(instance):
            yield ValidationError("")

    def _unique_items(self, validator: Any, wanted: JSON, instance: JSON, schema: Schema) -> Iterator[ValidationError]:
        if wanted is True and isinstance(instance, list):
            self.effort.spend(len(instance) // _VALUES_PER_UNIT)
            if len({self.hashable(entry) for entry in instance}) < len(instance):
                yield ValidationError("")


def _multiple_of(validator: Any, divisor: float, instance: JSON, schema: Schema) -> Iterator[ValidationError]:
    # The library divides floats, by which 19.99 is no multiple of 0.01.
    is_number = isinstance(instance, int | float) and not isinstance(instance, bool)
    if is_number and (Fraction(repr(instance)) / Fraction(repr(divisor))).denominator != 1:
        yield ValidationError("")


def _fits(validator: Any, schema: JSON, instance: JSON) -> bool:
    return next(validator.descend(instance, schema), None) is None


def _nothing_allowed(instance: JSON, path: str | int | None) -> ValidationError:
    steps = () if path is None else (path,)
    nothing: Any = None  # given, so that the library does not fill in the keyword around it
    return ValidationError("", path=steps, validator=nothing, validator_value=nothing, instance=instance, schema=False)


def _clear_if_full(cache: dict[Any, Any]) -> None:
    if len(cache) >= MAX_CACHED:
        cache.clear()
