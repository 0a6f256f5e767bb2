"""What it gains to check values with jsonschema-rs before the bounded validator.

    python -m benchmarks.schema_checks

Checks valid and invalid values against a plain and a rich schema, with and without the quick check, several times in
turn. An invalid value goes through both, so its ratio shows what the quick check costs there.
"""

from __future__ import annotations

import argparse

from benchmarks.stopwatch import Elapsed, best, stopwatch
from trace_store.evidence.schemas.compiler import Schema, SchemaCompiler
from trace_store.model import JSON

REPEATS = 3

PLAIN: dict[str, JSON] = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "n": {"type": "integer"}},
    "required": ["id"],
}
ITEM: dict[str, JSON] = {
    "type": "object",
    "properties": {
        "sku": {"type": "string"},
        "n": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["a", "b", "c"]},
    },
    "required": ["sku"],
    "additionalProperties": False,
}
RICH: dict[str, JSON] = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string", "pattern": "^NK-[0-9]+$"},
        "items": {"type": "array", "uniqueItems": True, "items": ITEM},
        "who": {"oneOf": [{"type": "string"}, {"type": "object", "required": ["id"]}]},
    },
    "required": ["order_id"],
}
ORDER: dict[str, JSON] = {
    "order_id": "NK-12",
    "items": [{"sku": f"s{i}", "n": i + 1, "kind": "a"} for i in range(20)],
    "who": {"id": 4},
}
CASES: list[tuple[str, dict[str, JSON], JSON]] = [
    ("plain, valid", PLAIN, {"id": "a", "n": 5}),
    ("plain, invalid", PLAIN, {"id": 5}),
    ("rich, valid", RICH, ORDER),
    ("rich, invalid", RICH, {**ORDER, "order_id": 5}),
]


def check(schema: Schema, value: JSON, times: int) -> Elapsed:
    """Check a value several times."""
    with stopwatch() as elapsed:
        for _ in range(times):
            schema.find_violation(value)
    return elapsed


def main() -> None:
    """Print the processor time of each case with and without the quick check, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checks", type=int, default=1_000)
    times = parser.parse_args().checks
    for name, definition, value in CASES:
        quick, bounded = SchemaCompiler().compile(definition), SchemaCompiler().compile(definition)
        assert isinstance(quick, Schema) and isinstance(bounded, Schema)
        bounded._is_valid = None
        with_quick, without = [], []
        for _ in range(REPEATS):
            with_quick.append(check(quick, value, times))
            without.append(check(bounded, value, times))
        quick_us, bounded_us = (best(elapsed).cpu_s / times * 1e6 for elapsed in (with_quick, without))
        print(f"{name:15} {quick_us:8.1f} µs with, {bounded_us:8.1f} µs without: {bounded_us / quick_us:5.1f} ×")


if __name__ == "__main__":
    main()
