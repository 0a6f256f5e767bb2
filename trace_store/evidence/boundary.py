"""Where a run first went wrong (R38): the first failed boundary, and what may safely be done about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trace_store.contract.calls import Log
from trace_store.contract.envelopes import is_envelope
from trace_store.contract.outcomes import has_no_answer
from trace_store.contract.vocabulary import FAILED_STATUSES, OK_CHAINS
from trace_store.evidence.context import Examination
from trace_store.evidence.findings.answers import FINAL_RESPONSE, failure_path
from trace_store.evidence.findings.calls import name_of
from trace_store.evidence.findings.formatting import format_list, format_name, format_value
from trace_store.evidence.findings.retries import failure_of
from trace_store.evidence.tool_results import admits_failure
from trace_store.model import JSON, Boundary, Call, Message, Path, Run, Stage

RECOVERY: Mapping[Stage, str] = {
    "transport": "What only reads may be tried again within the policy. Before anything that writes is done again, ask "
    "the system behind the tool whether it happened.",
    "generation": "Generate again from the last confirmed result, within the budget. Carry out no tool call of an "
    "incomplete response.",
    "arguments": "Nothing was carried out. Have the model write the arguments anew, by the schema; mend nothing.",
    "authorization": "Nothing was carried out. Get the token or the permission first: the same call is refused again.",
    "receipt": "Take nothing that the model says of this call as a fact. Ask the system behind the tool what happened "
    "before the call is made again.",
    "answer": "The work before it stands. Only the answer needs to be written anew, from the confirmed receipts.",
}
"""The stages in order, each with what may safely be done when it is the first that failed."""

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
"""What a message of the model says, under which key, when its response is incomplete, refused or failed."""

REFUSALS = frozenset({"permission_denied", "forbidden", "unauthorized"})
"""Application errors that are refusals; only these very words."""

_REFUSING_CLASSES = frozenset({"authorization", "policy"})
_STAGES = tuple(RECOVERY)
_WHOLE_RUN, _ANSWER = (2**62, 0, 0), (2**62, 1, 0)


@dataclass(frozen=True, slots=True)
class _Failure:
    """A failed boundary: where it stands in the run, and the call that it rests on, if one."""

    place: tuple[int, int, int]
    stage: Stage
    path: Path
    reason: str
    call: Call | None = None
    tool_name: str | None = None

    def rank(self) -> tuple[tuple[int, int, int], int]:
        """The first place wins; at one place, the first stage."""
        return self.place, _STAGES.index(self.stage)


def first_failure(exam: Examination) -> Boundary | None:
    """The first failed boundary, or None."""
    places = _places(exam)
    first = min(_failures(exam, places), key=_Failure.rank, default=None)
    if first is None:
        return None
    confirmed = [call for call in exam.run.calls if call.outcome == "ok" and places[call.sequence] < first.place]
    recovery = RECOVERY[first.stage]
    if confirmed:
        names = format_list(f"{name_of(call)} ({Path.call(call.sequence)})" for call in confirmed)
        recovery += f" Confirmed before it, and to be kept: {names}."
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


def _places(exam: Examination) -> list[tuple[int, int, int]]:
    """Where each logged call stands: at the claim that it answers, else right after the call before it in the log."""
    claim_of = exam.receipts.claim_of_call()
    claims = exam.pairing.claims
    places: list[tuple[int, int, int]] = []
    message, position = -1, -1
    for call in exam.run.calls:
        claim = claim_of.get(call.sequence)
        if claim is None:
            places.append((message, position, call.sequence + 1))
        else:
            message, position = claims[claim].place
            places.append((message, position, 0))
    return places


def _failures(exam: Examination, places: list[tuple[int, int, int]]) -> Iterator[_Failure]:
    yield from _of_chains(exam, places)
    yield from _of_claims(exam)
    for message in exam.run.messages or ():
        if message.role == "assistant" and (said := _broken_off(message)) is not None:
            yield _Failure((message.index, -1, 0), "generation", Path.message(message.index), said)
    yield from _of_last_message(exam.run)
    yield from _of_run(exam)
    yield from _of_answer(exam)


def _of_chains(exam: Examination, places: list[tuple[int, int, int]]) -> Iterator[_Failure]:
    for chain in exam.run.chains:
        if chain.overcome or chain.outcome in OK_CHAINS:
            continue
        call = exam.last_call(chain)
        path = Path.call(call.sequence)
        stage = stage_of(call)
        at = path
        if call.status_code == 400 and call.actor_status == "malformed":
            at = path / "actor_id"
        yield _Failure(places[call.sequence], stage, at, _reason(call), call)
        if path in exam.argument_faults:
            reason = f"the arguments of {name_of(call)} are at fault, and it was not answered ok"
            yield _Failure(places[call.sequence], "arguments", exam.argument_faults[path], reason, call)


def stage_of(call: Call) -> Stage:
    """The stage at which a call failed, the first that fits."""
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
    return f"{tool} failed {failure_of(call)}"


def _of_claims(exam: Examination) -> Iterator[_Failure]:
    for number, claim in enumerate(exam.pairing.claims):
        fault = exam.argument_faults.get(claim.path)
        if fault is None:
            continue
        receipt = exam.receipts.of_claim.get(number)
        if receipt is not None:
            call = exam.run.calls[receipt.calls[-1]]
            if call.outcome == "ok" or receipt.chain.overcome:
                continue
        else:
            call = None
            rests_on_message = not exam.run.has_log or exam.is_executed(claim.call.name)
            if rests_on_message and claim.answer is not None and not admits_failure(claim.answer, None):
                continue  # without a receipt, the tool message is what answered it (R37)
        reason = f"the arguments of {format_name(claim.call.name)} are at fault, and it was not answered ok"
        yield _Failure((*claim.place, 0), "arguments", fault, reason, call, claim.call.name)
    for number in exam.unproven:
        claim = exam.pairing.claims[number]
        reason = f"the transcript calls {format_name(claim.call.name)}, but the log has no receipt of it"
        yield _Failure((*claim.place, 0), "receipt", claim.path, reason, None, claim.call.name)


def _broken_off(message: Message) -> str | None:
    """What a message of the model says that makes its response incomplete, refused or failed."""
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


def _of_last_message(run: Run) -> Iterator[_Failure]:
    """A run without an answer that ends on an empty response of the model."""
    last = run.messages[-1] if run.messages and run.final_response is None else None
    if last is not None and last.role == "assistant" and not last.content and not last.tool_calls:
        yield _Failure(
            (last.index, -1, 0), "generation", Path.message(last.index), "the model's last response is empty"
        )


def _of_run(exam: Examination) -> Iterator[_Failure]:
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


def _of_answer(exam: Examination) -> Iterator[_Failure]:
    run = exam.run
    if run.final_response is None:
        yield _Failure(_ANSWER, "answer", FINAL_RESPONSE, "the run has no final answer")
    elif run.final_response_cut != 0:
        yield _Failure(_ANSWER, "answer", FINAL_RESPONSE, "the final answer was cut")
    elif exam.is_unverified:
        yield _Failure(_ANSWER, "answer", FINAL_RESPONSE, "the answer rests on no successful call")


def _corrected_by(exam: Examination, call: Call | None) -> Path | None:
    """The last call of the first chain after a failed call that did the same with other arguments, and ended well."""
    if call is None:
        return None
    failed, what = exam.log.canonical_arguments(call.sequence), _what(call)
    for chain in exam.run.chains:
        first = exam.run.calls[chain.calls[0]]
        if (
            _begins_after(first.sequence, call.sequence, exam.log)
            and chain.outcome in OK_CHAINS
            and _what(first) == what
            and exam.log.canonical_arguments(first.sequence) != failed
        ):
            return Path.call(chain.calls[-1])
    return None


def _begins_after(later: int, earlier: int, log: Log) -> bool:
    """Whether a call is logged after another, and did not begin before it, where times tell: parallel calls are logged
    as they end."""
    start, began = log.spans[later], log.spans[earlier]
    return later > earlier and (start is None or began is None or start.start_us >= began.start_us)


def _what(call: Call) -> tuple[JSON, ...]:
    """Who called what: in the data lane, an operation rather than a tool."""
    operation = call.extra.get("operation") if call.lane == "data" else None
    return call.lane, call.actor_id, call.tool_name, operation
