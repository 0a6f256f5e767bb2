"""What a reviewer says of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

Verdict: TypeAlias = Literal["pass", "fail", "unsure"]

REVIEW_FIELDS = ("verdict", "actor_id", "step", "failure_mode", "note", "tags", "reviewer")
"""The fields of a Review that its reviewer fills in; the store sets the rest."""

REVIEW_TEXTS = tuple(name for name in REVIEW_FIELDS if name != "tags")
"""Those of them that are texts."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer's verdict on a run: the responsible actor, the path of the decisive step, how the run failed.

    `reviewed_at`, `stale` (the run has changed since) and `version` (counted from 1 for each run) are set by the
    store. Raises ValueError for any other verdict.
    """

    verdict: Verdict | None = None
    actor_id: str | None = None
    step: str | None = None
    failure_mode: str | None = None
    note: str | None = None
    reviewer: str | None = None
    tags: tuple[str, ...] = field(default=())
    reviewed_at: str | None = None
    stale: bool = False
    version: int = 0

    def __post_init__(self) -> None:
        if self.verdict not in (None, *get_args(Verdict)):
            raise ValueError(f"{self.verdict!r} is not a verdict")
