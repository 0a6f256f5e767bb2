"""Warn of what looks like evidence and is read by no rule (R6): a tool call, a result, a failure, a log or a transcript
in an unusual place or under an unusual name.

Nothing is read from there, so that nothing is invented. But a run whose calls stand where nobody looks would otherwise
show no fault, and pass for one that was checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice

from trace_store.contract.actors import CATALOG_KEYS
from trace_store.contract.bodies import ENVIRONMENT_KEYS
from trace_store.contract.calls import LOG_KEYS
from trace_store.contract.scalars import integer
from trace_store.contract.tools import TOOLS_KEY
from trace_store.contract.transcript import CALL_PARTS, RESULT_PART, THINKING_PARTS
from trace_store.contract.vocabulary import FAILED_STATUSES
from trace_store.model import JSON, Call, Message, Path, Run, SoftWarning, Step, ToolCall

HARMLESS_PARTS = frozenset({
    "text", "input_text", "output_text", "summary_text", "markdown", "html", "json", "data", "refusal",
    "image", "image_url", "input_image", "output_image", "file", "input_file", "document", "audio", "input_audio",
    "output_audio", "video", "video_url", "input_video", "media", "resource", "resource_link", "search_result",
    "container_upload", "citation", "source", "source-url", "source-document", "step-start", "cachePoint",
})  # fmt: skip
"""The types of content parts that hold neither a call nor a result."""

TEXT_MARKS = (
    "<tool_call>", "<function_calls>", "<function_call>", "<invoke name=", "<function=", "[TOOL_CALLS]",
    "<|python_tag|>",
)  # fmt: skip
"""How models write tool calls that nothing took out of their text."""

_QUIET_PARTS = HARMLESS_PARTS | THINKING_PARTS

_QUIET_KEYS = frozenset({"name", "refusal", "annotations", "audio", "id"})
"""The usual keys of a message that hold nothing of this kind."""

# Keys and types are compared in their plain form: `toolCall`, `tool-call` and `tool_call` are one.
_CALL_KEYS = frozenset({
    "functioncall", "functioncalls", "toolcall", "toolcalls", "tooluse", "tooluses", "toolinvocation",
    "toolinvocations", "toolrequest", "toolrequests",
})  # fmt: skip
_RESULT_KEYS = frozenset({"functionresponse", "toolresult", "toolresults", "toolresponse", "tooloutput", "toolreturn"})
_NAME_KEYS = frozenset({"name", "toolname", "tool", "function", "functionname"})
_TOOL_NAME_KEYS = _NAME_KEYS - {"name"}
_ID_KEYS = frozenset({"callid", "toolcallid", "tooluseid"})
_ARGUMENTS_KEYS = frozenset({
    "arguments", "args", "input", "inputs", "parameters", "params", "kwargs", "payload", "toolinput", "toolargs",
    "toolarguments", "functionargs", "functionarguments",
})  # fmt: skip
_RESPONSE_KEYS = frozenset({
    "output", "outputs", "result", "results", "response", "returnvalue", "observation", "tooloutput", "toolresult",
    "content", "body", "responsebody",
})  # fmt: skip
_TEXT_KEYS = frozenset({"text", "parts", "message", "output", "result", "response", "value", "body"})
_TURN_KEYS = frozenset({"content", "parts", "text", "message", "tool_calls", "value"})
_TRUE_OF_FAILURES = frozenset({"iserror", "haserror", "errored", "failed", "isfailed", "timedout"})
_FALSE_OF_FAILURES = frozenset({"success", "successful", "succeeded", "issuccess", "ok"})
_ERROR_KEYS = frozenset({
    "exception", "errormessage", "errortext", "errortype", "errorcode", "errors", "errorbody", "errorinfo", "failure",
})  # fmt: skip
_STATUS_KEYS = frozenset({"status", "state", "outcome", "httpstatus", "statuscode", "httpstatuscode", "code"})
_FAILED_WORDS = FAILED_STATUSES | {
    "failure", "errored", "exception", "canceled", "aborted", "crashed", "killed", "denied", "rejected",
}  # fmt: skip
_DECLARATION_KEYS = frozenset({"tools", "functions", "tooldefinitions", "availabletools"})

_CALL_NAMES = (
    "tool_name", "status_code", "error_class", "latency_ms", "actor_id", "started_at", "idempotency_key",
    "matched_rule_index",
)  # fmt: skip
_BODY_NAMES = (
    *LOG_KEYS, *CATALOG_KEYS, TOOLS_KEY, "messages", "metadata", "final_response", "error_class", "error_json",
    "trace_events", "judge_passed", "task_input", "task_id", "soft_warnings",
)  # fmt: skip
_READ_ELSEWHERE = frozenset({*CATALOG_KEYS, TOOLS_KEY, "topology", *ENVIRONMENT_KEYS})
"""What stays in the body although it is read."""

_PLAIN_NAME = re.compile(r"[\w.:/@+-]{1,60}")
_LOOKED_AT = 1_000
"""How many entries of an array, or keys of an object, are looked at to tell what it may be."""

_MAX_WARNINGS = 50
"""How many warnings a run gets from here: a hostile one may have as many unknown types as parts."""


def warn_of_unread(run: Run, log: list[JSON], warnings: Iterable[SoftWarning]) -> list[SoftWarning]:
    """Return a warning for each kind of thing that may be evidence and was not read, at the first of them.

    `log` has the entries of the log that was read, `warnings` those of the reading: no path is warned of again.
    """
    notices = _Notices()
    for message in run.messages or ():
        content = message.content
        if isinstance(content, list):
            _look_at_parts(message, content, Path.message(message.index) / "content", notices)
        elif content and message.role == "assistant" and not message.tool_calls and ("<" in content or "[" in content):
            _look_at_text(content, message.index, notices)
        if message.extra and not _QUIET_KEYS.issuperset(message.extra):
            _look_at_keys(message, notices)
        for tool_call in message.tool_calls or ():
            if tool_call.extra and tool_call.arguments is None:
                _look_at_tool_call(tool_call, Path.tool_call(message.index, tool_call.index), notices)
    for call in run.calls:
        if call.extra:
            _look_at_call(call, notices)
    _look_at_body(run, log, notices)
    return notices.warnings(warnings)


class _Notices:
    """What was noticed: each sentence, and key, with the first path and the number of times."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, Step], Path] = {}
        self._counts: dict[tuple[str, Step], int] = {}

    def add(self, path: Path, sentence: str) -> None:
        """Notice something at a path."""
        key = path.steps[-1]
        kind = sentence, key if isinstance(key, str) else ""
        self._places.setdefault(kind, path)
        self._counts[kind] = self._counts.get(kind, 0) + 1

    def warnings(self, earlier: Iterable[SoftWarning]) -> list[SoftWarning]:
        """Return one warning for each kind, but none at the path of an earlier warning."""
        if not self._places:
            return []
        warned = {warning.path for warning in earlier}
        places = {kind: path for kind, path in self._places.items() if path not in warned}
        warnings = []
        for kind, path in islice(places.items(), _MAX_WARNINGS):
            others = self._counts[kind] - 1
            more = f" (and {others:,} more like it)" if others else ""
            warnings.append(SoftWarning("import", path, f"{kind[0]}{more}", "noted"))
        left_out = list(places.values())[_MAX_WARNINGS:]
        if left_out:
            reason = f"{len(left_out):,} more kinds of entries are not understood; the first is here"
            warnings.append(SoftWarning("import", left_out[0], reason, "noted"))
        return warnings


def _look_at_keys(message: Message, notices: _Notices) -> None:
    path = Path.message(message.index)
    is_tool = message.role == "tool"
    is_empty = not message.content and not message.tool_results and not message.tool_calls
    for key, value in message.extra.items():
        plain = _plain(key)
        if is_tool and (_says_failure(key, value) or (key == "error" and value)):
            notices.add(path / key, "this key is not read: it may say that the tool call failed")
        if not value or not isinstance(value, str | dict | list):
            continue
        if plain in _CALL_KEYS and key != "tool_calls":  # that one, of the wrong type, has its warning (R11)
            notices.add(path / key, "this key is not read: it may be a tool call that was not checked")
        elif is_empty and plain in (_RESPONSE_KEYS if is_tool else _TEXT_KEYS):
            what = "the result" if is_tool else "what the message says"
            notices.add(path / key, f"this key is not read: {what} may be in it, for the message has no content")
        elif key == "parts" and isinstance(value, list):
            _look_at_parts(message, value, path / key, notices)


def _look_at_text(text: str, index: int, notices: _Notices) -> None:
    """Notice a tool call in the text of an assistant message, as some models write it, and content parts as a text."""
    mark = next((mark for mark in TEXT_MARKS if mark in text), None)
    if mark is not None:
        sentence = f"the text contains “{mark}”; a tool call in a text is not read and was not checked"
        notices.add(Path.message(index) / "content", sentence)
    elif text.startswith(('[{"type":', "[{'type':")) and any(type_ in text for type_ in CALL_PARTS):
        sentence = "the content parts are a text, which is not read: a tool call in it was not checked"
        notices.add(Path.message(index) / "content", sentence)


def _look_at_tool_call(tool_call: ToolCall, path: Path, notices: _Notices) -> None:
    _look_for_arguments(tool_call.extra, path, notices)
    if isinstance(function := tool_call.extra.get("function"), dict):
        _look_for_arguments(function, path / "function", notices)


def _look_at_parts(message: Message, parts: list[JSON], path: Path, notices: _Notices) -> None:
    quiet = _QUIET_PARTS | CALL_PARTS if message.role == "assistant" else _QUIET_PARTS
    for number, part in enumerate(parts):
        if isinstance(part, dict):
            type_ = part.get("type")
            if not isinstance(type_, str):
                _look_at_untyped_part(part, path / number, notices)
            elif type_ not in quiet:
                _look_at_part(type_, part, message, path / number, notices)


def _look_at_part(type_: str, part: dict[str, JSON], message: Message, path: Path, notices: _Notices) -> None:
    if type_ == RESULT_PART and message.role in ("user", "tool"):
        _look_at_result(part, path, notices)
        return
    what = f"a content part of type {_name(type_)}"
    if type_ in CALL_PARTS or type_ == RESULT_PART:
        what += f" in a message of role {message.role}"  # R45: read, but not there
    plain = _plain(type_)
    if _is_result(plain, part):
        notices.add(path, f"{what} is not understood; it may be the result of a tool call that was not read")
    elif _is_call(plain, part):
        notices.add(path, f"{what} is not understood; it may be a tool call that was not checked")
    elif not isinstance(part.get("text"), str):
        notices.add(path, f"{what} is not understood; what it says was not read")


def _look_at_untyped_part(part: dict[str, JSON], path: Path, notices: _Notices) -> None:
    """Notice a call or a result in a part that has, for a type, one key that says what it is: `toolUse`."""
    key = next((key for key in islice(part, _LOOKED_AT) if _plain(key) in _CALL_KEYS | _RESULT_KEYS), "")
    what = f"a content part with the key {_name(key)}" if key else "a content part without a type"
    if _is_result(_plain(key), part):
        notices.add(path, f"{what} is not understood; it may be the result of a tool call that was not read")
    elif _is_call(_plain(key), part):
        notices.add(path, f"{what} is not understood; it may be a tool call that was not checked")


def _look_at_result(part: dict[str, JSON], path: Path, notices: _Notices) -> None:
    if not part.get("content") and (key := _key_among(part, _RESPONSE_KEYS)) is not None:
        notices.add(path / key, "this key is not read: the result of the tool call may be in it")
    for key, value in islice(part.items(), _LOOKED_AT):
        if key != "is_error" and (_says_failure(key, value) or (key == "error" and value)):
            notices.add(path / key, "this key is not read: it may say that the tool call failed")


def _is_result(plain_type: str, part: dict[str, JSON]) -> bool:
    if plain_type in _RESULT_KEYS or plain_type.endswith(("toolresult", "calloutput", "callresult")):
        return True
    has_arguments = _key_among(part, _ARGUMENTS_KEYS) is not None
    return not has_arguments and _key_among(part, _ID_KEYS) is not None and _key_among(part, _RESPONSE_KEYS) is not None


def _is_call(plain_type: str, part: dict[str, JSON]) -> bool:
    if plain_type in _CALL_KEYS or plain_type.endswith(("toolcall", "tooluse", "call")):
        return True
    is_named = plain_type.startswith("tool") or _key_among(part, _NAME_KEYS) is not None
    return is_named and _key_among(part, _ARGUMENTS_KEYS) is not None


def _look_for_arguments(entry: dict[str, JSON], path: Path, notices: _Notices) -> None:
    """Notice arguments of a call without any, under a key that is not one of theirs (R11, R16)."""
    if (key := _key_among(entry, _ARGUMENTS_KEYS)) is not None:
        notices.add(path / key, "this key is not read: the arguments of the call may be in it")


def _look_at_call(call: Call, notices: _Notices) -> None:
    path = Path.call(call.sequence)
    if call.arguments is None:
        _look_for_arguments(call.extra, path, notices)
    if call.response is None and call.outcome == "ok" and (key := _key_among(call.extra, _RESPONSE_KEYS)) is not None:
        notices.add(path / key, "this key is not read: the response of the call may be in it")
    for key, value in islice(call.extra.items(), _LOOKED_AT):
        if (name := _near_miss(key, value, _CALL_SPELLINGS)) is not None:
            notices.add(path / key, f"this key is not read: the name of this field is {_name(name)}")
        elif call.outcome == "ok" and _says_failure(key, value):
            notices.add(path / key, "this key is not read: it may say that the call failed, but the call counts as ok")


def _says_failure(key: str, value: JSON) -> bool:
    """Return whether an unknown key says that something failed. Only for what counts as a success."""
    plain = _plain(key)
    if isinstance(value, bool):
        return plain in (_TRUE_OF_FAILURES if value else _FALSE_OF_FAILURES)
    if plain in _STATUS_KEYS:
        if isinstance(value, str):
            return value.strip().lower() in _FAILED_WORDS or (value.isdecimal() and len(value) == 3 and value >= "400")
        return 400 <= (integer(value) or 0) <= 599
    return plain in _ERROR_KEYS and bool(value) and isinstance(value, str | dict | list)


def _look_at_body(run: Run, log: list[JSON], notices: _Notices) -> None:
    for key, value in islice(run.extra.items(), _LOOKED_AT):
        if (field := _near_miss(key, value, _BODY_SPELLINGS)) is not None:
            notices.add(Path.of(key), f"this key is not read: the name of this field is {_name(field)}")
        elif key in LOG_KEYS and isinstance(value, list) and value and value != log:
            notices.add(Path.of(key), "this key is not read: a run has one log, which was read from another key")
        elif not run.failed and _says_failure(key, value):
            notices.add(
                Path.of(key),
                "this key is not read: it may say that the run failed, but the run does not count as failed",
            )
        elif _plain(key) in _DECLARATION_KEYS and TOOLS_KEY not in run.extra and _declares_tools(value):
            notices.add(Path.of(key), "this key is not read: it may declare tools, against which no call was checked")
        elif isinstance(value, list | dict) and key not in _READ_ELSEWHERE:
            _look_for_records(run, Path.of(key), value, notices)
    status = run.status or ""
    if not run.failed and status.strip().lower() in _FAILED_WORDS:
        notices.add(Path.of("status"), f"the status {_name(status)} is not one that counts as a failure")
    for key, value in islice((run.metadata or {}).items(), _LOOKED_AT):
        if isinstance(value, list | dict):
            _look_for_records(run, Path.of("metadata", key), value, notices)


def _look_for_records(run: Run, path: Path, value: JSON, notices: _Notices) -> None:
    """Notice an array of calls or of messages that is neither the log nor the transcript, at a path or right below."""
    for steps, entries in _arrays_in(value):
        if _has_calls(entries):
            sentence = "this array is not read: it may hold tool calls that were not checked"
        elif run.messages is None and any(map(_is_turn, _objects(entries))):
            sentence = "this array is not read: it may be the transcript of the run"
        else:
            continue
        notices.add(path.below(steps), sentence)


def _arrays_in(value: JSON) -> Iterator[tuple[tuple[str, ...], list[JSON]]]:
    if isinstance(value, list):
        yield (), value
    elif isinstance(value, dict):
        for key, inner in islice(value.items(), _LOOKED_AT):
            if isinstance(inner, list):
                yield (key,), inner


def _objects(entries: list[JSON]) -> Iterator[dict[str, JSON]]:
    return (entry for entry in islice(entries, _LOOKED_AT) if isinstance(entry, dict))


def _is_turn(entry: dict[str, JSON]) -> bool:
    return isinstance(entry.get("role", entry.get("from")), str) and not _TURN_KEYS.isdisjoint(entry)


def _has_calls(entries: list[JSON]) -> bool:
    """Return whether an array holds calls: entries with the name of a tool and what it was called with or returned, or
    messages with tool calls."""
    for entry in _objects(entries):
        if any(entry.get(key) for key in ("tool_calls", "function_call", "toolCalls")):
            return True
        function = entry.get("function")
        if isinstance(function, dict) and _key_among(function, _ARGUMENTS_KEYS - {"parameters"}) is not None:
            return True
        telling = _ARGUMENTS_KEYS - {"parameters", "payload"}
        if _key_among(entry, _TOOL_NAME_KEYS, str) is not None:
            telling |= _RESPONSE_KEYS
        elif not isinstance(entry.get("name"), str):
            continue
        if _key_among(entry, telling) is not None:
            return True
    return False


def _declares_tools(value: JSON) -> bool:
    return isinstance(value, list) and any(
        isinstance(entry.get("name"), str) or isinstance(entry.get("function"), dict) for entry in _objects(value)
    )


def _key_among(entry: dict[str, JSON], plain_keys: Iterable[str], *types: type) -> str | None:
    """Return the first key of an object that is one of these and has a value, of one of the types if any are given."""
    for key, value in islice(entry.items(), _LOOKED_AT):
        if value is not None and value != "" and _plain(key) in plain_keys and (not types or isinstance(value, types)):
            return key
    return None


def _near_miss(key: str, value: JSON, names: Mapping[str, str]) -> str | None:
    """Return the name of which a key is another spelling, as `statusCode` is of `status_code`."""
    name = None if value is None else names.get(_plain(key))
    return None if name == key else name


@lru_cache(maxsize=2048)
def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower() if len(key) <= 40 else ""


def _name(key: str) -> str:
    """Return a key or type for a sentence: without quotes if it is one plain word."""
    return key if _PLAIN_NAME.fullmatch(key) and key.isprintable() else f"“{key[:60]}{'…' if len(key) > 60 else ''}”"


_CALL_SPELLINGS = {_plain(name): name for name in _CALL_NAMES}
_BODY_SPELLINGS = {_plain(name): name for name in _BODY_NAMES}
