"""Fast checks of common schemas by jsonschema-rs (R34).

Nothing can interrupt jsonschema-rs, so it only gets schemas whose work for each value is bounded beforehand: without
recursion, and small with every reference expanded. Only its "valid" counts; anything else goes to the bounded
validator, which decides and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import jsonschema_rs

from trace_store.evidence.schemas.bounded_validators import CheckContext
from trace_store.evidence.schemas.effort import TooCostlyError
from trace_store.evidence.schemas.inspection import LISTS, MAPS, SINGLE, Dialect
from trace_store.model import JSON

QuickCheck: TypeAlias = Callable[[JSON], bool]

MAX_PARTS = 500
"""How many parts a schema may have for a quick check, with every reference expanded: it bounds the work for a value."""

_VALIDATORS: dict[str, type[jsonschema_rs.Validator]] = {
    "draft 2020-12": jsonschema_rs.Draft202012Validator,
    "draft 2019-09": jsonschema_rs.Draft201909Validator,
    "draft 7": jsonschema_rs.Draft7Validator,
    "draft 6": jsonschema_rs.Draft6Validator,
}

_DEFINITIONS = frozenset({"$defs", "definitions"})
_NOT_QUICK = frozenset({"$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "$recursiveAnchor",
                        "patternProperties", "unevaluatedItems", "unevaluatedProperties", "multipleOf"})  # fmt: skip
"""Keywords that only the bounded validator checks: references by name, patterns of keys, keywords that look at a value
again, and multiples, which jsonschema-rs may round."""


class _NotQuickError(Exception):
    """A schema that only the bounded validator may check."""


def quick_check(schema: dict[str, JSON], dialect: Dialect, context: CheckContext) -> QuickCheck | None:
    """Return a function that returns whether a value is valid against a schema; None where there is no quick check."""
    validator = _VALIDATORS.get(dialect.name)
    if validator is None:
        return None
    try:
        _PartCounter(schema, dialect).count(schema, ())
        compiled = validator(
            schema, validate_formats=False, offline=True, keywords={"pattern": _pattern_keyword(context)}
        )
    except (_NotQuickError, RecursionError, ValueError):  # ValueError: what jsonschema-rs does not compile
        return None
    return compiled.is_valid


def _pattern_keyword(context: CheckContext) -> type[jsonschema_rs.KeywordValidator]:
    """Return the keyword `pattern` for jsonschema-rs, matched by RE2: its own engine reads another dialect of patterns,
    and has no bound for a long text."""

    class PatternKeyword:
        def __init__(self, parent_schema: dict[str, Any], value: str, schema_path: list[str | int]) -> None:
            self._pattern = context.pattern(value)

        def validate(self, instance: JSON) -> None:
            if isinstance(instance, str):
                try:
                    matches = self._pattern.search(instance, context.effort)
                except TooCostlyError:
                    matches = False
                if not matches:
                    raise ValueError

    return PatternKeyword


class _PartCounter:
    """Counts the parts of a schema, with every reference expanded. Raises _NotQuickError for too many of them."""

    def __init__(self, root: dict[str, JSON], dialect: Dialect) -> None:
        self._root = root
        self._ref_stands_alone = dialect.ref_stands_alone
        self._parts = 0

    def count(self, schema: JSON, references: tuple[str, ...]) -> None:
        """Count a part and those in it. `references` are those that led to it: one that comes twice is a recursion."""
        self._add(1)
        if not isinstance(schema, dict):
            return
        if not _NOT_QUICK.isdisjoint(schema):
            raise _NotQuickError
        if "$ref" in schema:
            self._count_reference(schema["$ref"], references)
            if self._ref_stands_alone:
                return
        for keyword in ("enum", "const"):
            if keyword in schema:
                self._add_values(schema[keyword])
        for keyword, value in schema.items():
            if keyword in MAPS and keyword not in _DEFINITIONS:
                parts = list(value.values())
            elif keyword in LISTS and isinstance(value, list):
                parts = value
            else:
                parts = [value] if keyword in SINGLE else []
            for part in parts:
                self.count(part, references)

    def _add(self, parts: int) -> None:
        self._parts += parts
        if self._parts > MAX_PARTS:
            raise _NotQuickError

    def _add_values(self, value: JSON) -> None:
        """Count a value and those in it, which jsonschema-rs compares with each instance one after another."""
        self._add(1)
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            self._add_values(inner)

    def _count_reference(self, reference: str, references: tuple[str, ...]) -> None:
        if reference in references or not reference.startswith("#/"):
            raise _NotQuickError
        target: JSON = self._root
        for step in reference[2:].split("/"):
            if not isinstance(target, dict) or step not in target or "%" in step or "~" in step:
                raise _NotQuickError
            target = target[step]
        if not isinstance(target, dict | bool):
            raise _NotQuickError
        self.count(target, (*references, reference))
