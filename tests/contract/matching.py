"""Case files, and how a run document is held against the part of one that a case expects.

An object matches when each key given matches, an array when it has the same length and each element matches, a scalar
when it is equal (1 and 1.0 are). A few keys of an expectation have a meaning of their own, see `RULES`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"
CHAPTERS = sorted(path.stem for path in CASES.glob("*.json"))


@dataclass(frozen=True)
class Case:
    """A document, and the part of its run document that the contract promises."""

    chapter: str
    name: str
    rules: list[str]
    document: Any
    expect: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.chapter}/{self.name}"


def read_cases(chapter: str) -> list[Case]:
    """The cases of a chapter; `{"$text": [["a", 50000], ["b", 1]]}` stands for a text too long for a file."""
    entries = json.loads((CASES / f"{chapter}.json").read_text(encoding="utf-8"), object_hook=_written_out)
    return [Case(chapter, e["name"], e["rules"], e["document"], e["expect"]) for e in entries]


def mismatches(expect: dict[str, Any], run: dict[str, Any], *, without: Iterable[str] = ()) -> list[str]:
    """What of an expectation a run document does not meet, a line each; `without` names keys that are not looked at."""
    left_out = set(without)
    plain = {key: want for key, want in expect.items() if key not in RULES and key not in left_out}
    lines = _differences(plain, run, "run")
    for key, rule in RULES.items():
        if key in expect and key not in left_out:
            lines += rule(expect[key], run)
    return lines


def _written_out(entry: dict[str, Any]) -> Any:
    return "".join(text * times for text, times in entry["$text"]) if entry.keys() == {"$text"} else entry


def _differences(want: Any, got: Any, path: str) -> list[str]:
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return [f"{path}: wanted an object, got {got!r}"]
        missing = [f"{path}.{key}: missing" for key in want if key not in got]
        return missing + [
            line for key in want if key in got for line in _differences(want[key], got[key], f"{path}.{key}")
        ]
    if isinstance(want, list):
        if not isinstance(got, list) or len(want) != len(got):
            return [f"{path}: wanted {len(want)} entries, got {got!r}"]
        return [
            line
            for i, (inner, entry) in enumerate(zip(want, got, strict=True))
            for line in _differences(inner, entry, f"{path}[{i}]")
        ]
    same = want == got and isinstance(want, bool) == isinstance(got, bool)
    return [] if same else [f"{path}: wanted {str(want)[:80]!r}, got {str(got)[:80]!r}"]


def _matches(want: Any, got: Any) -> bool:
    return not _differences(want, got, "")


def _import_warnings(paths: list[str], run: dict[str, Any]) -> list[str]:
    got = {str(warning["path"]) for warning in run["warnings"] if warning["origin"] == "import"}
    return [] if got == set(paths) else [f"import warnings at {sorted(got)}, wanted {sorted(paths)}"]


def _findings(wanted: list[Any], run: dict[str, Any]) -> list[str]:
    there = [(finding["kind"], finding["path"]) for finding in run["findings"]]
    return [
        f"no finding {want}, there are {there}"
        for want in wanted
        if not any(_matches(want, finding) for finding in run["findings"])
    ]


def _no_findings(kinds: list[str], run: dict[str, Any]) -> list[str]:
    there = {finding["kind"] for finding in run["findings"]}
    return [f"the finding {kind} should not be there" for kind in kinds if kind in there]


def _finding_counts(counts: dict[str, int], run: dict[str, Any]) -> list[str]:
    there = [finding["kind"] for finding in run["findings"]]
    return [
        f"{there.count(kind)} findings {kind}, wanted {count}"
        for kind, count in counts.items()
        if there.count(kind) != count
    ]


def _messages(texts: list[str], run: dict[str, Any]) -> list[str]:
    return [f"no finding says {text!r}" for text in texts if not any(text in f["message"] for f in run["findings"])]


def _actors(wanted: list[Any], run: dict[str, Any]) -> list[str]:
    return [
        f"no actor {want}, there are {run['actors']}"
        for want in wanted
        if not any(_matches(want, actor) for actor in run["actors"])
    ]


def _actor_count(count: int, run: dict[str, Any]) -> list[str]:
    return [] if len(run["actors"]) == count else [f"{len(run['actors'])} actors, wanted {count}"]


RULES: dict[str, Callable[[Any, dict[str, Any]], list[str]]] = {
    "import_warnings_at": _import_warnings,
    "findings_include": _findings,
    "findings_exclude": _no_findings,
    "findings_count": _finding_counts,
    "messages_contain": _messages,
    "actors_include": _actors,
    "actors_count": _actor_count,
}
"""The keys of an expectation that are more than a part of the run document:

`import_warnings_at` exactly these paths carry warnings of the import; `findings_include` a finding that matches is
there; `findings_exclude` none of that kind is; `findings_count` so many of each kind are; `messages_contain` each text
stands in the message of some finding; `actors_include` a node that matches is there; `actors_count` so many nodes are.
"""
