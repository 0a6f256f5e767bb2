"""The `metadata` of a run (R13): an object of which five keys are known, and the rest opaque."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from trace_store.contract.fields import text
from trace_store.contract.scalars import count, duration
from trace_store.contract.warnings import WarningCollector
from trace_store.model import JSON, Path


class MetadataKey(NamedTuple):
    """A known key: its type in words, with the article, and what reads it (None: of the wrong type)."""

    expected: str
    read: Callable[[JSON], object | None]


METADATA_KEYS: Mapping[str, MetadataKey] = {
    "model": MetadataKey("a string", text),
    "system_prompt_id": MetadataKey("a string", text),
    "total_input_tokens": MetadataKey("an integer of 0 or more", count),
    "total_output_tokens": MetadataKey("an integer of 0 or more", count),
    "agent_runtime_ms": MetadataKey("a finite number of 0 or more", duration),
}


def read_metadata(value: dict[str, JSON], warnings: WarningCollector) -> dict[str, JSON]:
    """The metadata as it stands; a known key of the wrong type stays where it is, and warns."""
    for key, known in METADATA_KEYS.items():
        entry = value.get(key)
        if entry is not None and known.read(entry) is None:
            warnings.add_wrong_type(Path.of("metadata", key), "noted", known.expected, entry)
    return value
