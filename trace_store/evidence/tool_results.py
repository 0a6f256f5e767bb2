"""Compare the result that the model received, in a tool message or a content part (R45), with its receipt (R36)."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

import orjson

from trace_store.contract.arguments import canonical, decode_arguments
from trace_store.contract.outcomes import OTHER_ERROR_BODIES
from trace_store.evidence.transcript_calls import Answer
from trace_store.model import JSON, Call

Form: TypeAlias = str | bytes
"""A text, or the canonical JSON of a value: equal for equal values."""

MAX_LITERAL_LENGTH = 100_000
"""Characters of a Python literal that are parsed: the syntax tree takes 500 times the memory of its text."""

_LONG_NUMBER = re.compile(r"[0-9]{19,}")
_TEXT_KEYS = ("message", "detail", "error", "reason")  # of the texts in an error body


def text_of(content: str | list[JSON] | None) -> str:
    """Return the text of a message: its content, or that of its text parts, joined by line breaks."""
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


def holds_response(answer: Answer, response: JSON) -> bool:
    """Return whether an answer holds the response of its receipt: as JSON, as text, as a Python literal, or the
    response's `error` alone (R36)."""
    content = answer.content
    if isinstance(content, str) and isinstance(response, dict | list) and _is_json_of(content, response):
        return True
    expected = set(response_forms(response))
    return any(form in expected for form in answer_forms(answer))


def _is_json_of(text: str, response: JSON) -> bool:
    """Return whether a text is the response as JSON, by a fast check that covers most: the same text, or the same
    without blanks. False means unknown."""
    try:
        json, encoded = orjson.dumps(response), text.encode()
        return encoded == json or orjson.dumps(orjson.loads(encoded)) == json
    except (ValueError, TypeError):  # not JSON, or none that orjson reads or writes
        return False


def response_forms(response: JSON) -> list[Form]:
    """Return the forms of a response: an answer with that response has one of them."""
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


def answer_forms(answer: Answer) -> Iterator[Form]:
    """Yield the forms of an answer: its value, its text, and the value of a Python literal."""
    content = answer.content
    if not isinstance(content, str):
        yield canonical(content)
    text = text_of(content).strip()
    yield text
    value = decode(text)
    yield canonical(value)
    if value is text:
        with suppress(ValueError):
            yield canonical(parse_literal(text))


def decode(text: str) -> JSON:
    """Return the JSON value of a text, or else the text itself."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
    if _LONG_NUMBER.search(text):
        # As in a document, an integer beyond 64 bits is its text (R43); orjson makes it a float.
        wrapped, complete = decode_arguments(f'{{"value":{text}}}')
        return wrapped["value"] if complete else value
    return value


def parse_literal(text: str) -> JSON:
    """Return the JSON value of a Python literal, a tuple as an array: frameworks that give a result to the model with
    `str()` write `{'a': None}` (R36). Raises ValueError for anything else, and for what is too long or too deep."""
    if len(text) > MAX_LITERAL_LENGTH:
        raise ValueError("too long for a literal")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of unknown escapes
            return _to_json(ast.literal_eval(text))
    except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError("not a literal") from error


def _to_json(value: object) -> JSON:
    match value:
        case None | bool() | float() | str():
            return value
        case int() if abs(value) < 10**400:
            return value
        case list() | tuple():
            return [_to_json(item) for item in value]
        case dict() if all(isinstance(key, str) for key in value):
            return {key: _to_json(item) for key, item in value.items()}
    raise ValueError("not a JSON value")


def contradicts(answer: Answer, receipt: Call) -> bool:
    """Return whether an answer differs from the response of its receipt, or hides the failure (R36)."""
    if receipt.outcome in ("ok", "application_error"):
        return not holds_response(answer, receipt.response)
    return not mentions_failure(answer, receipt)


def mentions_failure(answer: Answer, receipt: Call | None) -> bool:
    """Return whether an answer says anything of the error that its receipt failed with: an object with an `error` key,
    or a text with the class, the status, the receipt's error text or the word `error` in it (R36); or `is_error`,
    whatever its words (R45).

    Without a receipt, only the key, the word and `is_error` count."""
    if answer.is_error:
        return True
    text = text_of(answer.content)
    value = decode(text.strip())
    if isinstance(value, dict) and "error" in value:
        return True
    if receipt is None:
        return _has_words(text, ["error"])
    if receipt.outcome == "injected_failure" and holds_response(answer, receipt.response):
        return True  # a rule made the payload, and the model was given just that
    needles = ["error", receipt.error_class or "", *_error_texts(receipt)]
    if receipt.status_code is not None:
        needles.append(str(receipt.status_code))
    return _has_words(text, [needle for needle in needles if needle])


def _error_texts(call: Call) -> list[str]:
    """Return all texts in the error bodies of a failed call."""
    texts: list[str] = []
    for body in (call.error, *(call.extra.get(key) for key in OTHER_ERROR_BODIES), call.response):
        _collect_texts(body, texts, 0)
    return texts


def _collect_texts(body: JSON, texts: list[str], depth: int) -> None:
    if isinstance(body, str):
        if body.strip():
            texts.append(body.strip())
    elif isinstance(body, dict) and depth < 3:
        for key in _TEXT_KEYS:
            _collect_texts(body.get(key), texts, depth + 1)


def _has_words(text: str, needles: list[str]) -> bool:
    """Return whether a text contains one of the needles as whole words, in any case."""
    folded = text.casefold()
    return any(_has_word(folded, needle.casefold()) for needle in needles)


def _has_word(text: str, needle: str) -> bool:
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
