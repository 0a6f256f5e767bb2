"""The run document as the transcript component's data: items in the order of the original messages (R15).

Pure: no Streamlit, no clock, no store.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence

from app.components.answer import list_facts
from app.components.findings import get_title
from app.components.frontend import encode_json
from app.components.transcript.content_parts import build_results, encode_thinking, find_call_parts
from app.components.transcript.log import Log, compare_answer, encode_arguments, encode_block
from app.components.transcript.payload_types import (
    DroppedItem,
    FinalItem,
    HeadingItem,
    Item,
    LogItem,
    MessageItem,
    Note,
    Notes,
    ThinItem,
    ToolCallData,
    TranscriptData,
)
from app.dropped_messages import dropped_messages, explain_thin, is_drop
from trace_store.evidence import Answer
from trace_store.model import JSON, Message, Path, Run, ToolCall

NAMES = ("name", "actor", "actor_id")
"""Where a message says who spoke. The contract has no such field, exports of several agents do."""
FINAL = Path("final_response")
_SHOWN_AT_END = (FINAL, "response_error", "error", "error_class", "status")
_SHOWN_AS_WARNING = "rich_mode_dropped"  # R14: the warning itself is shown there


def build_transcript(run: Run, raw_messages: Sequence[JSON] | None = None) -> TranscriptData:
    """Return what the transcript component shows of `run`.

    `raw_messages` is the original `messages` array, from which dropped entries are shown; without it their
    placeholders only give the reason.
    """
    notes = collect_notes(run)
    log = Log(run, notes)
    messages = {message.index: message for message in run.messages or []}
    answers = _collect_answers(messages.values())
    reasons = explain_gaps(run)
    items: list[Item] = []
    for index in sorted(messages.keys() | reasons.keys()):
        message = messages.get(index)
        if message is None:
            items.append(_build_dropped(index, reasons[index], raw_messages, notes))
        else:
            paths = {Path.tool_call(index, call.index): call for call in message.tool_calls or []}
            calls = [_build_call(call, path, answers.get(path), log, notes) for path, call in paths.items()]
            items.append(_build_message(message, calls, notes))
    items = _merge_log(items, log, rich=bool(messages))
    if not messages:
        items.insert(0, _build_thin(run))
    items.append(_build_final(run, items, notes))
    return TranscriptData(
        run_id=run.run_id,
        judge_passed=run.judge_passed,
        has_log=run.has_log,
        items=items,
        calls=log.build_calls(),
        chains=log.build_chains(),
        suggestions={actor.path: actor.suggestion for actor in run.actors if actor.path and actor.suggestion},
    )


def _collect_answers(messages: Iterable[Message]) -> dict[Path, Answer]:
    """Return what answers each tool call: a tool message, or a result in a content part (R45)."""
    answers: dict[Path, Answer] = {}
    for message in messages:
        if message.answers is not None:
            answers[message.answers] = Answer(message)
        for result in message.tool_results:
            if result.answers is not None:
                answers[result.answers] = Answer(message, result)
    return answers


def collect_notes(run: Run) -> Notes:
    """Return the findings and warnings by the message, tool call or logged call that they are about, or `FINAL`.

    What is about a tool call that did not survive is shown at its message. A warning that dropped a whole message is
    the reason of the placeholder (`explain_gaps`); other paths are not the transcript's to show.
    """
    tool_calls = {
        Path.tool_call(message.index, call.index) for message in run.messages or [] for call in message.tool_calls or []
    }
    notes: defaultdict[Path, list[Note]] = defaultdict(list)
    for warning in run.warnings:
        item = warning.path and _find_item(warning.path, tool_calls)
        if item and warning.path and not is_drop(warning):
            rest = warning.path[len(item) :].lstrip(".")
            message = f"{rest}: {warning.reason}" if rest else warning.reason
            notes[item].append(Note(severity="warning", title=f"{warning.origin} warning", message=message))
    for finding in run.findings:
        item = _find_item(finding.path, tool_calls)
        if item and finding.kind != _SHOWN_AS_WARNING:
            title = get_title(finding.kind)
            notes[item].append(Note(severity=finding.severity, kind=finding.kind, title=title, message=finding.message))
    return dict(notes)


def _find_item(path: Path, tool_calls: set[Path]) -> Path | None:
    """Return the path of the item or card that shows what is at `path`."""
    if path.call_sequence is not None:
        return Path.call(path.call_sequence)
    if path.message_index is None:
        return FINAL if path.root in _SHOWN_AT_END else None
    tool_call = Path.tool_call(path.message_index, path.tool_call_index or 0)
    whole = Path.message(path.message_index)
    return tool_call if path.tool_call_index is not None and tool_call in tool_calls else whole


def explain_gaps(run: Run) -> dict[int, str]:
    """Return why each missing message is missing, by its index in the original array (R8, R9, R15)."""
    survivors = {message.index for message in run.messages or []}
    reasons = dropped_messages(run)
    for index in range(max(survivors, default=-1)):
        if index not in survivors:
            reasons.setdefault(index, "no reason is recorded")
    return reasons


def _build_message(message: Message, calls: list[ToolCallData], notes: Notes) -> MessageItem:
    item = MessageItem(type="message", index=message.index, role=message.role)
    named_by = next((key for key in NAMES if isinstance(message.extra.get(key), str) and message.extra[key]), None)
    if named_by is not None:
        item["name"] = message.extra[named_by]
    if isinstance(message.content, str):
        item["content"] = message.content
    elif message.content is not None:
        item["parts"] = [encode_json(part) for part in message.content]
        if call_parts := find_call_parts(message):
            item["part_calls"] = {str(part): call for part, call in call_parts.items()}
        if message.tool_results:
            item["results"] = build_results(message)
    if message.tool_call_id is not None:
        item["tool_call_id"] = message.tool_call_id
    if calls:
        item["calls"] = calls
    if (answered := _find_tool_call(message)) is not None:
        item["answers"] = answered
    if thinking := encode_thinking(message):
        item["thinking"] = thinking
    if message.extra:
        item["extra"] = encode_json(message.extra)
    if message.extra.keys() - {named_by}:
        item["more"] = True
    if own := notes.get(Path.message(message.index)):
        item["notes"] = own
    return item


def _find_tool_call(message: Message) -> tuple[int, int] | None:
    """Return the numbers of the message and the tool call that a tool message answers."""
    path = message.answers
    if path is None or path.message_index is None or path.tool_call_index is None:
        return None
    return path.message_index, path.tool_call_index


def _build_call(call: ToolCall, path: Path, answer: Answer | None, log: Log, notes: Notes) -> ToolCallData:
    data = ToolCallData(index=call.index, name=call.name)
    if call.id:
        data["id"] = call.id
    arguments, undecoded = encode_arguments(call.arguments, call.arguments_decoded)
    if arguments is not None:
        data["arguments"] = arguments
    if undecoded is not None:
        data["undecoded"] = undecoded
    if answer is not None:
        data["answer"] = answer.message.index
        if answer.result is not None:
            data["answer_part"] = answer.result.part
    if call.receipt is not None:
        about_answer = notes.get(answer.path, []) if answer else []
        agreement = compare_answer(log.calls[call.receipt], answer, about_answer)
        log.link(call.receipt, arguments, agreement)
        data["receipt"] = call.receipt
        if agreement is not None:
            data["agreement"] = agreement
    if call.extra:
        data["extra"] = encode_json(call.extra)
    if own := notes.get(path):
        data["notes"] = own
    return data


def _build_dropped(index: int, reason: str, raw_messages: Sequence[JSON] | None, notes: Notes) -> DroppedItem:
    item = DroppedItem(type="dropped", index=index, reason=reason)
    if raw_messages is not None and index < len(raw_messages):
        item["entry"] = replace_surrogates(json.dumps(raw_messages[index], indent=2, ensure_ascii=False))
    if own := notes.get(Path.message(index)):
        item["notes"] = own
    return item


def replace_surrogates(text: str) -> str:
    """Return the text as it can be sent: the original of a document may hold half a surrogate pair."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _merge_log(items: list[Item], log: Log, *, rich: bool) -> list[Item]:
    """Return the items with the chains that no card shows: after the receipt that they follow in the log (R38), or,
    where their actor works outside the transcript or nothing pairs at all, in a section of their own at the end."""
    actors = log.list_paired_actors()
    following: dict[int, list[LogItem]] = {}
    apart: list[LogItem] = []
    receipts = _locate_receipts(items)
    order = sorted(receipts)
    for chain in log.list_unpaired_chains():
        if chain.actor_id in actors:
            before = bisect_left(order, chain.calls[0])
            at = receipts[order[before - 1]] if before else -1
            following.setdefault(at, []).append(LogItem(type="log", chain=chain.chain, apart=False))
        else:
            apart.append(LogItem(type="log", chain=chain.chain, apart=rich))
    merged: list[Item] = [*following.get(-1, [])]
    for position, item in enumerate(items):
        merged += [item, *following.get(position, [])]
    if apart:
        calls = sum(len(log.chains[item["chain"]].calls) for item in apart)
        merged += [HeadingItem(type="heading", call_count=calls, chain_count=len(apart)), *apart]
    return merged


def _locate_receipts(items: Sequence[Item]) -> dict[int, int]:
    """Return the position of the item after which a call that follows a receipt stands: its message's last answer."""
    positions: dict[int, int] = {}
    of_message: dict[int, int] = {}
    for position, item in enumerate(items):
        if item["type"] != "message":
            continue
        of_message[item["index"]] = position
        answered = [result["answers"] for result in item.get("results", {}).values() if "answers" in result]
        for message, _ in [*answered, *([item["answers"]] if "answers" in item else [])]:
            of_message[message] = position
    for item in items:
        if item["type"] == "message":
            for call in item.get("calls", []):
                if "receipt" in call:
                    positions[call["receipt"]] = of_message[item["index"]]
    return positions


def _build_thin(run: Run) -> ThinItem:
    exported = [warning.reason for warning in run.warnings if warning.origin == "export"]
    return ThinItem(type="thin", reason=explain_thin(run), export_warnings=exported)


def _build_final(run: Run, items: Sequence[Item], notes: Notes) -> FinalItem:
    item = FinalItem(type="final", failed=run.failed)
    if run.final_response is not None:
        holder: FinalItem | MessageItem = item
        if run.messages and run.messages[-1].content == run.final_response:
            item["same_as"] = last = run.messages[-1].index
            holder = next(one for one in items if one["type"] == "message" and one["index"] == last)
        else:
            item["text"] = run.final_response
        if facts := list_facts(run):
            holder["facts"] = facts
    if run.final_response is not None and run.final_response_cut != 0:
        item["cut"] = run.final_response_cut
    if run.response_error is not None:
        item["response_error"] = run.response_error
    if run.error_class is not None:
        item["error_class"] = run.error_class
    if run.error is not None:
        item["error"] = encode_block(run.error)
    if run.status is not None:
        item["status"] = run.status
    if own := notes.get(FINAL):
        item["notes"] = own
    return item
