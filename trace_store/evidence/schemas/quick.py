"""The common schemas as plain functions, some fifty times as fast as a general validator (R34).

A quick check answers yes or no, and only its yes counts: on a no the general validator says what is wrong, and has the
last word. What is not surely the same here is not made: then there is no quick check.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from trace_store.evidence.schemas.faults import Dialect
from trace_store.evidence.schemas.guarded import Guard
from trace_store.model import JSON

Check: TypeAlias = Callable[[JSON], bool]

MAX_PARTS = 500
"""How many parts a quick check may have, with every reference written out: that bounds its work for each value."""

IGNORED = frozenset({"$schema", "$comment", "$defs", "definitions", "title", "description", "default", "examples",
                     "deprecated", "readOnly", "writeOnly", "format", "contentEncoding", "contentMediaType",
                     "contentSchema"})  # fmt: skip
"""Keywords that ask nothing of a value."""

DIALECTS = frozenset({"draft 2020-12", "draft 2019-09", "draft 7", "draft 6"})


class _NotQuickError(Exception):
    """A keyword, or a form of one, that only the general validator knows."""


def quick_check(schema: dict[str, JSON], dialect: Dialect, guard: Guard) -> Check | None:
    """A function that says whether a value fits a schema without fault; None where the schema has no quick check."""
    if dialect.name not in DIALECTS:
        return None
    try:
        return _Maker(schema, dialect, guard).make(schema, ())
    except (_NotQuickError, RecursionError):  # or it nests deeper than functions can
        return None


def _is_string(value: JSON) -> bool:
    return type(value) is str


def _is_integer(value: JSON) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


def _is_number(value: JSON) -> bool:
    return type(value) is int or type(value) is float


def _is_object(value: JSON) -> bool:
    return type(value) is dict


def _is_array(value: JSON) -> bool:
    return type(value) is list


def _is_boolean(value: JSON) -> bool:
    return type(value) is bool


def _is_null(value: JSON) -> bool:
    return value is None


def _any(value: JSON) -> bool:
    return True


def _none(value: JSON) -> bool:
    return False


TYPES: dict[str, Check] = {
    "string": _is_string,
    "integer": _is_integer,
    "number": _is_number,
    "object": _is_object,
    "array": _is_array,
    "boolean": _is_boolean,
    "null": _is_null,
}

_BOUNDS: dict[str, Callable[[JSON], Check]] = {
    "minimum": lambda bound: lambda value: not _is_number(value) or value >= bound,
    "maximum": lambda bound: lambda value: not _is_number(value) or value <= bound,
    "exclusiveMinimum": lambda bound: lambda value: not _is_number(value) or value > bound,
    "exclusiveMaximum": lambda bound: lambda value: not _is_number(value) or value < bound,
    "minLength": lambda bound: lambda value: type(value) is not str or len(value) >= bound,
    "maxLength": lambda bound: lambda value: type(value) is not str or len(value) <= bound,
    "minItems": lambda bound: lambda value: type(value) is not list or len(value) >= bound,
    "maxItems": lambda bound: lambda value: type(value) is not list or len(value) <= bound,
    "minProperties": lambda bound: lambda value: type(value) is not dict or len(value) >= bound,
    "maxProperties": lambda bound: lambda value: type(value) is not dict or len(value) <= bound,
}
"""Keywords that compare with a number, by what they make of it."""


class _Maker:
    def __init__(self, root: dict[str, JSON], dialect: Dialect, guard: Guard) -> None:
        self._root = root
        self._ref_stands_alone = dialect.ref_stands_alone
        self._known = frozenset(dialect.base.VALIDATORS)
        self._id_key = dialect.id_key
        self._guard = guard
        self._parts = 0

    def make(self, schema: JSON, references: tuple[str, ...]) -> Check:
        """The check of a part. `references` are those that led to it: one that comes again never ends."""
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise _NotQuickError
        if isinstance(schema, bool):
            return _any if schema else _none
        if self._id_key in schema or "$anchor" in schema or "$dynamicAnchor" in schema:
            raise _NotQuickError
        if self._ref_stands_alone and "$ref" in schema:
            return self._reference(schema["$ref"], references)
        checks = [
            check
            for keyword, value in schema.items()
            if keyword not in IGNORED and (check := self._keyword(keyword, value, schema, references)) is not None
        ]
        return _all_of(checks)

    def _keyword(self, keyword: str, value: JSON, schema: dict[str, JSON], references: tuple[str, ...]) -> Check | None:
        if keyword in _BOUNDS:
            return _BOUNDS[keyword](value)
        match keyword:
            case "type":
                return _type(value)
            case "properties" | "required" | "additionalProperties":
                # One check for the three, made where the first of them stands.
                own = ("properties", "required", "additionalProperties")
                return self._object(schema, references) if keyword == next(k for k in schema if k in own) else None
            case "items":
                return self._items(value, schema, references)
            case "enum":
                return _enum(value)
            case "const":
                return _enum([value])
            case "pattern":
                return self._pattern(value)
            case "anyOf":
                return _any_of([self.make(part, references) for part in value])
            case "allOf":
                return _all_of([self.make(part, references) for part in value])
            case "$ref":
                return self._reference(value, references)
        if keyword in self._known:
            raise _NotQuickError
        return None  # not a keyword of the dialect: it asks nothing

    def _object(self, schema: dict[str, JSON], references: tuple[str, ...]) -> Check:
        if "patternProperties" in schema:
            raise _NotQuickError
        required = tuple(schema.get("required", ()))
        parts = {name: self.make(part, references) for name, part in schema.get("properties", {}).items()}
        others = self.make(schema.get("additionalProperties", True), references)

        def check(value: JSON) -> bool:
            if type(value) is not dict:
                return True
            for name in required:
                if name not in value:
                    return False
            # A loop: a generator would cost more than what it runs.
            for name, inner in value.items():  # noqa: SIM110
                if not parts.get(name, others)(inner):
                    return False
            return True

        return check

    def _items(self, value: JSON, schema: dict[str, JSON], references: tuple[str, ...]) -> Check:
        if isinstance(value, list) or "prefixItems" in schema:
            raise _NotQuickError
        part = self.make(value, references)
        return lambda value: type(value) is not list or all(map(part, value))

    def _pattern(self, source: str) -> Check:
        pattern, effort = self._guard.pattern(source), self._guard.effort

        def check(value: JSON) -> bool:
            if type(value) is not str:
                return True
            return pattern.search(value, effort)

        return check

    def _reference(self, reference: str, references: tuple[str, ...]) -> Check:
        if reference in references or not reference.startswith("#/"):
            raise _NotQuickError
        target: JSON = self._root
        for step in reference[2:].split("/"):
            if not isinstance(target, dict) or step not in target or "%" in step or "~" in step:
                raise _NotQuickError
            target = target[step]
        if not isinstance(target, dict | bool):
            raise _NotQuickError
        return self.make(target, (*references, reference))


def _type(value: JSON) -> Check:
    if isinstance(value, str):
        return TYPES[value]
    return _any_of([TYPES[name] for name in value])


def _enum(values: list[JSON]) -> Check:
    if any(isinstance(value, dict | list) for value in values):
        raise _NotQuickError
    # True equals 1 in Python, not in JSON: booleans are told apart by identity.
    others = frozenset(value for value in values if not isinstance(value, bool))
    has_true, has_false = any(value is True for value in values), any(value is False for value in values)

    def check(value: JSON) -> bool:
        if value is True:
            return has_true
        if value is False:
            return has_false
        return type(value) is not dict and type(value) is not list and value in others

    return check


def _all_of(checks: list[Check]) -> Check:
    match checks:
        case []:
            return _any
        case [only]:
            return only
        case [first, second]:
            return lambda value: first(value) and second(value)
    return lambda value: all(check(value) for check in checks)


def _any_of(checks: list[Check]) -> Check:
    match checks:
        case [only]:
            return only
        case [first, second]:
            return lambda value: first(value) or second(value)
    return lambda value: any(check(value) for check in checks)
