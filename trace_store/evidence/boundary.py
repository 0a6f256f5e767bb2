"""Where a run first went wrong (R38): the first failed boundary, and what may safely be done about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from trace_store.contract.calls import Log
from trace_store.contract.envelopes import is_envelope
from trace_store.contract.outcomes import has_no_answer
from trace_store.contract.vocabulary import FAILED_STATUSES, OK_CHAINS
from trace_store.evidence.context import Examination
from trace_store.evidence.findings.answers import FINAL_RESPONSE, failure_path
from trace_store.evidence.findings.calls import describe_failure, name_of
from trace_store.evidence.findings.formatting import format_list, format_name, format_value
from trace_store.evidence.tool_results import mentions_failure
from trace_store.model import BOUNDARY_STAGES, JSON, Boundary, Call, Message, Path, Run, Stage

RECOVERY: Mapping[Stage, str] = {
    "transport": "Calls that only read may be retried within the policy. Before you repeat a call that writes, ask the "
    "system behind the tool whether the first one took effect.",
    "generation": "Generate again from the last confirmed result, within the budget. Do not carry out any tool call of "
    "an incomplete response.",
    "arguments": "Nothing was carried out. Have the model write the arguments again, following the schema; do not "
    "repair them by hand.",
    "authorization": "Nothing was carried out. Get the token or the permission first: the same call would be refused "
    "again.",
    "receipt": "Do not rely on anything the model says about this call. Ask the system behind the tool what happened "
    "before the call is made again.",
    "answer": "The work before it is sound. Only the answer needs to be written again, from the confirmed receipts.",
}
"""What may safely be done when a stage is the first that failed."""

RUN_STAGES: Mapping[str, Stage] = {
    **dict.fromkeys(
        ("agent_timeout", "agent_unreachable", "agent_4xx", "agent_5xx", "transport_error", "proxy_misconfigured"),
        "transport",
    ),
    "auth_failed": "authorization",
    **dict.fromkeys(("agent_bad_response", "contract_error", "response_contract_violation"), "answer"),
}
"""The stage of a run that failed with a class; any other class is one of generation."""

STATUS_STAGES: Mapping[str, Stage] = {
    **dict.fromkeys(FAILED_STATUSES, "generation"),
    **dict.fromkeys(
        ("incomplete", "refused", "canceled", "budget_exhausted", "budget_exceeded", "out_of_budget", "empty"),
        "generation",
    ),
    **dict.fromkeys(("timeout", "timed_out"), "transport"),
}
"""The stage of a run that says only by its status how it ended."""

RESPONSE_FAULTS: Mapping[str, frozenset[str]] = {
    "status": frozenset({"incomplete", "failed", "cancelled"}),
    "finish_reason": frozenset({"length", "content_filter"}),
    "stop_reason": frozenset({"max_tokens", "refusal"}),
}
"""By key of a message: the values that mean that the model's response is incomplete, refused or failed."""

REFUSALS = frozenset({"permission_denied", "forbidden", "unauthorized"})
"""The application errors that are refusals."""

_REFUSING_CLASSES = frozenset({"authorization", "policy"})
_Position: TypeAlias = tuple[int, int, int]
"""A message, a tool call in it, and a logged call after that one; compared, it is the order of the run."""

_WHOLE_RUN, _ANSWER = (2**62, 0, 0), (2**62, 1, 0)


@dataclass(frozen=True, slots=True)
class _Failure:
    """A failed boundary: its position in the run, and its call, if it has one."""

    position: _Position
    stage: Stage
    path: Path
    reason: str
    call: Call | None = None
    tool_name: str | None = None

    def rank(self) -> tuple[_Position, int]:
        """Return what failures are compared by: the first position wins; at one position, the first stage."""
        return self.position, BOUNDARY_STAGES.index(self.stage)


def first_failed_boundary(exam: Examination) -> Boundary | None:
    """Return the first failed boundary of a run, or None."""
    positions = _positions(exam)
    first = min(_failures(exam, positions), key=_Failure.rank, default=None)
    if first is None:
        return None
    confirmed = [call for call in exam.run.calls if call.outcome == "ok" and positions[call.sequence] < first.position]
    recovery = RECOVERY[first.stage]
    if confirmed:
        names = format_list(f"{name_of(call)} ({Path.call(call.sequence)})" for call in confirmed)
        recovery += f" Confirmed before it, and safe to keep: {names}."
    return Boundary(
        stage=first.stage,
        path=first.path,
        reason=first.reason,
        recovery=recovery,
        confirmed=[Path.call(call.sequence) for call in confirmed],
        corrected_by=_corrected_by(exam, first.call),
        deliberate=first.call is not None and first.call.outcome == "injected_failure",
        call=None if first.call is None else first.call.sequence,
        tool_name=first.tool_name if first.call is None else first.call.tool_name,
    )


def _positions(exam: Examination) -> list[_Position]:
    """Return the position of each logged call: that of the tool call it answers, else right after the call before."""
    answering = {
        sequence: call for call in exam.transcript.calls if call.receipt is not None for sequence in call.receipt.calls
    }
    positions: list[_Position] = []
    message, tool_call = -1, -1
    for call in exam.run.calls:
        if call.sequence in answering:
            message, tool_call = answering[call.sequence].position
            positions.append((message, tool_call, 0))
        else:
            positions.append((message, tool_call, call.sequence + 1))
    return positions


def _failures(exam: Examination, positions: list[_Position]) -> Iterator[_Failure]:
    yield from _failed_chains(exam, positions)
    yield from _failed_transcript_calls(exam)
    for message in exam.run.messages or ():
        if message.role == "assistant" and (reason := _describe_broken_response(message)) is not None:
            yield _Failure((message.index, -1, 0), "generation", Path.message(message.index), reason)
    yield from _empty_last_message(exam.run)
    yield from _failed_run(exam)
    yield from _failed_answer(exam)


def _failed_chains(exam: Examination, positions: list[_Position]) -> Iterator[_Failure]:
    for chain in exam.run.chains:
        if chain.overcome or chain.outcome in OK_CHAINS or chain.outcome == "unreadable":
            continue  # R19: what cannot be read is not known to have failed
        call = exam.last_call(chain)
        path = Path.call(call.sequence)
        stage = stage_of(call)
        at = path
        if call.status_code == 400 and call.actor_status == "malformed":
            at = path / "actor_id"
        yield _Failure(positions[call.sequence], stage, at, _reason(call), call)
        if path in exam.argument_faults:
            reason = f"the arguments of {name_of(call)} are wrong, and the call did not succeed"
            yield _Failure(positions[call.sequence], "arguments", exam.argument_faults[path], reason, call)


def stage_of(call: Call) -> Stage:
    """Return the stage at which a call failed, the first that fits."""
    status = call.status_code or 0
    if has_no_answer(call) or status >= 500 or (400 <= status < 500 and status not in (400, 401, 403, 422)):
        return "transport"
    if status in (400, 422):
        return "arguments"
    if status in (401, 403) or _is_refusal(call):
        return "authorization"
    return "receipt"


def _is_refusal(call: Call) -> bool:
    if _is_envelope_of_refusal(call.envelope):
        return True
    error = call.response.get("error") if isinstance(call.response, dict) else None
    return call.outcome == "application_error" and isinstance(error, str) and error in REFUSALS


def _is_envelope_of_refusal(value: JSON) -> bool:
    return is_envelope(value) and isinstance(value["error_class"], str) and value["error_class"] in _REFUSING_CLASSES


def _reason(call: Call) -> str:
    tool = name_of(call)
    if call.outcome == "injected_failure":
        return f"{tool} was made to fail, deliberately"
    if has_no_answer(call):
        return f"{tool} got no answer"
    if call.outcome == "application_error":
        error = call.response.get("error") if isinstance(call.response, dict) else None
        return f"{tool} answered with an error: {format_value(error if error is not None else call.response)}"
    if call.status_code == 400 and call.actor_status == "malformed":
        return f"{tool} was refused for the malformed label {format_name(call.actor_id or '')}"
    return f"{tool} failed {describe_failure(call)}"


def _failed_transcript_calls(exam: Examination) -> Iterator[_Failure]:
    for call in exam.transcript.calls:
        fault = exam.argument_faults.get(call.path)
        if fault is None:
            continue
        logged = None
        if call.receipt is not None:
            logged = exam.run.calls[call.receipt.sequence]
            if logged.outcome == "ok" or call.receipt.chain.overcome:
                continue
        elif (not exam.run.has_log or call.name in exam.declared.executed) and (
            call.answer is not None and not mentions_failure(call.answer, None)
        ):
            continue  # without a receipt, the tool message is what answered the call (R37)
        reason = f"the arguments of {format_name(call.name)} are wrong, and the call did not succeed"
        yield _Failure((*call.position, 0), "arguments", fault, reason, logged, call.name)
    for call in exam.calls_without_receipt:
        reason = f"the transcript calls {format_name(call.name)}, but the log has no receipt of it"
        yield _Failure((*call.position, 0), "receipt", call.path, reason, None, call.name)


def _describe_broken_response(message: Message) -> str | None:
    """Return why the model's response in a message is incomplete, refused or failed, or None."""
    for key, values in RESPONSE_FAULTS.items() if message.extra else ():
        value = message.extra.get(key)
        if isinstance(value, str) and value in values:
            return f"the model's response broke off or was refused: its `{key}` is {value}"
    if message.extra.get("refusal"):
        return "the model refused"
    if isinstance(message.content, list) and any(
        isinstance(part, dict) and part.get("type") == "refusal" for part in message.content
    ):
        return "the model refused"
    return None


def _empty_last_message(run: Run) -> Iterator[_Failure]:
    """Yield the last message of a run without an answer, if it is an empty response of the model."""
    last = run.messages[-1] if run.messages and run.final_response is None else None
    if last is not None and last.role == "assistant" and not last.content and not last.tool_calls:
        yield _Failure(
            (last.index, -1, 0), "generation", Path.message(last.index), "the model's last response is empty"
        )


def _failed_run(exam: Examination) -> Iterator[_Failure]:
    run = exam.run
    if run.error_class is not None:
        stage = RUN_STAGES.get(run.error_class, "generation")
        yield _Failure(_WHOLE_RUN, stage, failure_path(exam), f"the run failed with {format_name(run.error_class)}")
    elif run.status is not None and run.status in STATUS_STAGES:
        yield _Failure(
            _WHOLE_RUN, STATUS_STAGES[run.status], Path("status"), f"the run ended {format_name(run.status)}"
        )
    if _is_envelope_of_refusal(run.error):
        reason = f"the run's failure envelope is of the class {run.error['error_class']}"
        yield _Failure(_WHOLE_RUN, "authorization", Path("error"), reason)


def _failed_answer(exam: Examination) -> Iterator[_Failure]:
    run = exam.run
    if run.final_response is None:
        yield _Failure(_ANSWER, "answer", FINAL_RESPONSE, "the run has no final answer")
    elif run.final_response_cut != 0:
        yield _Failure(_ANSWER, "answer", FINAL_RESPONSE, "the final answer was cut")
    elif exam.is_unverified:
        yield _Failure(_ANSWER, "answer", FINAL_RESPONSE, "the answer rests on no successful call")


def _corrected_by(exam: Examination, call: Call | None) -> Path | None:
    """Return the last call of the first chain after a failed call that has the same actor and tool and other
    arguments, and succeeded in the end."""
    if call is None:
        return None
    failed, same = exam.log.canonical_arguments(call.sequence), _caller_and_tool(call)
    for chain in exam.run.chains:
        first = exam.first_call(chain)
        if (
            _begins_after(first.sequence, call.sequence, exam.log)
            and chain.outcome in OK_CHAINS
            and _caller_and_tool(first) == same
            and exam.log.canonical_arguments(first.sequence) != failed
        ):
            return Path.call(chain.calls[-1])
    return None


def _begins_after(later: int, earlier: int, log: Log) -> bool:
    """Return whether a call is logged after another, and did not begin before it, where times are known: parallel
    calls are logged as they end."""
    start, began = log.spans[later], log.spans[earlier]
    return later > earlier and (start is None or began is None or start.start_us >= began.start_us)


def _caller_and_tool(call: Call) -> tuple[JSON, ...]:
    """Return who called what: in the data lane, an operation rather than a tool."""
    operation = call.extra.get("operation") if call.lane == "data" else None
    return call.lane, call.actor_id, call.tool_name, operation
