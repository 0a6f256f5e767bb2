"""Paths in a run document: `messages[4].tool_calls[0].arguments`, `calls[2].response.amount`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

Step: TypeAlias = str | int
"""A key of an object, or an index of an array."""

_STEP = re.compile(r"\[(\d+)\]|\.?([^.\[]+)")


class Path(str):
    """A place in a run document.

    A path is its text, so that it compares, hashes and serialises as one. `steps` are the keys and indexes it leads
    over; one that was built from steps keeps them exactly, also where a key holds a dot or a bracket. Message, tool
    call and call numbers are those of the original arrays (R15).
    """

    @classmethod
    def of(cls, *steps: Step) -> Path:
        """Return the path over these keys and indexes."""
        path = cls("".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix("."))
        path.__dict__["steps"] = steps
        return path

    @classmethod
    def message(cls, index: int) -> Path:
        """Return the path of a message."""
        return _indexed("messages", index)

    @classmethod
    def call(cls, sequence: int) -> Path:
        """Return the path of a logged call, whatever key the log stood under."""
        return _indexed("calls", sequence)

    @classmethod
    def tool_call(cls, message: int, index: int) -> Path:
        """Return the path of a tool call of a message."""
        return _tool_call(message, index)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The keys and indexes that the path leads over."""
        return tuple(int(index) if index else key for index, key in _STEP.findall(self))

    def below(self, steps: Iterable[Step]) -> Path:
        """Return the path that goes on from this one."""
        path = self
        for step in steps:
            path = path / step
        return path

    def __truediv__(self, step: Step) -> Path:
        """Return the path of a member or an element: `path / "arguments"`, `path / 0`."""
        # An import does this many times a run: the text is extended instead of written anew.
        path = Path(f"{self}[{step}]" if isinstance(step, int) else f"{self}.{step}" if self else step)
        path.__dict__["steps"] = (*self.steps, step)
        return path

    @property
    def root(self) -> str | None:
        """The key of the run document that the path begins with; None for the empty path."""
        return str(self.steps[0]) if self.steps else None

    @property
    def call_sequence(self) -> int | None:
        """The sequence of the logged call that the path leads to or into, else None."""
        return self._index_below("calls")

    @property
    def message_index(self) -> int | None:
        """The index of the message that the path leads to or into, else None."""
        return self._index_below("messages")

    @property
    def tool_call_index(self) -> int | None:
        """The index of the tool call, in its message, that the path leads to or into, else None."""
        if self.message_index is None or self.steps[2:3] != ("tool_calls",):
            return None
        index = self.steps[3] if len(self.steps) > 3 else None
        return index if isinstance(index, int) else None

    @property
    def is_whole_message(self) -> bool:
        """Whether the path is that of a message, not of something in it."""
        return self.message_index is not None and len(self.steps) == 2

    def _index_below(self, root: str) -> int | None:
        if len(self.steps) < 2 or self.steps[0] != root:
            return None
        index = self.steps[1]
        return index if isinstance(index, int) else None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(cls, core_schema.str_schema())


@lru_cache(maxsize=8192)  # an import asks for those of the first calls and messages in run after run
def _indexed(root: str, index: int) -> Path:
    return Path.of(root, index)


@lru_cache(maxsize=8192)
def _tool_call(message: int, index: int) -> Path:
    return Path.of("messages", message, "tool_calls", index)
