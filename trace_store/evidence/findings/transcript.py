"""Findings on the transcript by itself: what was dropped, and which calls and results belong together (R7-R13, R35)."""

from __future__ import annotations

import re

from trace_store.contract.metadata import METADATA_KEYS
from trace_store.evidence.context import Examination
from trace_store.evidence.findings.formatting import format_name, format_value, quote
from trace_store.model import Path, Run

_PLACE = re.compile(
    r"(?P<root>messages|metadata)"
    r"(?:\[(?P<message>[0-9]+)\](?:\.(?P<key>tool_call_id|tool_calls|thinking))?(?:\[(?P<call>[0-9]+)\])?(?P<id>\.id)?)?"
    r"(?:(?<=metadata)\.(?P<name>.+))?"
)


def report_transcript(exam: Examination) -> None:
    """The findings of R7-R13 and R11."""
    run, report = exam.run, exam.report
    reported: set[str] = set()
    for warning in run.warnings:
        path = warning.path
        if warning.origin == "import" and path is not None and path not in reported and _is_dropped(run, path):
            reported.add(path)
            report.add("rich_mode_dropped", path, f"{path} is not as it should be: {warning.reason}")
    for claim in exam.pairing.claims:
        if not claim.call.arguments_decoded:
            at = exam.argument_faults[claim.path] = claim.path / "arguments"
            tool, arguments = format_name(claim.call.name), format_value(claim.call.arguments)
            message = f"the arguments of {tool} are no JSON object: {arguments}"
            report.add("arguments_undecoded", at, message)


def report_pairing(exam: Examination) -> None:
    """The findings of R35."""
    pairing, report = exam.pairing, exam.report
    seen: dict[str, str] = {}
    doubled: set[str] = set()
    for claim in pairing.claims:
        id_ = claim.call.id
        if not id_:
            continue
        first = seen.setdefault(id_, claim.path)
        if first != claim.path and id_ not in doubled:
            doubled.add(id_)
            message = f"the id {quote(id_)} is that of an earlier tool call too ({first})"
            report.add("tool_call_id_duplicate", claim.path, message)
    if pairing.id_missing_at is not None:
        message = "a tool call or its result has no id; calls and results are paired by their order"
        report.add("tool_call_id_missing", pairing.id_missing_at, message)
    for message_ in pairing.orphans:
        of = f" with the id {quote(message_.tool_call_id)}" if message_.tool_call_id else ""
        message = f"a tool message{of} answers no tool call before it"
        report.add("tool_result_orphan", Path.message(message_.index), message)
    for claim in pairing.claims:
        if claim.answer is None:
            report.add(
                "tool_call_unanswered",
                claim.path,
                f"no tool message answers this call of {format_name(claim.call.name)}",
            )


def _is_dropped(run: Run, path: str) -> bool:
    """Whether what stands at the path of an import warning was dropped for its form (R7-R13). Readers warn at such
    places too, of NaN and the like, and of those nothing is dropped."""
    place = _PLACE.fullmatch(path)
    if place is None:
        return False
    if place["message"] is None:
        name = place["name"]
        if name is None:
            return place["root"] in run.extra
        known, value = METADATA_KEYS.get(name), (run.metadata or {}).get(name)
        return known is not None and value is not None and known.read(value) is None
    message = next((m for m in run.messages or () if m.index == int(place["message"])), None)
    if message is None:
        return place["key"] is None
    key = place["key"]
    if key is None:
        return False
    if place["call"] is None:
        return key in message.extra
    call = next((c for c in message.tool_calls or () if c.index == int(place["call"])), None)
    return call is None if place["id"] is None else call is not None and "id" in call.extra
