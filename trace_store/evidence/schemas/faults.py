"""Why a schema cannot be checked against: it is inspected as a whole before any value is checked against it (R34).

A schema is untrusted. It must be one by the rules of its dialect, hold together without anything from elsewhere, come
to an end, and have patterns that can be matched in bounded time. Each of its parts is looked at by itself, so that no
depth and no number of parts is too much.
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
from trace_store.evidence.schemas.effort import TooCostlyError
from trace_store.evidence.schemas.guarded import Guard
from trace_store.evidence.schemas.patterns import PatternError
from trace_store.model import JSON

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A version of JSON Schema. In the older ones a `$ref` stands alone: what is beside it does not count."""

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
    """What is wrong with a schema: where in it, and the end of a sentence about it."""

    path: Path
    reason: str


class _Part(NamedTuple):
    """A schema within a schema: where it stands, and how references in it resolve."""

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

_IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"})
"""Keywords whose schemas look at the very value that the schema itself looks at."""

_BY_IF = frozenset({"then", "else", "$defs", "definitions"})
"""Keywords that the validators have no function for, and that count none the less."""

BROKEN_REFERENCE = (Unresolvable, LookupError, AttributeError, TypeError, ValueError)
"""What resolving a reference ends in when its target, or the way to it, is no schema."""


def dialect_of(schema: dict[str, JSON]) -> Dialect | None:
    """The dialect that `$schema` names; None where it is an unknown one. Without a name it is draft 2020-12 (R34)."""
    named = schema.get("$schema")
    if named is None:
        return DRAFT_2020_12
    if not isinstance(named, str):
        return None
    return DIALECTS.get(named.strip().removeprefix("https://").removeprefix("http://").removesuffix("#"))


class SchemaInspector:
    """Looks schemas of one dialect over. Shares the guard of its import, and the guarded validator of the dialect."""

    def __init__(self, dialect: Dialect, guard: Guard, validator: type[Validator]) -> None:
        self._dialect = dialect
        self._guard = guard
        self._knows = frozenset(dialect.base.VALIDATORS) | _BY_IF
        self._meta = validator(dict(dialect.base.META_SCHEMA), registry=Registry())

    def fault(self, schema: dict[str, JSON]) -> Fault | None:
        """The first thing that is wrong with a schema, or None."""
        try:
            parts = list(self._parts(schema))
        except _FaultError as error:
            return error.fault
        return self._mixed(parts) or self._endless(parts)

    def _parts(self, schema: dict[str, JSON]) -> Iterator[_Part]:
        """Every part that a check can come to, after it has been found in order by itself. A part that is referred to
        comes by its own path, unless it stands where no part is looked for."""
        open_ = [_Part(schema, (), None)]
        referred: list[_Part] = []
        seen: set[int] = set()
        while open_ or referred:
            part = open_.pop() if open_ else referred.pop()
            if id(part.schema) in seen:
                continue
            seen.add(id(part.schema))
            self._check_alone(part)
            if part.resolver is None:
                part = part._replace(resolver=self._root_resolver(schema))
            elif self._dialect.id_key in part.schema:
                part = part._replace(resolver=self._within(part))
            yield part
            open_.extend(reversed([child for _, child in self._inner(part)]))
            referred.extend(self._targets(part))

    def _check_alone(self, part: _Part) -> None:
        """Raises _FaultError where one part breaks the rules of the dialect; the parts within it are left out."""
        schema, path = part.schema, part.path
        if path and "$schema" in schema:
            raise _FaultError(Fault((*path, "$schema"), "a part of it is written in a dialect of its own"))
        outline = {key: _outline(key, value) for key, value in schema.items()}
        self._guard.effort.start(outline)
        try:
            error = next(self._meta.iter_errors(outline), None)
        except (TooCostlyError, RecursionError):
            raise _FaultError(Fault(path, "it takes too much work to read")) from None
        if error is not None:
            at = (*path, *error.absolute_path)
            raise _FaultError(Fault(at, f"it is no JSON Schema of {self._dialect.name}: {_breach(error)}"))
        if self._stands_alone(schema):
            return
        for source, at in _patterns(schema):
            try:
                self._guard.pattern(source)
            except PatternError as error:
                raise _FaultError(Fault((*path, *at), f"its pattern cannot be used: {error}")) from None

    def _stands_alone(self, schema: dict[str, JSON]) -> bool:
        return self._dialect.ref_stands_alone and "$ref" in schema

    def _inner(self, part: _Part) -> Iterator[tuple[bool, _Part]]:
        """The parts right below a part, and whether they look at the same value."""
        schema, path, resolver = part
        if self._stands_alone(schema):
            return
        for keyword, value in schema.items():
            if keyword not in self._knows:
                continue
            in_place = keyword in _IN_PLACE
            if isinstance(value, dict) and keyword in SINGLE:
                yield in_place, _Part(value, (*path, keyword), resolver)
            elif isinstance(value, list) and keyword in LISTS:
                for i, entry in enumerate(value):
                    if isinstance(entry, dict):
                        yield in_place, _Part(entry, (*path, keyword, i), resolver)
            elif isinstance(value, dict) and keyword in MAPS:
                for name, entry in value.items():
                    if isinstance(entry, dict):
                        yield in_place, _Part(entry, (*path, keyword, name), resolver)

    def _targets(self, part: _Part) -> Iterator[_Part]:
        """The parts that a part refers to; those of the metaschemas, which come with the library, are sound."""
        for keyword in REFERENCES:
            if keyword not in part.schema or keyword not in self._knows:
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

    def _within(self, part: _Part) -> Any:
        try:
            return part.resolver.in_subresource(self._dialect.specification.create_resource(part.schema))
        except BROKEN_REFERENCE:
            raise _FaultError(Fault((*part.path, self._dialect.id_key), "its identifier cannot be used")) from None

    def _mixed(self, parts: list[_Part]) -> Fault | None:
        """Keywords about what others left over are worked out by the library itself, past the guard: with patterns by
        backtracking, with dependent schemas without end. They are only checked without those."""
        names = set[str]().union(*(part.schema for part in parts))
        if names & {"unevaluatedProperties", "unevaluatedItems"} and names & {"patternProperties", "dependentSchemas"}:
            for part in parts:
                for keyword in ("unevaluatedProperties", "unevaluatedItems"):
                    if keyword in part.schema:
                        return Fault((*part.path, keyword), "it mixes keywords that cannot be checked in bounded time")
        return None

    def _endless(self, parts: list[_Part]) -> Fault | None:
        """A part that leads to itself without going into the value would never end."""
        done: set[int] = set()
        for part in parts:
            if id(part.schema) in done:
                continue
            trail: set[int] = {id(part.schema)}
            open_ = [(part, self._in_place(part))]
            while open_:
                current, children = open_[-1]
                child = next(children, None)
                if child is None:
                    open_.pop()
                    trail.discard(id(current.schema))
                    done.add(id(current.schema))
                elif id(child.schema) in trail:
                    return Fault(child.path, "it leads back to itself without end")
                elif id(child.schema) not in done:
                    trail.add(id(child.schema))
                    open_.append((child, self._in_place(child)))
        return None

    def _in_place(self, part: _Part) -> Iterator[_Part]:
        yield from (child for in_place, child in self._inner(part) if in_place)
        yield from self._targets(part)


class _FaultError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


def _breach(error: ValidationError) -> str:
    """What a schema breaks in its metaschema, in the words of the schema."""
    place = error.absolute_path
    if not place:
        return f"`{error.validator}` is not met"
    return f"`{place[0]}` cannot {'be' if len(place) == 1 else 'hold'} {format_json(error.instance)}"


def _outline(keyword: str, value: JSON) -> JSON:
    """A keyword's value with every schema in it emptied."""
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
