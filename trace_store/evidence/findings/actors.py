"""Findings on actors and their labels (R28-R32)."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from trace_store.contract.actors import CATALOG_KEYS, Catalog
from trace_store.contract.calls import Log, is_unreadable
from trace_store.contract.times import Span
from trace_store.evidence.context import Examination
from trace_store.evidence.findings.calls import name_of
from trace_store.evidence.findings.formatting import format_count, format_list, format_name
from trace_store.model import Call, Path


def report_actors(exam: Examination) -> None:
    """Report labels that are wrong, missing or unused, and tools called by actors that do not own them."""
    _report_labels(exam)
    catalog = exam.catalog
    if any(node.silent for node in exam.run.actors):
        _report_silent(exam, catalog)
    if any(declaration.tools for declaration in catalog.actors.values()):
        _report_ownership(exam, catalog)


def _report_labels(exam: Examination) -> None:
    run = exam.run
    firsts: dict[str, Call] = {}
    counts: dict[str, int] = {}
    unlabelled: list[Call] = []
    for call in run.calls:
        if call.actor_id is None:
            if not is_unreadable(call):
                unlabelled.append(call)
        else:
            firsts.setdefault(call.actor_id, call)
            counts[call.actor_id] = counts.get(call.actor_id, 0) + 1
    if not firsts:
        return
    suggestions = {node.path: node.suggestion for node in run.actors if node.suggestion is not None}
    for label, call in firsts.items():
        if call.actor_status not in ("undeclared", "malformed"):
            continue
        path = Path.call(call.sequence) / "actor_id"
        has = f"{format_count(counts[label], 'call')} {'has' if counts[label] == 1 else 'have'}"
        if call.actor_status == "undeclared":
            meant = suggestions.get(label)
            hint = f"; did you mean {format_name(meant)}?" if meant else ""
            exam.report(
                "actor_undeclared", path, f"{has} the label {format_name(label)}, which no declared actor has{hint}"
            )
        else:
            exam.report("actor_malformed", path, f"{has} the label {format_name(label)}, which is malformed")
    if unlabelled:
        name = "names" if len(unlabelled) == 1 else "name"
        message = f"{len(unlabelled):,} of {format_count(len(run.calls), 'call')} {name} no actor, while others do"
        exam.report("actor_unattributed", Path.call(unlabelled[0].sequence), message)


def _report_silent(exam: Examination, catalog: Catalog) -> None:
    silent = {catalog.match(node.path) for node in exam.run.actors if node.silent and node.path is not None}
    for label in catalog.actors:
        if label in silent:
            message = f"the declared actor {format_name(label)} made no calls, and neither did any actor below it"
            exam.report("actor_silent", Path(CATALOG_KEYS[0]), message)


def _report_ownership(exam: Examination, catalog: Catalog) -> None:
    reported: set[tuple[str, str]] = set()
    owners = _OwnersCalls(exam.log, catalog)
    for call in exam.run.calls:
        label, tool = call.actor_id, call.tool_name
        if label is None or tool is None or call.lane != "tool" or call.actor_status != "declared":
            continue
        if catalog.owns(label, tool) is not False:
            continue
        path = Path.call(call.sequence)
        if (label, tool) not in reported:
            reported.add((label, tool))
            owned = format_list(sorted(format_name(name) for name in _tools_of(catalog, label)))
            message = f"{format_name(label)} called {name_of(call)}, but its entry lists only {owned}"
            exam.report("actor_tool_not_owned", path, message)
        if owners.overlap(call, tool):
            message = (
                f"{format_name(label)} called {name_of(call)}, which it does not own, while an actor "
                "that does was calling: the label may have leaked from another task"
            )
            exam.report("attribution_suspect", path, message)


def _tools_of(catalog: Catalog, label: str) -> set[str]:
    matched = catalog.match(label)
    return catalog.actors[matched].tools if matched is not None else set()


class _OwnersCalls:
    """The times of all calls by the owners of a tool (R32)."""

    def __init__(self, log: Log, catalog: Catalog) -> None:
        self._log = log
        self._catalog = catalog
        self._by_tool: dict[str, tuple[list[Span], list[int]]] = {}

    def overlap(self, call: Call, tool: str) -> bool:
        """Return whether a call was in flight together with one of an actor that owns the tool."""
        span = self._log.spans[call.sequence]
        if span is None:
            return False
        if tool not in self._by_tool:
            self._by_tool[tool] = self._spans(tool)
        spans, latest_ends = self._by_tool[tool]
        before = bisect_left(spans, span.end_us, key=lambda other: other.start_us)
        return before > 0 and latest_ends[before - 1] > span.start_us

    def _spans(self, tool: str) -> tuple[list[Span], list[int]]:
        owners: dict[str, bool] = {}
        spans = []
        for call, span in zip(self._log.calls, self._log.spans, strict=True):
            label = call.actor_id
            if label is None or call.actor_status != "declared":
                continue
            if label not in owners:
                owners[label] = self._catalog.owns(label, tool) is True
            if owners[label] and span is not None:
                spans.append(span)
        spans.sort()
        return spans, list(accumulate((span.end_us for span in spans), max))
