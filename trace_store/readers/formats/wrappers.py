"""Objects that hold runs instead of being one: `{"runs": […]}`, `{"items": […]}`, and check rollups (R41)."""

from __future__ import annotations

from trace_store.model import JSON
from trace_store.readers.formats.registry import is_run
from trace_store.readers.parsing.parse import parse
from trace_store.readers.parsing.splitting import NO_WALK, Outline, Splitter, Walk
from trace_store.readers.rejections import MalformedInputError

LISTS = ("runs", "items")
SCENARIOS = "scenarios"
LISTS_WALK = Walk(dict.fromkeys(LISTS, NO_WALK))
HOLDING = Walk(LISTS_WALK | {SCENARIOS: LISTS_WALK})
"""The members that hold runs, or scenarios that do."""

ROLLUP_FACTS = {"check_id": "check_id"}
"""The facts of a rollup, and of one of its scenarios, that are stamped on runs: their key, and the run body's."""
SCENARIO_FACTS = {"task_id": "task_id", "name": "scenario", "status": "status", "judge_passed": "judge_passed"}

_MAX_FACT = 1 << 16  # bytes


def is_wrapper(value: JSON) -> bool:
    """Return whether the value is to be opened: it holds an array of runs, and is not a run itself."""
    return isinstance(value, dict) and any(isinstance(value.get(name), list) for name in HOLDING) and not is_run(value)


def sketch(splitter: Splitter, outline: Outline) -> dict[str, JSON]:
    """Return an object by its outline: small values as they are, large ones as an empty array or object."""
    value: dict[str, JSON] = {}
    for member in outline.members:
        opening = splitter.byte(member.start)
        end = member.end
        if end is not None and end - member.start <= _MAX_FACT and member.name not in HOLDING:
            try:
                value[member.name] = parse(splitter.read(member.start, end)).value
            except MalformedInputError:
                value[member.name] = None
        else:
            value[member.name] = [] if opening == ord("[") else {} if opening == ord("{") else ""
    return value


def facts(value: dict[str, JSON], names: dict[str, str]) -> dict[str, JSON]:
    """Return the facts of `value` to stamp, under the names that a run body has for them."""
    return {stamp: value[name] for name, stamp in names.items() if value.get(name) is not None}
