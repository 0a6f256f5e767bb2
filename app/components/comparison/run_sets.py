"""Two sets of runs as the component shows them: shares of runs with their intervals, and how sure a difference is.

Pure: no Streamlit, no clock, no store. All shares are of runs, so that each opens a list of runs, and all that are
shown are held to Holm's correction together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from app import glossary
from trace_store.comparing import Comparison, Share, compare_rates, interval
from trace_store.store import Rates
from trace_store.store.query import editing

_FAILED_TOO = glossary.COUNT["unsuccessful"].meaning
_UNSUCCESSFUL = "outcome:failed,injected_failure,application_error"

MOST_ROWS = 24
"""Of one group: those that the most runs have."""


class SideData(TypedDict):
    """A share with its interval, all from 0 to 1, and the terms that narrow the side's query to what is counted and to
    what it is counted of; "" where it is all of its runs."""

    count: int
    total: int
    low: float
    high: float
    counted: str
    of: str


class RateData(TypedDict, total=False):
    """One row. `literal`: the name came out of runs. `difference` is the right rate less the left with its interval."""

    name: str
    meaning: str
    literal: bool
    good: bool
    left: SideData
    right: SideData
    difference: tuple[float, float, float]
    chance: float
    word: str


class RateGroup(TypedDict):
    """Rows under a heading: `shown` of `total` rows. `most`: the largest rate that the drawing shows."""

    title: str
    meaning: str
    shown: int
    total: int
    most: float
    rows: list[RateData]


class RatesData(TypedDict):
    """Both queries as they are written, how many runs and calls each finds, and the groups."""

    queries: tuple[str, str]
    runs: tuple[int, int]
    calls: tuple[int, int]
    groups: list[RateGroup]


@dataclass(frozen=True, slots=True)
class _Row:
    """What is counted, of what, and where each count leads."""

    name: str
    meaning: str
    count: Callable[[Rates], int]
    total: Callable[[Rates], int]
    counted: str
    of: str = ""
    good: bool = False
    literal: bool = False


def _count_runs(rates: Rates) -> int:
    return rates.runs


_OUTCOMES = (
    _Row("passed by the judge", "Of the runs with a verdict.", lambda rates: rates.passed, lambda rates: rates.judged,
         "verdict:passed", "verdict:passed,failed", good=True),
    _Row(glossary.RUN["failed"].word, glossary.RUN["failed"].meaning, lambda rates: rates.failed, _count_runs,
         "failed:true"),
    _Row("with errors", "The evidence shows at least one error.", lambda rates: rates.with_errors, _count_runs,
         "severity:error"),
    _Row("undeclared actor", glossary.RUN["undeclared"].meaning, lambda rates: rates.undeclared, _count_runs,
         "(actor_status:undeclared)"),
    _Row("exhausted retries", glossary.RUN["exhausted"].meaning, lambda rates: rates.exhausted, _count_runs,
         "(chain:exhausted)"),
    _Row(glossary.VIEW["thin"].word, glossary.VIEW["thin"].meaning, lambda rates: rates.thin, _count_runs, "view:thin"),
)  # fmt: skip


def build_rates(queries: tuple[str, str], left: Rates, right: Rates) -> RatesData:
    """Return what the component shows of two sets of runs; `left` are those of the first query."""
    groups = [
        ("Outcomes", "Of the runs of each side; the judge's, of those with a verdict.", list(_OUTCOMES)),
        ("First failed at", "The stage of the first failed boundary.", _list_boundaries(left, right)),
        ("Error classes of calls", "Runs with such a call.", _list_classes(left, right)),
        ("Tools that failed", f"Of the runs that called the tool, those with such a call. {_FAILED_TOO}",
         _list_tools(left, right)),
    ]  # fmt: skip
    selected = [row for _, _, rows in groups for row in rows[:MOST_ROWS]]
    comparisons = compare_rates([(_get_share(row, left), _get_share(row, right)) for row in selected])
    comparison_of = dict(zip(selected, comparisons, strict=True))
    return RatesData(
        queries=queries,
        runs=(left.runs, right.runs),
        calls=(left.calls, right.calls),
        groups=[_build_group(title, meaning, rows, comparison_of) for title, meaning, rows in groups if rows],
    )


def _get_share(row: _Row, rates: Rates) -> Share:
    return Share(row.count(rates), row.total(rates))


def _list_boundaries(left: Rates, right: Rates) -> list[_Row]:
    stages = left.boundaries.keys() | right.boundaries.keys()
    return [
        _Row(stage, term.meaning, _count_in("boundaries", stage), _count_runs, f"boundary:{stage}")
        for stage, term in glossary.BOUNDARY.items()
        if stage in stages
    ]


def _list_classes(left: Rates, right: Rates) -> list[_Row]:
    return [
        _Row(name, "", _count_in("classes", name), _count_runs, f"({editing.term('error_class', name)})", literal=True)
        for name in _sort_by_count(left.classes, right.classes)
    ]


def _count_in(counts: str, name: str) -> Callable[[Rates], int]:
    return lambda rates: getattr(rates, counts).get(name, 0)


def _list_tools(left: Rates, right: Rates) -> list[_Row]:
    """Return the tools that failed in a run of either side, those that the most runs called first."""
    called = [{name: tool.runs for name, tool in rates.tools.items() if name is not None} for rates in (left, right)]
    failed = {name for rates in (left, right) for name, tool in rates.tools.items() if tool.failed_in}
    return [_build_tool(name, left, right) for name in _sort_by_count(*called) if name in failed]


def _build_tool(name: str, left: Rates, right: Rates) -> _Row:
    tools = [rates.tools.get(name) for rates in (left, right)]
    sides = [f"{tool.failures:,} of {tool.calls:,}" if tool else "none" for tool in tools]

    def failed_in(rates: Rates) -> int:
        tool = rates.tools.get(name)
        return tool.failed_in if tool else 0

    def called_in(rates: Rates) -> int:
        tool = rates.tools.get(name)
        return tool.runs if tool else 0

    meaning = f"Calls that failed: {sides[0]} on the left, {sides[1]} on the right. {_FAILED_TOO} Calls of one run go "
    meaning += "together, so that runs are what is held against chance."
    called = editing.term("tool", name)
    return _Row(name, meaning, failed_in, called_in, f"({called} {_UNSUCCESSFUL})", f"({called})", literal=True)


def _sort_by_count(left: Mapping[str, int], right: Mapping[str, int]) -> Iterable[str]:
    return sorted(left.keys() | right.keys(), key=lambda name: (-left.get(name, 0) - right.get(name, 0), name))


def _build_group(title: str, meaning: str, rows: Sequence[_Row], comparison_of: Mapping[_Row, Comparison]) -> RateGroup:
    data = [_build_row(row, comparison_of[row]) for row in rows if row in comparison_of]
    ends = [side["high"] for row in data for side in (row["left"], row["right"]) if side["total"]]
    most = next((end for end in (0.1, 0.25, 0.5) if max(ends, default=0.0) <= end), 1.0)
    return RateGroup(title=title, meaning=meaning, shown=len(data), total=len(rows), most=most, rows=data)


def _build_row(row: _Row, comparison: Comparison) -> RateData:
    data = RateData(
        name=row.name,
        meaning=row.meaning,
        literal=row.literal,
        good=row.good,
        left=_build_side(row, comparison.left),
        right=_build_side(row, comparison.right),
        word=comparison.word,
    )
    if comparison.difference is not None and comparison.chance is not None:
        data["difference"] = (comparison.difference.value, comparison.difference.low, comparison.difference.high)
        data["chance"] = comparison.chance
    return data


def _build_side(row: _Row, share: Share) -> SideData:
    low, high = interval(share.count, share.total)
    return SideData(count=share.count, total=share.total, low=low, high=high, counted=row.counted, of=row.of)
