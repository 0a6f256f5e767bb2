"""Inspect a whole schema before any value is checked against it, and say why it cannot be used (R34).

A schema is untrusted. It must be valid by its dialect, have no references to anything outside of it, not recur without
end, and have patterns that can be matched in bounded time. Its parts are inspected one by one, so that neither their
depth nor their number matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import (
    Draft4Validator,
    Draft6Validator,
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
)
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # published without types
from referencing import Registry, Specification
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012

from trace_store.evidence.findings.formatting import format_json, format_value
from trace_store.evidence.schemas.bounded_validators import CheckContext, bounded_validator
from trace_store.evidence.schemas.effort import TooCostlyError
from trace_store.evidence.schemas.patterns import PatternError
from trace_store.model import JSON

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A version of JSON Schema. In the older ones the keywords beside a `$ref` are ignored: `ref_stands_alone`."""

    name: str
    base: type[Validator]
    specification: Specification[Any]
    id_key: str = "$id"
    ref_stands_alone: bool = False


DRAFT_2020_12 = Dialect("draft 2020-12", Draft202012Validator, DRAFT202012)
_OLDER = {
    "json-schema.org/draft/2019-09/schema": Dialect("draft 2019-09", Draft201909Validator, DRAFT201909),
    "json-schema.org/draft-07/schema": Dialect("draft 7", Draft7Validator, DRAFT7, ref_stands_alone=True),
    "json-schema.org/draft-06/schema": Dialect("draft 6", Draft6Validator, DRAFT6, ref_stands_alone=True),
    "json-schema.org/draft-04/schema": Dialect("draft 4", Draft4Validator, DRAFT4, "id", ref_stands_alone=True),
}
DIALECTS = {
    "json-schema.org/draft/2020-12/schema": DRAFT_2020_12,
    "json-schema.org/schema": DRAFT_2020_12,
    **_OLDER,
}
"""The dialects by the `$schema` that names them, without its scheme and its empty fragment."""


class Fault(NamedTuple):
    """Why a schema cannot be used: the path in it, and the reason as the end of a sentence."""

    path: Path
    reason: str


class _Part(NamedTuple):
    """A schema within a schema: its path, and the resolver of its references."""

    schema: dict[str, JSON]
    path: Path
    resolver: Any


SINGLE = ("additionalProperties", "additionalItems", "items", "contains", "not", "if", "then", "else",
          "propertyNames", "unevaluatedItems", "unevaluatedProperties")  # fmt: skip
"""Keywords that hold a schema."""
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
"""Keywords that hold an array of schemas."""
MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
"""Keywords that hold schemas by name."""
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

_SAME_VALUE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"})
"""Keywords whose schemas check the same value as the schema that has them."""

_WITHOUT_FUNCTION = frozenset({"then", "else", "$defs", "definitions"})
"""Keywords for which the validators have no function of their own, but whose schemas are used."""

BROKEN_REFERENCE = (Unresolvable, LookupError, AttributeError, TypeError, ValueError)
"""The errors of resolving a reference whose target, or something on the way to it, is not a schema."""


def dialect_of(schema: dict[str, JSON]) -> Dialect | None:
    """Return the dialect that `$schema` names, or None where it is unknown; without `$schema`, draft 2020-12 (R34)."""
    name = schema.get("$schema")
    if name is None:
        return DRAFT_2020_12
    if not isinstance(name, str):
        return None
    return DIALECTS.get(name.strip().removeprefix("https://").removeprefix("http://").removesuffix("#"))


class SchemaInspector:
    """Inspects schemas of one dialect; `validator` is the bounded validator class of that dialect."""

    def __init__(self, dialect: Dialect, context: CheckContext) -> None:
        self.validator = bounded_validator(dialect.base, context)
        self._dialect = dialect
        self._context = context
        self._known_keywords = frozenset(dialect.base.VALIDATORS) | _WITHOUT_FUNCTION
        self._meta = self.validator(dict(dialect.base.META_SCHEMA), registry=Registry())

    def find_fault(self, schema: dict[str, JSON]) -> Fault | None:
        """Return the first fault of a schema, or None."""
        try:
            parts = list(self._parts(schema))
        except _FaultError as error:
            return error.fault
        return _find_unbounded_mix(parts) or self._find_endless_part(parts)

    def _parts(self, schema: dict[str, JSON]) -> Iterator[_Part]:
        """Yield every part that a check can reach, each after it has been checked by itself. A part that is referred to
        has its own path, unless it is somewhere that a schema is not expected."""
        pending = [_Part(schema, (), None)]
        referred: list[_Part] = []
        seen: set[int] = set()
        while pending or referred:
            part = pending.pop() if pending else referred.pop()
            if id(part.schema) in seen:
                continue
            seen.add(id(part.schema))
            self._check_part(part)
            if part.resolver is None:
                part = part._replace(resolver=self._root_resolver(schema))
            elif self._dialect.id_key in part.schema:
                part = part._replace(resolver=self._nested_resolver(part))
            yield part
            pending.extend(reversed([child for _, child in self._subschemas(part)]))
            referred.extend(self._referenced_parts(part))

    def _check_part(self, part: _Part) -> None:
        """Raise _FaultError where a part, without the parts in it, is not valid by its dialect."""
        schema, path = part.schema, part.path
        if path and "$schema" in schema:
            raise _FaultError(Fault((*path, "$schema"), "a part of it has a dialect of its own"))
        outline = {key: _outline(key, value) for key, value in schema.items()}
        self._context.effort.start(outline)
        try:
            error = next(self._meta.iter_errors(outline), None)
        except (TooCostlyError, RecursionError):
            raise _FaultError(Fault(path, "it takes too much work to read")) from None
        if error is not None:
            at = (*path, *error.absolute_path)
            reason = f"it is not a valid JSON Schema ({self._dialect.name}): {_describe_error(error)}"
            raise _FaultError(Fault(at, reason))
        if self._is_only_reference(schema):
            return
        for source, at in _patterns(schema):
            try:
                self._context.pattern(source)
            except PatternError as error:
                raise _FaultError(Fault((*path, *at), f"its pattern cannot be used: {error}")) from None

    def _is_only_reference(self, schema: dict[str, JSON]) -> bool:
        return self._dialect.ref_stands_alone and "$ref" in schema

    def _subschemas(self, part: _Part) -> Iterator[tuple[bool, _Part]]:
        """Yield the parts right below a part, each with whether it checks the same value."""
        schema, path, resolver = part
        if self._is_only_reference(schema):
            return
        for keyword, value in schema.items():
            if keyword not in self._known_keywords:
                continue
            same_value = keyword in _SAME_VALUE
            if isinstance(value, dict) and keyword in SINGLE:
                yield same_value, _Part(value, (*path, keyword), resolver)
            elif isinstance(value, list) and keyword in LISTS:
                for i, entry in enumerate(value):
                    if isinstance(entry, dict):
                        yield same_value, _Part(entry, (*path, keyword, i), resolver)
            elif isinstance(value, dict) and keyword in MAPS:
                for name, entry in value.items():
                    if isinstance(entry, dict):
                        yield same_value, _Part(entry, (*path, keyword, name), resolver)

    def _referenced_parts(self, part: _Part) -> Iterator[_Part]:
        """Yield the parts that a part refers to, except those of the library's own metaschemas."""
        for keyword in REFERENCES:
            if keyword not in part.schema or keyword not in self._known_keywords:
                continue
            reference = part.schema[keyword]
            try:
                resolved = part.resolver.lookup(reference)
            except BROKEN_REFERENCE:
                reason = f"it refers to {format_value(reference)}, which is not in it; nothing is fetched"
                raise _FaultError(Fault((*part.path, keyword), reason)) from None
            if isinstance(resolved.contents, dict) and reference.partition("#")[0] not in REGISTRY:
                yield _Part(resolved.contents, (*part.path, keyword), resolved.resolver)

    def _root_resolver(self, schema: dict[str, JSON]) -> Any:
        try:
            resource = self._dialect.specification.create_resource(schema)
            return REGISTRY.resolver_with_root(resource)
        except BROKEN_REFERENCE:
            raise _FaultError(Fault((self._dialect.id_key,), "its identifier cannot be used")) from None

    def _nested_resolver(self, part: _Part) -> Any:
        try:
            return part.resolver.in_subresource(self._dialect.specification.create_resource(part.schema))
        except BROKEN_REFERENCE:
            raise _FaultError(Fault((*part.path, self._dialect.id_key), "its identifier cannot be used")) from None

    def _find_endless_part(self, parts: list[_Part]) -> Fault | None:
        """Return the fault of a part that leads back to itself on the same value: its check would never end."""
        done: set[int] = set()
        for part in parts:
            if id(part.schema) in done:
                continue
            trail: set[int] = {id(part.schema)}
            stack = [(part, self._parts_on_same_value(part))]
            while stack:
                current, children = stack[-1]
                child = next(children, None)
                if child is None:
                    stack.pop()
                    trail.discard(id(current.schema))
                    done.add(id(current.schema))
                elif id(child.schema) in trail:
                    return Fault(child.path, "it refers back to itself without end")
                elif id(child.schema) not in done:
                    trail.add(id(child.schema))
                    stack.append((child, self._parts_on_same_value(child)))
        return None

    def _parts_on_same_value(self, part: _Part) -> Iterator[_Part]:
        yield from (child for same_value, child in self._subschemas(part) if same_value)
        yield from self._referenced_parts(part)


def _find_unbounded_mix(parts: list[_Part]) -> Fault | None:
    """Return the fault of a schema with `unevaluated…` keywords beside patterns or dependent schemas. The library works
    out what is unevaluated by itself: it matches the patterns by backtracking, and follows the schemas without end."""
    names = set[str]().union(*(part.schema for part in parts))
    if names & {"unevaluatedProperties", "unevaluatedItems"} and names & {"patternProperties", "dependentSchemas"}:
        for part in parts:
            for keyword in ("unevaluatedProperties", "unevaluatedItems"):
                if keyword in part.schema:
                    return Fault((*part.path, keyword), "it mixes keywords that cannot be checked in bounded time")
    return None


class _FaultError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


def _describe_error(error: ValidationError) -> str:
    """Return how a schema fails its metaschema, in terms of the schema."""
    place = error.absolute_path
    if not place:
        return f"`{error.validator}` is not met"
    return f"`{place[0]}` cannot {'be' if len(place) == 1 else 'hold'} {format_json(error.instance)}"


def _outline(keyword: str, value: JSON) -> JSON:
    """Return the value of a keyword with every schema in it replaced by an empty one."""
    if isinstance(value, dict):
        if keyword in SINGLE:
            return {}
        if keyword in MAPS:
            return {name: {} if isinstance(entry, dict) else entry for name, entry in value.items()}
    elif isinstance(value, list) and keyword in LISTS:
        return [{} if isinstance(entry, dict) else entry for entry in value]
    return value


def _patterns(schema: dict[str, JSON]) -> Iterator[tuple[str, Path]]:
    if "pattern" in schema:
        yield schema["pattern"], ("pattern",)
    for source in schema.get("patternProperties", ()):
        yield source, ("patternProperties", source)
