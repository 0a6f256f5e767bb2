"""What a tool message told the model, and whether that is what a receipt says (R36)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

import orjson

from trace_store.contract.arguments import canonical, decode_arguments
from trace_store.contract.outcomes import OTHER_ERROR_BODIES
from trace_store.evidence.literals import NotALiteralError, read_literal
from trace_store.model import JSON, Call, Message

_LONG_NUMBER = re.compile(r"[0-9]{19,}")
Form: TypeAlias = str | bytes
"""A text, or the canonical writing of a JSON value: equal for equal values."""

_TEXT_KEYS = ("message", "detail", "error", "reason")
"""Under which keys an error body says in words what happened."""


def text_of(content: str | list[JSON] | None) -> str:
    """The text of a message: its content, or that of its text parts, one after another."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    parts = []
    for part in content:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            parts.append(text)
    return "\n".join(parts)


def tells(message: Message, response: JSON) -> bool:
    """Whether a tool message tells the model the response of its receipt: as JSON, as text, as a Python literal, or
    with the response's `error` alone (R36)."""
    if (
        isinstance(message.content, str)
        and isinstance(response, dict | list)
        and _is_plainly(message.content, response)
    ):
        return True
    wanted = set(forms_of(response))
    return any(form in wanted for form in forms_told(message))


def _is_plainly(text: str, response: JSON) -> bool:
    """Whether a text is the response as JSON, by the short way that most go: the very text, or one that is written
    alike once the blanks are gone. A no decides nothing."""
    try:
        written, told = orjson.dumps(response), text.encode()
        return told == written or orjson.dumps(orjson.loads(told)) == written
    except (ValueError, TypeError):  # no JSON, or none that orjson reads or writes
        return False


def forms_of(response: JSON) -> list[Form]:
    """The forms in which a response may be told, one of which a message that tells it has."""
    forms: list[Form] = [canonical(response)]
    if isinstance(response, str):
        forms.append(response.strip())
    elif response is None:
        forms.append("")
    elif isinstance(response, dict) and (error := response.get("error")) is not None:
        forms.append(canonical(error))
        if isinstance(error, str):
            forms.append(error.strip())
    return forms


def forms_told(message: Message) -> Iterator[Form]:
    """The forms of what a message tells: its value, its text, and the value of a Python literal."""
    if not isinstance(message.content, str):
        yield canonical(message.content)
    text = text_of(message.content).strip()
    yield text
    told = decoded(text)
    yield canonical(told)
    if told is text:
        with suppress(NotALiteralError):
            yield canonical(read_literal(text))


def decoded(text: str) -> JSON:
    """The JSON value that a text holds, or else the text itself."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
    if _LONG_NUMBER.search(text):
        # As in a document, an integer beyond 64 bits is its text (R43); orjson makes it a float.
        wrapped, complete = decode_arguments(f'{{"value":{text}}}')
        return wrapped["value"] if complete else value
    return value


def admits_failure(message: Message, receipt: Call | None) -> bool:
    """Whether a tool message says anything of the error that its receipt failed with: an object with an `error` key,
    or a text with the class, the status, the receipt's error text or the word `error` in it (R36).

    Without a receipt, only the key and the word count."""
    text = text_of(message.content)
    told = decoded(text.strip())
    if isinstance(told, dict) and "error" in told:
        return True
    if receipt is None:
        return has_words(text, ["error"])
    if receipt.outcome == "injected_failure" and tells(message, receipt.response):
        return True  # a rule made the payload, and the model was told just that
    needles = ["error", receipt.error_class or "", *error_texts(receipt)]
    if receipt.status_code is not None:
        needles.append(str(receipt.status_code))
    return has_words(text, [needle for needle in needles if needle])


def error_texts(call: Call) -> list[str]:
    """Everything that the error bodies of a failed call say in words."""
    texts: list[str] = []
    for body in (call.error, *(call.extra.get(key) for key in OTHER_ERROR_BODIES), call.response):
        _collect(body, texts, 0)
    return texts


def has_words(text: str, needles: list[str]) -> bool:
    """Whether one of the needles stands in a text as whole words, in any case."""
    folded = text.casefold()
    return any(_stands_in(folded, needle.casefold()) for needle in needles)


def _stands_in(text: str, needle: str) -> bool:
    at = text.find(needle)
    while at >= 0:
        end = at + len(needle)
        starts = at == 0 or not (_is_word(text[at - 1]) and _is_word(needle[0]))
        ends = end == len(text) or not (_is_word(text[end]) and _is_word(needle[-1]))
        if starts and ends:
            return True
        at = text.find(needle, at + 1)
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _collect(body: JSON, texts: list[str], depth: int) -> None:
    if isinstance(body, str):
        if body.strip():
            texts.append(body.strip())
    elif isinstance(body, dict) and depth < 3:
        for key in _TEXT_KEYS:
            _collect(body.get(key), texts, depth + 1)
