"""What an import did, file by file: counts of everything, and the first of what a person has to look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

import orjson
from pydantic import TypeAdapter

from trace_store.model import JSON

MOST_ENTRIES = 1_000
"""Entries that a report lists of each sort; its counts tell how many there are."""

COUNTS = ("size_bytes", "imported", "updated", "replaced", "unchanged", "rejected", "warnings", "redactions", "skipped")
"""What is added up over files."""


@dataclass(frozen=True, slots=True)
class RejectedDocument:
    """A document that was not imported (R43): where, a stable kind, why, and what to do."""

    place: str
    kind: str
    reason: str
    hint: str


FIRST_PLACES = 3


def group_rejections(rejections: Iterable[RejectedDocument]) -> list[RejectedDocument]:
    """Return one rejection for each reason, in the order of their first places: its place names the first few, and how
    many more there are."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for one in rejections:
        places.setdefault((one.kind, one.reason, one.hint), []).append(one.place)
    return [RejectedDocument(_join_places(listed), *same) for same, listed in places.items()]


def _join_places(places: list[str]) -> str:
    first, more = ", ".join(places[:FIRST_PLACES]), len(places) - FIRST_PLACES
    return f"{first} and {more:,} more" if more > 0 else first


@dataclass(frozen=True, slots=True)
class WarnedRun:
    """A soft warning that the import found in a run (R14). `path` is null where it concerns the whole run."""

    run_id: str
    path: str | None
    reason: str


@dataclass(slots=True)
class FileReport:
    """The import of one file. Each document is `imported`, `updated`, `unchanged` or `rejected`; those of `updated`
    that this file itself had brought are `replaced` too (R42). `skipped` counts members of an archive that are no
    files of runs. The lists are cut at `MOST_ENTRIES`. `seconds`: reading and writing, without the commit."""

    file: str
    size_bytes: int = 0
    seconds: float = 0.0
    imported: int = 0
    updated: int = 0
    replaced: int = 0
    unchanged: int = 0
    rejected: int = 0
    warnings: int = 0
    redactions: int = 0
    skipped: int = 0
    rejections: list[RejectedDocument] = field(default_factory=list)
    warned: list[WarnedRun] = field(default_factory=list)
    skipped_names: list[str] = field(default_factory=list)

    @property
    def documents(self) -> int:
        """Return the number of documents, rejected ones included."""
        return self.imported + self.updated + self.unchanged + self.rejected

    @property
    def mb_per_second(self) -> float:
        """Return the megabytes of the file on disk that were read in a second."""
        return self.size_bytes / 1e6 / self.seconds if self.seconds else 0.0

    def reject(self, place: str, kind: str, reason: str, hint: str) -> None:
        """Count a rejection, and list it while there is room."""
        self.rejected += 1
        if len(self.rejections) < MOST_ENTRIES:
            self.rejections.append(RejectedDocument(place, kind, reason, hint))

    def warn(self, run_id: str, path: str | None, reason: str) -> None:
        """Count a warning, and list it while there is room."""
        self.warnings += 1
        if len(self.warned) < MOST_ENTRIES:
            self.warned.append(WarnedRun(run_id, path, reason))

    def skip(self, names: list[str]) -> None:
        """Count what was passed over, and list it while there is room."""
        self.skipped += len(names)
        self.skipped_names += names[: MOST_ENTRIES - len(self.skipped_names)]

    def as_dict(self) -> dict[str, JSON]:
        """Return the report as plain values."""
        return asdict(self) | {"mb_per_second": round(self.mb_per_second, 2)}

    def to_json(self) -> bytes:
        """Return the report as JSON."""
        return orjson.dumps(self.as_dict())

    @staticmethod
    def from_json(document: bytes | str) -> FileReport:
        """Read a report from what `to_json` returns. Raises pydantic.ValidationError on anything else."""
        return _FILE_REPORT.validate_json(document)


_FILE_REPORT = TypeAdapter(FileReport)


@dataclass(slots=True)
class ImportReport:
    """The import of several paths, in order. `skipped_names` are files of folders that hold no runs by their name."""

    files: list[FileReport] = field(default_factory=list)
    skipped_names: list[str] = field(default_factory=list)

    @property
    def totals(self) -> Mapping[str, int]:
        """Return the counts over all files; `skipped` with those of folders."""
        totals = {name: sum(getattr(file, name) for file in self.files) for name in COUNTS}
        totals["skipped"] += len(self.skipped_names)
        return totals

    @property
    def seconds(self) -> float:
        """Return the seconds of all files together."""
        return sum(file.seconds for file in self.files)

    @property
    def mb_per_second(self) -> float:
        """Return the megabytes a second over all files."""
        return self.totals["size_bytes"] / 1e6 / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, JSON]:
        """Return the report as plain values: the totals, and each file's."""
        return {
            "totals": dict(self.totals)
            | {"files": len(self.files), "seconds": self.seconds, "mb_per_second": round(self.mb_per_second, 2)},
            "files": [file.as_dict() for file in self.files],
            "skipped_names": self.skipped_names[:MOST_ENTRIES],
        }

    def to_json(self) -> bytes:
        """Return the report as JSON."""
        return orjson.dumps(self.as_dict())
