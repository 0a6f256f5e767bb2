"""The proxy log (R16-R23): its key in the body, the names of its fields, and the calls that are read from it.

A call is never dropped: an entry that cannot be read is kept as an unreadable call. A known key of the wrong type is
read as null, warns, and stays under its own key in `extra`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from trace_store.contract.actors import Catalog
from trace_store.contract.arguments import canonical, decode_arguments
from trace_store.contract.envelopes import envelope_of
from trace_store.contract.fields import WarningCollector, as_string, take, take_identifier, take_time, take_typed
from trace_store.contract.outcomes import error_class_of, is_retryable, is_stale_token, outcome_of
from trace_store.contract.scalars import duration, integer, kind_of
from trace_store.contract.times import Span, call_span
from trace_store.contract.vocabulary import SOURCES
from trace_store.model import JSON, ActorStatus, Call, Lane, Path

LOG_KEYS = ("proxy_calls", "calls", "proxy_log", "proxy_call_logs", "tool_call_log")
"""The keys for the log of a body, the canonical one first (R16)."""

TOOL_NAME_KEYS = ("tool_name", "name", "tool")
ARGUMENTS_KEYS = ("arguments", "args", "input")
ACTOR_KEYS = ("actor_id", "actor")
ACTOR_HEADER = "x-pipelines-actor-id"
STATUS_ALIASES = ("http_status", "status")
STARTED_KEYS = ("started_at", "timestamp", "occurred_at")
DATA_KEYS = ("kind", "intent", "operation")
"""The keys that together make a call one of the data lane, and set its calls apart from each other (R16, R24)."""

LANES: dict[str, Lane] = {"tool": "tool", "data": "data", "telemetry": "telemetry"}

ENTRY_KEY = "entry"
"""The key in `extra` for an entry of the log that is not an object."""


@dataclass(slots=True)
class Log:
    """The calls of a run, and for each of them what the run document does not have: the entry that it was read from,
    the attempt number in the entry, and the time when it ran (None if the start is unknown)."""

    entries: list[JSON] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    attempts: list[int | None] = field(default_factory=list)
    spans: list[Span | None] = field(default_factory=list)
    _arguments: dict[int, bytes] = field(default_factory=dict, repr=False)

    def canonical_arguments(self, sequence: int) -> bytes:
        """Return the canonical text of the arguments, the same for equal arguments (R24); computed once a call."""
        arguments = self._arguments.get(sequence)
        if arguments is None:
            arguments = self._arguments[sequence] = canonical(self.calls[sequence].arguments)
        return arguments

    def equality_key(self, sequence: int) -> Hashable:
        """Return a key that only equal calls share (R24): lane, actor, tool, arguments. Unreadable calls share none."""
        call = self.calls[sequence]
        if is_unreadable(call):
            return sequence
        operation = canonical([call.extra.get(key) for key in DATA_KEYS]) if call.lane == "data" else None
        return call.lane, call.actor_id, call.tool_name, self.canonical_arguments(sequence), operation


def take_log(body: dict[str, JSON], warnings: WarningCollector) -> list[JSON] | None:
    """Take the log out of `body`; return None where there is none.

    An empty array is a log. Anything else that is not an array warns at its own key, and stays (R16).
    """
    for key in LOG_KEYS:
        entries = body.get(key)
        if isinstance(entries, list):
            del body[key]
            return entries
        if entries is not None:
            warnings.add_wrong_type(Path.of(key), "nulled", "an array of calls", entries)
    return None


def read_log(entries: list[JSON], catalog: Catalog, warnings: WarningCollector) -> Log:
    """Return the calls of a log in its order, each still a chain of its own."""
    log = Log(entries)
    for i, entry in enumerate(entries):
        _read_call(log, i, entry, catalog, warnings)
    return log


def is_unreadable(call: Call) -> bool:
    """Return whether a call of the tool lane names no tool: it is kept, and pairs with nothing (R16)."""
    return call.tool_name is None and call.lane == "tool"


def _read_call(log: Log, i: int, entry: JSON, catalog: Catalog, warnings: WarningCollector) -> None:
    path = Path.call(i)
    rest: dict[str, JSON] = entry.copy() if isinstance(entry, dict) else {ENTRY_KEY: entry}
    lane = _take_lane(rest, path, warnings)
    tool_name = _take_tool_name(rest)
    is_readable = tool_name is not None or lane != "tool"
    if not is_readable:
        why = "it names no tool" if isinstance(entry, dict) else f"it is {kind_of(entry)}, not an object"
        warnings.add(path, "noted", f"the call cannot be read: {why}")
    arguments, arguments_decoded = decode_arguments(take(rest, ARGUMENTS_KEYS)[1])
    response = rest.pop("response", None)
    error = rest.pop("error", None)
    source = _take_source(rest)
    status = _take_status(rest, path, warnings)
    own_class = take_typed(rest, "error_class", as_string, "a string", path, warnings)
    error_class = error_class_of(own_class, error, rest, response, status)
    outcome = outcome_of(source, status, error_class, error, response, is_readable=is_readable)
    envelope = envelope_of(error, response)
    actor_id, actor_status = _take_actor(rest, catalog)
    started = take_time(rest, STARTED_KEYS, path, warnings)
    log.attempts.append(_read_attempt(rest, path, warnings))
    latency_ms = take_typed(rest, "latency_ms", duration, "a finite number of 0 or more", path, warnings)
    log.spans.append(call_span(None if started is None else started.us, latency_ms))
    log.calls.append(
        Call(
            sequence=i,
            lane=lane,
            tool_name=tool_name,
            arguments=arguments,
            arguments_decoded=arguments_decoded,
            response=response,
            source=source,
            family=None if source is None else SOURCES.get(source),
            latency_ms=latency_ms,
            matched_rule_index=take_typed(rest, "matched_rule_index", integer, "an integer", path, warnings),
            validation=rest.pop("validation", None),
            status_code=status,
            error=error,
            error_class=error_class,
            envelope=None if envelope is None else envelope[1],
            outcome=outcome,
            retryable=is_retryable(outcome, status, error_class, lane),
            stale_token=is_stale_token(status, error_class),
            actor_id=actor_id,
            actor_status=actor_status,
            started_at=None if started is None else started.text,
            idempotency_key=take_identifier(rest, "idempotency_key", path, warnings),
            chain=i,
            attempt=1,
            extra=rest,
        )
    )


def _take_lane(rest: dict[str, JSON], path: Path, warnings: WarningCollector) -> Lane:
    stated = rest.pop("lane", None)
    if stated is not None:
        lane = LANES.get(stated) if isinstance(stated, str) else None
        if lane is not None:
            return lane
        rest["lane"] = stated
        warnings.add(path / "lane", "changed", f"the lane must be one of {', '.join(LANES)}")
    return "tool" if None in map(rest.get, DATA_KEYS) else "data"


def _take_tool_name(rest: dict[str, JSON]) -> str | None:
    key, value = take(rest, TOOL_NAME_KEYS)
    if isinstance(value, str) and value:
        return value
    if value is not None:
        rest[key] = value
    return None


def _take_source(rest: dict[str, JSON]) -> str | None:
    source = rest.pop("source", None)
    if source is None or isinstance(source, str):
        return source
    rest["source"] = source  # R17: any other value is kept, and flagged as an unknown source
    return str(source)


def _take_status(rest: dict[str, JSON], path: Path, warnings: WarningCollector) -> int | None:
    if rest.get("status_code") is not None:
        return take_typed(rest, "status_code", integer, "an integer", path, warnings)
    rest.pop("status_code", None)
    for alias in STATUS_ALIASES:
        status = integer(rest.get(alias))
        if status is not None:  # R16: a `status` that is a word is another thing
            del rest[alias]
            return status
    return None


def _take_actor(rest: dict[str, JSON], catalog: Catalog) -> tuple[str | None, ActorStatus]:
    # R16: never from `arguments`, where a tool may have an actor_id of its own
    key, value = take(rest, ACTOR_KEYS)
    if value is None:
        key, value = take(rest, tuple(filter(_is_actor_header, rest)))
    if value is None and isinstance(headers := rest.get("headers"), dict):
        return catalog.attribute(take(headers.copy(), tuple(filter(_is_actor_header, headers)))[1])
    if value is not None and not isinstance(value, str):
        rest[key] = value
    return catalog.attribute(value)


def _is_actor_header(key: str) -> bool:
    return len(key) == len(ACTOR_HEADER) and key.lower() == ACTOR_HEADER


def _read_attempt(rest: dict[str, JSON], path: Path, warnings: WarningCollector) -> int | None:
    stated = rest.get("attempt")
    if stated is None:
        return None
    number = integer(stated)
    if number is None:
        warnings.add_wrong_type(path / "attempt", "noted", "an integer", stated)
    return number
