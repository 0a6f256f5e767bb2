"""A run as the rows that the store keeps of it: pure values, so that any process can make them.

Rows are tuples in the column order of `tables`, without what only the writer knows: the run's key in front of each
row, and which import it belongs to.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import orjson
import zstandard

from trace_store.contract.envelopes import is_envelope
from trace_store.contract.scalars import finite, integer
from trace_store.contract.times import instant_us
from trace_store.contract.vocabulary import FAILURE_OUTCOMES
from trace_store.model import JSON, Call, Chain, Run, Tool
from trace_store.store.writing.signatures import signature_of
from trace_store.store.writing.texts import TextRow, texts_of

ANSWER_CHARACTERS = 200
LEVEL = 1
"""Of zstd: level 3 would save a twelfth of the bytes, and take a fifth longer."""

Row: TypeAlias = tuple[object, ...]

_per_thread = threading.local()


@dataclass(slots=True)
class RunRows:
    """The rows of one run; `run` begins with the column `place`. `size_bytes`: of both documents, uncompressed."""

    run_id: str
    digest: bytes
    run: Row
    document: Row
    calls: list[Row]
    chains: list[Row]
    actors: list[Row]
    findings: list[Row]
    texts: list[TextRow]
    size_bytes: int


def rows_of(run: Run, raw: bytes, digest: bytes) -> RunRows:
    """Return the rows of `run`, which stood as `raw` in its file. `digest`: SHA-256 of its canonical document (R42)."""
    document = run.to_json()
    return RunRows(
        run_id=run.run_id,
        digest=digest,
        run=_run_row(run, digest),
        document=(len(raw), compress(raw + document)),
        calls=[_call_row(call, run.chains[call.chain]) for call in run.calls],
        chains=[
            (
                chain.chain,
                chain.tool_name,
                chain.actor_id,
                chain.outcome,
                len(chain.calls),
                chain.overcome,
                chain.error_classes[0] if chain.error_classes else None,
                chain.wasted_ms,
                chain.repeats,
            )
            for chain in run.chains
        ],
        actors=[
            (
                position,
                actor.path,
                actor.parent,
                actor.status,
                actor.calls,
                actor.failed,
                actor.subtree_calls,
                actor.subtree_failed,
                actor.silent,
                actor.suggestion,
            )
            for position, actor in enumerate(run.actors)
        ],
        findings=[
            (position, finding.kind, finding.severity, finding.path, finding.rule, finding.message)
            for position, finding in enumerate(run.findings)
        ],
        texts=texts_of(run),
        size_bytes=len(raw) + len(document),
    )


def compress(document: bytes) -> bytes:
    """Return `document` as one zstd frame."""
    compressor = getattr(_per_thread, "compressor", None)
    if compressor is None:
        # Kept, because making one costs as much as compressing a small run; one a thread, because they hold state.
        compressor = _per_thread.compressor = zstandard.ZstdCompressor(level=LEVEL)
    return compressor.compress(document)


def _run_row(run: Run, digest: bytes) -> Row:
    metadata = run.metadata or {}
    envelope_class, envelope_code = _envelope(run.error)
    outcomes = [call.outcome for call in run.calls]
    actor_statuses = [call.actor_status for call in run.calls]
    chain_outcomes = [chain.outcome for chain in run.chains]
    severities = [finding.severity for finding in run.findings]
    signature = signature_of(run)
    return (
        run.place,
        run.format,
        digest,
        run.task_id,
        run.check_id,
        run.scenario,
        run.agent_id,
        _text(metadata.get("model")),
        _text(metadata.get("system_prompt_id")),
        run.status,
        run.judge_passed,
        run.failed,
        run.view,
        run.response_error,
        run.error_class,
        envelope_class,
        envelope_code,
        *signature[:3],
        _tool_modes(run.tools),
        instant_us(run.started_at),
        _count(metadata.get("total_input_tokens")),
        _count(metadata.get("total_output_tokens")),
        _milliseconds(metadata.get("agent_runtime_ms")),
        run.final_response[:ANSWER_CHARACTERS] if run.final_response is not None else None,
        len(run.messages or ()),
        len(run.warnings),
        len(run.calls),
        sum(outcome in FAILURE_OUTCOMES for outcome in outcomes),
        sum(len(chain.calls) - 1 for chain in run.chains),
        chain_outcomes.count("exhausted"),
        chain_outcomes.count("gave_up"),
        actor_statuses.count("undeclared"),
        actor_statuses.count("malformed"),
        severities.count("error"),
        severities.count("warning"),
        sum(chain.wasted_ms for chain in run.chains),
        signature.message,
    )


def _call_row(call: Call, chain: Chain) -> Row:
    envelope_class, envelope_code = _envelope(call.envelope)
    return (
        call.sequence,
        call.outcome in FAILURE_OUTCOMES,
        call.latency_ms,
        call.attempt,
        # Once a chain, where the waste began: so sums over any calls never count it twice.
        chain.wasted_ms if call.attempt == 1 else 0.0,
        call.outcome,
        call.tool_name,
        call.actor_id,
        call.actor_status,
        call.error_class,
        call.status_code,
        call.source,
        call.family,
        call.lane,
        call.chain,
        chain.outcome,
        call.retryable,
        call.stale_token,
        call.matched_rule_index,
        instant_us(call.started_at),
        envelope_class,
        envelope_code,
    )


def _envelope(value: JSON) -> tuple[str | None, str | None]:
    """Return the class and code of a failure envelope (R39); nulls when `value` is none."""
    return (_text(value["error_class"]), _text(value["error_code"])) if is_envelope(value) else (None, None)


def _tool_modes(tools: Sequence[Tool]) -> str | None:
    """Return the declared tools with their modes (R33), one text for each set of them; null where none is declared."""
    modes: dict[str, JSON] = {tool.name: tool.mode for tool in tools if tool.name is not None}
    return orjson.dumps(modes, option=orjson.OPT_SORT_KEYS).decode() if modes else None


def _text(value: JSON) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: JSON) -> int | None:
    # R13: what is of the wrong type stays where it is, opaque.
    number = integer(value)
    return number if number is not None and number >= 0 else None


def _milliseconds(value: JSON) -> float | None:
    number = finite(value)
    return number if number is not None and number >= 0 else None
