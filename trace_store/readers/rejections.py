"""What is not a run, and how that is said: one `Rejection` a document, each kind with its hint (R43).

A reason quotes the input (a title, a message, key names), so every reason passes the redaction of R44 first.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from trace_store.contract.bodies import http_status
from trace_store.contract.scalars import kind_of
from trace_store.model import JSON
from trace_store.readers.redaction import redact_text

QUOTED = 200  # characters of foreign text that a reason may quote

HINTS = {
    "html": "sign in, or fetch the export from the API itself, and save that",
    "markup": "export the runs as JSON",
    "api_error": "the file holds an error instead of runs: repeat the export",
    "broken_json": "the file was edited, or several values were joined: write one JSON value per line, or one array",
    "truncated_json": "the export was cut short: repeat it",
    "csv": "export the runs as JSON or JSONL: a table has no transcripts and no logged calls",
    "text": "export the runs as JSON or JSONL",
    "empty": "repeat the export",
    "no_runs": "export the runs as .json or .jsonl; nothing was imported",
    "binary": "export the runs as JSON, JSONL, or either in gzip or zip",
    "invalid_utf8": "save the file as UTF-8",
    "not_a_run": "a run is a JSON string, or an object with `final_response`, `messages` or `proxy_calls`",
    "too_deep": "no run is nested that deep: look for a value that contains itself",
    "too_large": "export each run as its own document",
    "unsafe_member": "create the archive again from inside the folder of the runs",
    "encrypted_member": "unpack it with its password, then import the files",
    "nested_archive": "unpack the inner archive, then import the files",
    "archive_bomb": "if you trust it, unpack it yourself, then import the files",
    "broken_archive": "the archive is damaged or cut short: copy it again",
    "unreadable": "check that the path exists and that you may read it",
    "internal": "this is a bug: the rest of the file was read; please report this document",
}


@dataclass(slots=True)
class Rejection:
    """A document that is not imported: its place, a stable `kind` (a key of `HINTS`), why, and what to do.
    `file` is filled in by whoever reads more than one."""

    place: str
    kind: str
    reason: str
    hint: str
    file: str | None = None


def reject(place: str, kind: str, reason: str) -> Rejection:
    """Return a rejection with the hint of its kind, and no secret in its reason (R44)."""
    return Rejection(place, kind, redact_text(reason), HINTS[kind])


def quote(text: str) -> str:
    """Return foreign text on one line, at most `QUOTED` characters of it."""
    line = " ".join(text.split())
    return line if len(line) <= QUOTED else f"{line[:QUOTED]}…"


# ---- API errors -------------------------------------------------------------------------------------------------

API_ERRORS = {
    401: "AuthenticationError",
    403: "ForbiddenError",
    404: "NotFoundError",
    409: "ConflictError",
    422: "ValidationError",
    429: "RateLimitError",
}


def describe_api_error(value: dict[str, JSON]) -> str | None:
    """Return the reason to reject an API error body, or None for another value. It must not be a run (R43)."""
    if value.get("detail") is None and value.get("message") is None:
        return None
    status = http_status(value)
    name = API_ERRORS.get(status or 0) or ("ServerError" if status and 500 <= status <= 599 else "DystopicAPIError")
    text = "(no status)" if status is None else str(status)
    reason = f"{name}: Dystopic API error {text}: {quote(_message(value))}"
    retry_after = _retry_after(value)
    return f"{reason} (retry after {retry_after} s)" if status == 429 and retry_after is not None else reason


def _message(value: dict[str, JSON]) -> str:
    detail, message = value.get("detail"), value.get("message")
    if isinstance(message, str) and message:
        return message
    if isinstance(detail, dict):
        text = detail.get("message") or detail.get("error_class")
        return str(text) if text else str(detail)
    if isinstance(detail, list):  # one entry a field that was refused
        return "; ".join(str(entry.get("msg", entry)) if isinstance(entry, dict) else str(entry) for entry in detail)
    return str(detail if detail is not None else message)


def _retry_after(value: dict[str, JSON]) -> JSON:
    detail = value.get("detail")
    for body in (value, detail if isinstance(detail, dict) else {}):
        if isinstance(body.get("retry_after"), int | float | str) and not isinstance(body["retry_after"], bool):
            return quote(str(body["retry_after"]))
    return None


# ---- other JSON -------------------------------------------------------------------------------------------------


def refuse_non_run(place: str, value: JSON) -> Rejection:
    """Return the rejection of a JSON value that is not a run: as an API error, or naming what it is (R43)."""
    if isinstance(value, dict):
        reason = describe_api_error(value)
        if reason is not None:
            return reject(place, "api_error", reason)
        keys = ", ".join(f"`{quote(key)}`" for key in list(value)[:8])
        more = f" and {len(value) - 8} more" if len(value) > 8 else ""
        description = f"an object with the keys {keys}{more}" if keys else "an empty object"
    elif isinstance(value, list):
        description = f"an array of {len(value)}" if value else "an empty array"
    else:
        description = kind_of(value)
    return reject(
        place, "not_a_run", f"not a run: found {description}, and a run needs a final_response or a transcript"
    )


# ---- text that is not JSON ---------------------------------------------------------------------------------------

_TAG = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|script|div|h1|p)\b", re.I)
_COMMENT, _COMMENT_END = b"<!--", b"-->"
_BLANK = re.compile(rb"\s*")
_TITLE = re.compile(rb"<title[^<>]{0,200}>([^<]{0,2000})</title", re.I)
_MAGIC = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed"),
    (b"\xfd7zXZ\x00", "xz-compressed"),
    (b"BZh", "bzip2-compressed"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def refuse_markup(place: str, head: bytes) -> Rejection | None:
    """Reject HTML and other markup by the first bytes of a document; None where it is neither (R43)."""
    if _TAG.match(_after_comments(head)):
        match = _TITLE.search(head)
        title = quote(html.unescape(match[1].decode("utf-8", "replace"))) if match else ""
        text = f"a web page (“{title}”)" if title else "a web page (without a title)"
        return reject(place, "html", f"{text}, probably a login or proxy page")
    if head.lstrip().startswith(b"<"):
        return reject(place, "markup", "markup (XML?), not JSON")
    return None


def _after_comments(head: bytes) -> bytes:
    """Return what follows the white space and the complete comments in front, of which a page may have many."""
    at = _past_blank(head, 0)
    while head.startswith(_COMMENT, at) and (end := head.find(_COMMENT_END, at + len(_COMMENT))) >= 0:
        at = _past_blank(head, end + len(_COMMENT_END))
    return head[at:]


def _past_blank(head: bytes, at: int) -> int:
    match = _BLANK.match(head, at)
    return match.end() if match else at


def refuse_binary(place: str, head: bytes) -> Rejection | None:
    """Reject binary data by the first bytes of a document; None where they could be text (R43)."""
    for magic, name in _MAGIC:
        if head.startswith(magic) and (len(magic) > 3 or _CONTROL.search(head)):
            return reject(place, "binary", f"binary data: {name}")
    control = _CONTROL.search(head)
    if control is None:
        return None
    byte, at = control[0][0], control.start()
    utf16 = re.match(rb"\x00[^\x00]\x00", head[at:]) is not None
    guess = ", perhaps UTF-16 without a byte order mark" if utf16 else ""
    return reject(place, "binary", f"binary data: byte 0x{byte:02x} at offset {at}{guess}")


_SENTENCE = re.compile(r"[^\[\]{}]*")
_JSON_START = re.compile(r"""\s*(?:[\[{"]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*(?:$|[,\]}])|true\b|false\b|null\b)""")
_TIME = re.compile(r"\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}


def refuse_plain_text(place: str, head: bytes) -> Rejection | None:
    """Reject a table of separated values, a log, and other text that no JSON begins like, by the first bytes of a
    document; None where it may be meant as JSON (R43)."""
    lines = [line for line in head.decode("utf-8", "replace").splitlines()[:3] if line.strip()]
    if not lines:
        return None
    if _TIME.match(lines[0]):
        return reject(place, "text", "a plain-text log: its first line begins with a time")
    if _JSON_START.match(lines[0]):
        return None
    for separator, name in _SEPARATORS.items():
        count = lines[0].count(separator)
        if count and len(lines) > 1 and _SENTENCE.fullmatch(lines[0]) and lines[1].count(separator) >= count:
            columns = ", ".join(f"`{quote(column.strip())}`" for column in lines[0].split(separator)[:5])
            return reject(place, "csv", f"a table of values separated by {name} (CSV), with the columns {columns}")
    if len(lines) > 1 or " " in lines[0].strip():
        return reject(place, "text", f"plain text, not JSON: it begins “{quote(lines[0][:80].strip())}”")
    return None


class MalformedInputError(Exception):
    """`kind` of the rejection it becomes, why, and the offset of the byte at which it shows."""

    def __init__(self, kind: str, reason: str, offset: int = 0) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.offset = offset
