"""The run document as the transcript component's data: items in the order of the original messages (R15).

Pure: no Streamlit, no clock, no store.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence

from app.components.answer_facts import facts_of
from app.components.payload import json_text
from app.components.transcript.log import Log, agreement, arguments_of, block
from app.components.transcript.notes import FINAL, dropped_reasons, notes_by_place
from app.components.transcript.payload_types import (
    AskedCall,
    DroppedItem,
    FinalItem,
    HeadingItem,
    Item,
    LogItem,
    MessageItem,
    Note,
    ThinItem,
    TranscriptData,
)
from trace_store.model import JSON, Message, Run, ToolCall

Place = tuple[int, int]
"""A tool call of the transcript: the index of its message, and its own in that message, as paths name them."""


NAMES = ("name", "actor", "actor_id")
"""Where a message says who spoke. The contract has no such field, exports of several agents do."""


def transcript_data(run: Run, raw_messages: Sequence[JSON] | None = None) -> TranscriptData:
    """What the transcript component shows of `run`.

    `raw_messages` is the original `messages` array, from which dropped entries are shown; without it their
    placeholders only give the reason.
    """
    notes = notes_by_place(run)
    log = Log(run, notes)
    messages = run.messages or []
    answered = {message.index: place for message in messages if (place := _place(message.answers)) is not None}
    answer_of = {place: message for message, place in answered.items()}
    by_index = {message.index: message for message in messages}

    items: list[Item] = []
    reasons = dropped_reasons(run)
    for index in sorted(by_index.keys() | reasons.keys()):
        message = by_index.get(index)
        if message is None:
            items.append(_dropped(index, reasons[index], raw_messages))
        else:
            calls = [
                _asked(call, index, by_index.get(answer_of.get((index, call.index), -1)), log, notes)
                for call in message.tool_calls or []
            ]
            items.append(_message(message, calls, answered.get(index), notes))
    items = _with_log(items, log, rich=bool(messages))
    if not messages:
        items.insert(0, _thin(run, len(reasons)))
    items.append(_final(run, items, messages, notes))
    return TranscriptData(
        run_id=run.run_id,
        has_log=run.has_log,
        items=items,
        calls=log.wire_calls(),
        chains=log.wire_chains(),
        suggestions={actor.path: actor.suggestion for actor in run.actors if actor.path and actor.suggestion},
    )


def _place(path: str | None) -> Place | None:
    if path is None:
        return None
    message, _, call = path.removeprefix("messages[").removesuffix("]").partition("].tool_calls[")
    return int(message), int(call)


def _message(
    message: Message, calls: list[AskedCall], answers: Place | None, notes: dict[str, list[Note]]
) -> MessageItem:
    item = MessageItem(type="message", index=message.index, role=message.role)
    named_by = next((key for key in NAMES if isinstance(message.extra.get(key), str) and message.extra[key]), None)
    if named_by is not None:
        item["name"] = message.extra[named_by]
    if isinstance(message.content, str):
        item["content"] = message.content
    elif message.content is not None:
        item["parts"] = [json_text(part) for part in message.content]
    if message.tool_call_id is not None:
        item["tool_call_id"] = message.tool_call_id
    if calls:
        item["calls"] = calls
    if answers is not None:
        item["answers"] = answers
    if message.thinking:
        item["thinking"] = [json_text(block) for block in message.thinking]
    if message.extra:
        item["extra"] = json_text(message.extra)
    if message.extra.keys() - {named_by}:
        item["more"] = True
    own = notes.get(f"messages[{message.index}]")
    if own:
        item["notes"] = own
    return item


def _asked(
    call: ToolCall, message_index: int, answer: Message | None, log: Log, notes: dict[str, list[Note]]
) -> AskedCall:
    asked = AskedCall(index=call.index, name=call.name)
    if call.id:
        asked["id"] = call.id
    arguments, undecoded = arguments_of(call.arguments, call.arguments_decoded)
    if arguments is not None:
        asked["arguments"] = arguments
    if undecoded is not None:
        asked["undecoded"] = undecoded
    if answer is not None:
        asked["answer"] = answer.index
    if call.receipt is not None:
        said = notes.get(f"messages[{answer.index}]", []) if answer else []
        agreed = agreement(log.calls[call.receipt], answer, said)
        log.link(call.receipt, arguments, agreed)
        asked["receipt"] = call.receipt
        if agreed is not None:
            asked["agreement"] = agreed
    if call.extra:
        asked["extra"] = json_text(call.extra)
    own = notes.get(f"messages[{message_index}].tool_calls[{call.index}]")
    if own:
        asked["notes"] = own
    return asked


def _dropped(index: int, reason: str, raw_messages: Sequence[JSON] | None) -> DroppedItem:
    item = DroppedItem(type="dropped", index=index, reason=reason)
    if raw_messages is not None and index < len(raw_messages):
        entry = json.dumps(raw_messages[index], indent=2, ensure_ascii=False)
        # The original may hold what the wire cannot: half a surrogate pair.
        item["entry"] = entry.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return item


def _with_log(items: list[Item], log: Log, *, rich: bool) -> list[Item]:
    """Puts in the chains that no card shows: after the receipt that they follow in the log (R38), or, where their
    actor works outside the transcript or nothing pairs at all, in a section of their own at the end."""
    actors = log.paired_actors()
    following: dict[int, list[LogItem]] = {}
    apart: list[LogItem] = []
    receipts = _items_of_receipts(items)
    order = sorted(receipts)
    for chain in log.unpaired():
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


def _items_of_receipts(items: Sequence[Item]) -> dict[int, int]:
    """The position of the item after which a call that follows a receipt stands: the last answer of its message."""
    positions: dict[int, int] = {}
    of_message: dict[int, int] = {}
    for position, item in enumerate(items):
        if item["type"] != "message":
            continue
        if "answers" in item:
            of_message[item["answers"][0]] = position
        else:
            of_message[item["index"]] = position
    for item in items:
        if item["type"] == "message":
            for call in item.get("calls", []):
                if "receipt" in call:
                    positions[call["receipt"]] = of_message[item["index"]]
    return positions


def _thin(run: Run, dropped: int) -> ThinItem:
    whole = [warning.reason for warning in run.warnings if warning.origin == "import" and warning.path == "messages"]
    if whole:
        reason = f"The messages could not be read: {whole[0]}."
    elif dropped:
        noun = "message" if dropped == 1 else "messages"
        reason = f"None of the {dropped:,} {noun} of the export could be kept."
    else:
        reason = "The export carries no messages, only the final response."
    said = [warning.reason for warning in run.warnings if warning.origin == "export"]
    return ThinItem(type="thin", reason=reason, export_warnings=said)


def _final(run: Run, items: Sequence[Item], messages: Sequence[Message], notes: dict[str, list[Note]]) -> FinalItem:
    item = FinalItem(type="final", failed=run.failed)
    if run.final_response is not None:
        stands_in: FinalItem | MessageItem = item
        if messages and messages[-1].content == run.final_response:
            item["same_as"] = last = messages[-1].index
            stands_in = next(one for one in items if one["type"] == "message" and one["index"] == last)
        else:
            item["text"] = run.final_response
        if facts := facts_of(run):
            stands_in["facts"] = facts
    if run.final_response is not None and run.final_response_cut != 0:
        item["cut"] = run.final_response_cut
    if run.response_error is not None:
        item["response_error"] = run.response_error
    if run.error_class is not None:
        item["error_class"] = run.error_class
    if run.error is not None:
        item["error"] = block(run.error)
    if run.status is not None:
        item["status"] = run.status
    own = notes.get(FINAL)
    if own:
        item["notes"] = own
    return item
