"""The text after a field's operator -> a value of the field's kind, or an error that says what was meant."""

from __future__ import annotations

import math
import re
from calendar import isleap, monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from fnmatch import fnmatchcase

from trace_store.errors import QueryError
from trace_store.store.query.fields import Fact, Field, Kind, Presence, closest
from trace_store.store.query.tree import OneOf, Operator, Pattern, Span, Subtree, Value

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND_US = 1_000_000
_DAY_US = 86_400 * _SECOND_US
_UNITS_US = {"m": 60 * _SECOND_US, "h": 3_600 * _SECOND_US, "d": _DAY_US, "w": 7 * _DAY_US}

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_RELATIVE = re.compile(r"-(\d{1,6})([mhdw])", re.ASCII)
_DATE = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d)(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d{1,6})\d*)?)?)?"
    r"(?P<offset>Z|[+-]\d\d:?\d\d)?)?)?)?",
    re.ASCII,
)
LONGEST_PATTERN = 1000
"""Characters of a value with wildcards: SQLite refuses patterns beyond 50,000 bytes."""

_FEW = 10
"""Values that an error lists in full."""

_FOREIGN_QUOTES = tuple("'‘’“”„«»")


@dataclass(frozen=True, slots=True)
class ValueText:
    """One value as the query has it: the literal parts between its stars, whether none of it was quoted, its text and
    its position."""

    parts: tuple[str, ...]
    bare: bool
    text: str
    start: int
    end: int

    @property
    def plain(self) -> str | None:
        """Return the text without quotes; None with a wildcard."""
        return self.parts[0] if len(self.parts) == 1 else None

    @property
    def presence(self) -> Presence | None:
        """Return the presence that `*` and `none` stand for, unquoted."""
        if not self.bare:
            return None
        if len(self.parts) > 1 and not any(self.parts):
            return Presence.ANY
        return Presence.NONE if self.parts == ("none",) else None


def read_value(field: Field, operator: Operator, value_text: ValueText, now: datetime) -> Value:
    """Return the value of `field` that the text means. Raises QueryError."""
    if value_text.bare and value_text.text.startswith(_FOREIGN_QUOTES):
        raise QueryError(
            f"{value_text.text[0]} does not quote", position=value_text.start, hint=f'write {field.name}{operator}"…"'
        )
    if len(value_text.parts) > 1 and len(value_text.text) > LONGEST_PATTERN:
        raise QueryError(
            f"a pattern of {len(value_text.text)} characters",
            position=value_text.start,
            hint=f"at most {LONGEST_PATTERN}",
        )
    if value_text.presence is None:
        return _READERS[field.kind](field, operator, value_text, now)
    if operator != ":":
        raise _expected(field, operator, value_text)
    if value_text.presence is Presence.NONE and field.always:
        options = f": it is {_enumerate(field)}" if field.values else ""
        raise QueryError(f"{field.name} is never none{options}", position=value_text.start)
    return value_text.presence


def _closed(field: Field, operator: Operator, value_text: ValueText, now: datetime) -> Value:
    if value_text.plain is not None and value_text.plain in field.values:
        meaning = field.values[value_text.plain]
        return meaning if isinstance(meaning, Presence | Fact) else OneOf((meaning,))
    if value_text.plain is None:
        matching = tuple(
            meaning
            for name, meaning in field.values.items()
            if not isinstance(meaning, Presence | Fact) and matches_pattern(value_text.parts, name)
        )
        if matching:
            return OneOf(matching)
    close = closest("".join(value_text.parts), field.values)
    hints = [f"did you mean {close[0]}?"] if close else []
    if len(field.values) <= _FEW:
        hints.append(f"{field.name} is {_enumerate(field)}")
    elif not close:
        hints.append(f"for example {field.example}; the field table lists all {len(field.values)}")
    raise QueryError(f"{field.name} has no value “{value_text.text}”", position=value_text.start, hint=" ".join(hints))


def _text(field: Field, operator: Operator, value_text: ValueText, now: datetime) -> Value:
    if value_text.plain is not None:
        return OneOf(field.stored_values(value_text.plain))
    parts = value_text.parts
    if field.tree and len(parts) > 2 and parts[-2:] == ("", "") and parts[-3].endswith("/"):
        return Subtree(Pattern((*parts[:-3], parts[-3][:-1])))
    return Pattern(parts)


def _number(field: Field, operator: Operator, value_text: ValueText, now: datetime) -> Value:
    text = value_text.plain or ""
    if _WHOLE.fullmatch(text):
        return OneOf((int(text),))
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(number):
        raise _expected(field, operator, value_text)
    return OneOf((number,))


def _time(field: Field, operator: Operator, value_text: ValueText, now: datetime) -> Value:
    text = value_text.plain or ""
    if relative := _RELATIVE.fullmatch(text):
        if operator == ":":
            raise QueryError(
                f"{text} is an instant", position=value_text.start, hint=f"write {field.name}>{text} for the time since"
            )
        instant = _since_epoch(now) - int(relative[1]) * _UNITS_US[relative[2]]
        return Span(instant, instant)
    date = _DATE.fullmatch(text)
    span = _span(date) if date else None
    if span is None:
        raise _expected(field, operator, value_text)
    return span


def _span(date: re.Match[str]) -> Span | None:
    """Return the stretch that a date names, as coarse as the date; None for one that is on no calendar."""
    year, month = int(date["year"]), int(date["month"] or 1)
    try:
        start = _since_epoch(
            datetime(
                year, month, int(date["day"] or 1), int(date["hour"] or 0), int(date["minute"] or 0),
                int(date["second"] or 0), int((date["fraction"] or "").ljust(6, "0")), tzinfo=_zone(date["offset"]),
            )
        )  # fmt: skip
    except ValueError:
        return None
    if date["fraction"]:
        length = 10 ** (6 - len(date["fraction"]))
    elif date["second"]:
        length = _SECOND_US
    elif date["minute"]:
        length = _UNITS_US["m"]
    elif date["hour"]:
        length = _UNITS_US["h"]
    elif date["day"]:
        length = _DAY_US
    elif date["month"]:
        length = monthrange(year, month)[1] * _DAY_US
    else:
        length = (366 if isleap(year) else 365) * _DAY_US
    return Span(start, start + length)


def _zone(offset: str | None) -> timezone:
    """Return the zone of an offset; a time without one is taken as UTC (R31)."""
    if offset is None or offset == "Z":
        return UTC
    distance = timedelta(hours=int(offset[1:3]), minutes=int(offset[-2:]))
    return timezone(-distance if offset[0] == "-" else distance)


def _since_epoch(time: datetime) -> int:
    return (time - _EPOCH) // timedelta(microseconds=1)


def _expected(field: Field, operator: Operator, value_text: ValueText) -> QueryError:
    expectation = "a number" if field.kind is Kind.NUMBER else "a date or a time"
    hint = f"for example {field.example}"
    if value_text.text.startswith((">", "<", "=")):
        hint = f"did you mean {field.name}{value_text.text}?"
    elif value_text.presence is not None:
        hint = f"did you mean {field.name}:{value_text.text}?"
    return QueryError(
        f"{field.name}{operator} takes {expectation}, not “{value_text.text}”", position=value_text.start, hint=hint
    )


def matches_pattern(parts: tuple[str, ...], name: str) -> bool:
    """Return whether `name` matches the literal parts between stars, as the database matches them."""
    return fnmatchcase(name, "*".join(re.sub(r"([*?[])", r"[\1]", part) for part in parts))


def _enumerate(field: Field) -> str:
    names = list(field.values)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


_READERS: dict[Kind, Callable[[Field, Operator, ValueText, datetime], Value]] = {
    Kind.CLOSED: _closed,
    Kind.FLAG: _closed,
    Kind.TEXT: _text,
    Kind.NUMBER: _number,
    Kind.TIME: _time,
}
