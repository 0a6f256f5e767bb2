"""A query as a typed tree: what `parsing` builds, and `compiling` and `writing` read. Plain values; no SQL, no text.

Positions are offsets in the query text, in characters, half open. A pair of parentheses is a node of its own even
around a single term, because parentheses decide which terms speak of one and the same call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from trace_store.store.query.fields import Fact, Field, FieldValue, Presence

Operator: TypeAlias = Literal[":", ">", ">=", "<", "<="]


@dataclass(frozen=True, slots=True)
class OneOf:
    """Equal to one of these, as they stand in the store; several where a wildcard was read against a closed set."""

    values: tuple[FieldValue, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Text with wildcards: the literal parts between the stars. `get_*` is `("get_", "")`."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subtree:
    """A node of a `/`-delimited tree and all below it; the node may have wildcards of its own."""

    node: Pattern


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in microseconds since the epoch, half open: a date is as long as it is coarse. A relative
    time is an instant: `start_us` equals `end_us`."""

    start_us: int
    end_us: int


Value: TypeAlias = OneOf | Pattern | Subtree | Span | Presence | Fact


@dataclass(frozen=True, slots=True)
class Term:
    """`field:a,b` or `field>n`: one of the values holds. `spans` says where each value stands."""

    field: Field
    operator: Operator
    values: tuple[Value, ...]
    spans: tuple[tuple[int, int], ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Words:
    """Full text: a word or a phrase, with `*` at its ends where only a part of a word is given."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Negation:
    """The operand, which the minus stands right before, does not hold."""

    operand: Term | Words | Group | Alternatives


@dataclass(frozen=True, slots=True)
class Group:
    """All operands hold: one and-group. No operands: no condition."""

    operands: tuple[Term | Words | Negation | Group | Alternatives, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """One of the groups holds."""

    groups: tuple[Group, ...]


Node: TypeAlias = Term | Words | Negation | Group | Alternatives


@dataclass(frozen=True, slots=True)
class Query:
    """A query that was understood: its text, and the tree with the whole query as one group or alternatives."""

    text: str
    root: Group | Alternatives
