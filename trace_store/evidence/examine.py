"""Examine a run: pair it with its log, and report where it first went wrong and all findings (R33-R40)."""

from __future__ import annotations

from trace_store.contract import NormalisedRun
from trace_store.contract.tools import TOOLS_KEY
from trace_store.evidence.boundary import first_failed_boundary
from trace_store.evidence.context import Examination
from trace_store.evidence.declared_tools import SchemaCache
from trace_store.evidence.findings.actors import report_actors
from trace_store.evidence.findings.answers import report_answer, report_run
from trace_store.evidence.findings.calls import report_calls, report_envelopes, report_tokens
from trace_store.evidence.findings.chains import report_chains
from trace_store.evidence.findings.tools import report_tools
from trace_store.evidence.findings.transcript import report_pairing, report_receipts, report_transcript
from trace_store.evidence.grounding import ground_answer
from trace_store.evidence.receipts import pair_receipts
from trace_store.evidence.transcript_calls import pair_results
from trace_store.model import Path


def examine(normalised: NormalisedRun, *, redacted_at: str | None = None, schemas: SchemaCache) -> None:
    """Fill in what depends on the whole run: `receipt` of each transcript tool call, `answers` of each tool message,
    `grounding`, `boundary` and `findings`.

    `redacted_at` is the path of the first secret that was replaced in the body (R44). `schemas` is shared by the runs
    of one import, so that each schema is compiled once. Never raises for a JSON value.
    """
    run, body, log = normalised.run, normalised.body, normalised.log
    declared = schemas.read_tools(body.get(TOOLS_KEY))
    transcript = pair_results(run)
    unpaired_chains = pair_receipts(run, transcript.calls, log)
    grounding = ground_answer(run, transcript.calls, declared.executed)
    exam = Examination(run, body, normalised.catalog, log, declared, transcript, unpaired_chains, grounding)
    report_run(exam, Path(redacted_at) if redacted_at is not None else None)
    report_answer(exam)
    report_transcript(exam)
    report_pairing(exam)
    report_calls(exam)
    report_tokens(exam)
    report_chains(exam)
    report_envelopes(exam)
    report_actors(exam)
    report_tools(exam)
    report_receipts(exam)
    run.grounding = grounding
    run.boundary = first_failed_boundary(exam)
    run.findings = exam.findings()
