"""What is not a run, row by row (R43): kind, reason and hint, and never an exception."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from tests.readers.reading import items_of, make_document, outline_of, rejection_of
from trace_store.model import JSON
from trace_store.readers import Body, Rejection, open_documents, read_body
from trace_store.readers.parsing import parse
from trace_store.readers.rejections import HINTS


def refused(value: JSON) -> Rejection:
    """The rejection of a JSON value that is no run."""
    rejection = read_body(make_document(json.dumps(value).encode()))
    assert isinstance(rejection, Rejection)
    return rejection


TEXTS = {
    "empty": (b"", "empty", "the file is empty"),
    "empty_with_mark": (b"\xef\xbb\xbf", "empty", "the file is empty"),
    "blank": (b" \n\t\r\n", "empty", "the file is blank"),
    "html": (
        b"<!DOCTYPE html>\n<html><head><title>Sign in\n to continue</title></head><body></body></html>",
        "html",
        "a web page (“Sign in to continue”), probably a login or proxy page",
    ),
    "html_with_entities": (
        b"<html><title>Sign in &amp; continue &#8211; &lt;proxy&gt;</title>",
        "html",
        "a web page (“Sign in & continue – <proxy>”), probably a login or proxy page",
    ),
    "html_after_a_comment": (
        b"\n<!-- proxy --> <HTML lang=en>",
        "html",
        "a web page (without a title), probably a login or proxy page",
    ),
    "xml": (b'<?xml version="1.0"?><runs/>', "markup", "markup (XML?), not JSON"),
    "text": (b"no runs today\n", "text", "plain text, not JSON: it begins “no runs today”"),
    "csv": (
        b"run_id,answer\nr1,yes\n",
        "csv",
        "a table of values separated by commas (CSV), with the columns `run_id`, `answer`",
    ),
    "log": (
        b"2026-01-01 10:00:00 INFO start\n2026-01-01 10:00:01 ERROR no\n",
        "text",
        "a plain-text log: its first line begins with a time",
    ),
    "utf16_text": (
        "no runs today\n".encode("utf-16"),
        "text",
        "plain text, not JSON: it begins “no runs today”",
    ),
    "empty_list": (b"[]", "no_runs", "it holds no run: the list or archive is empty"),
    "two_values": (b'"a" "b"', "broken_json", "broken JSON at line 1, column 5: extra data"),
    "broken": (
        b'{\n  "final_response": "x",\n  "a": \xc3\xa9\n}',
        "broken_json",
        "broken JSON at line 3, column 8: expecting value",
    ),
    "broken_after_wide_characters": (
        '{"final_response": "éé😀", x}'.encode(),
        "broken_json",
        "broken JSON at line 1, column 27: expecting property name enclosed in double quotes",
    ),
    "truncated": (
        b'{\n  "final_response": "x"',
        "truncated_json",
        "JSON is cut short at line 2, column 24: expecting ',' delimiter",
    ),
    "truncated_in_a_string": (
        b'{"final_response": "x',
        "truncated_json",
        "JSON is cut short at line 1, column 20: unterminated string starting at",
    ),
    "png": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary", "binary data: a PNG image"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "binary", "binary data: a PDF"),
    "sqlite": (b"SQLite format 3\x00\x10\x00", "binary", "binary data: a SQLite database"),
    "zstd": (b"\x28\xb5\x2f\xfd\x00\x00", "binary", "binary data: zstd-compressed"),
    "binary": (b"runs\x00\x01\x02\xff", "binary", "binary data: byte 0x00 at offset 4"),
    "utf16_without_a_mark": (
        '{"a": 1}'.encode("utf-16-le"),
        "binary",
        "binary data: byte 0x00 at offset 1, perhaps UTF-16 without a byte order mark",
    ),
    "invalid_utf8": (b'{"final_response": "caf\xe9"}', "invalid_utf8", "invalid UTF-8 at byte 23"),
    "invalid_utf8_after_a_mark": (b'\xef\xbb\xbf{"x": "\xff"}', "invalid_utf8", "invalid UTF-8 at byte 10"),
    "surrogate_as_bytes": (b'"\xed\xa0\x80"', "invalid_utf8", "invalid UTF-8 at byte 1"),
    "invalid_utf16": (b"\xff\xfe\x22\x00\x00\xd8\x22\x00", "invalid_utf8", "invalid UTF-16 at byte 4"),
    "cut_utf16": (b"\xff\xfe\x22\x00\x22", "invalid_utf8", "invalid UTF-16 at byte 4"),
    "too_deep": (b'{"a":' * 201 + b"1" + b"}" * 201, "too_deep", "nested deeper than 200 levels"),
    "run_too_deep": (
        b'{"final_response": "x", "a": ' + b"[" * 200 + b"]" * 200 + b"}\n",
        "too_deep",
        "nested deeper than 200 levels",
    ),
    "far_too_deep": (b'{"a":' * 100_000, "too_deep", "nested deeper than 200 levels"),
}


@pytest.mark.parametrize(("data", "kind", "reason"), TEXTS.values(), ids=TEXTS)
def test_a_text_that_is_no_document(data: bytes, kind: str, reason: str) -> None:
    rejection = rejection_of(data)
    assert rejection == Rejection("document", kind, reason, HINTS[kind])


@pytest.mark.parametrize(
    ("line", "kind", "reason"),
    [
        (b"<html><title>502</title>", "html", "a web page (“502”), probably a login or proxy page"),
        (b'{"a" 1}', "broken_json", "broken JSON at line 2, column 6: expecting ':' delimiter"),
        (b"\x00\x00\x00", "binary", "binary data: byte 0x00 at offset 0"),
        (b'"\xff"', "invalid_utf8", "invalid UTF-8 at byte 1 of the line, byte 5 of the file"),
        (b"[" * 201 + b"]" * 201, "too_deep", "nested deeper than 200 levels"),
    ],
)
def test_in_lines_only_the_line_is_rejected(line: bytes, kind: str, reason: str) -> None:
    items = items_of(b'"a"\n' + line + b'\n"c"\n')
    assert outline_of(items) == [("line 1", "a"), ("line 2", f"!{kind}"), ("line 3", "c")]
    assert isinstance(items[1], Rejection) and items[1].reason == reason


VALUES = {
    "null": (None, "not a run: found null"),
    "true": (True, "not a run: found a boolean"),
    "number": (42, "not a run: found a number"),
    "zero": (0, "not a run: found a number"),
    "one": (1.0, "not a run: found a number"),
    "empty_object": ({}, "not a run: found an empty object"),
    "object": ({"name": "x", "steps": []}, "not a run: found an object with the keys `name`, `steps`"),
    "many_keys": (
        {f"k{i}": i for i in range(10)},
        "not a run: found an object with the keys `k0`, `k1`, `k2`, `k3`, `k4`, `k5`, `k6`, `k7` and 2 more",
    ),
}


@pytest.mark.parametrize(("value", "reason"), VALUES.values(), ids=VALUES)
def test_another_json_value(value: JSON, reason: str) -> None:
    rejection = refused(value)
    assert (rejection.place, rejection.kind) == ("document", "not_a_run")
    assert rejection.reason == f"{reason}, and a run needs a final_response or a transcript"
    assert "final_response" in rejection.hint


def test_an_array_in_an_array_is_no_run() -> None:
    rejection = read_body(make_document(b"[[1, 2]]"))
    assert isinstance(rejection, Rejection)
    assert rejection.reason.startswith("not a run: found an array of 2")


API_ERRORS = {
    "401": ({"status_code": 401, "detail": "no"}, "AuthenticationError: Dystopic API error 401: no"),
    "403": ({"status": 403, "message": "no"}, "ForbiddenError: Dystopic API error 403: no"),
    "404": ({"status": 404, "detail": "Not Found"}, "NotFoundError: Dystopic API error 404: Not Found"),
    "409": ({"status_code": 409, "message": "key reused"}, "ConflictError: Dystopic API error 409: key reused"),
    "422": (
        {"status_code": 422, "detail": [{"loc": ["body", "x"], "msg": "field required"}, {"msg": "too long"}]},
        "ValidationError: Dystopic API error 422: field required; too long",
    ),
    "429": (
        {"status_code": 429, "detail": "slow down", "retry_after": 2.5},
        "RateLimitError: Dystopic API error 429: slow down (retry after 2.5 s)",
    ),
    "429_in_detail": (
        {"status_code": 429, "detail": {"message": "slow down", "retry_after": 30}},
        "RateLimitError: Dystopic API error 429: slow down (retry after 30 s)",
    ),
    "429_without": ({"status": 429, "detail": "slow"}, "RateLimitError: Dystopic API error 429: slow"),
    "500": ({"status": 500, "detail": "oops"}, "ServerError: Dystopic API error 500: oops"),
    "599": ({"status_code": "599", "detail": "oops"}, "ServerError: Dystopic API error 599: oops"),
    "302": ({"status_code": 302, "detail": "moved"}, "DystopicAPIError: Dystopic API error 302: moved"),
    "600": ({"status": 600, "detail": "odd"}, "DystopicAPIError: Dystopic API error 600: odd"),
    "as_digits": ({"status": "401", "message": "no"}, "AuthenticationError: Dystopic API error 401: no"),
    "word": ({"status": "error", "detail": "x"}, "DystopicAPIError: Dystopic API error (no status): x"),
    "418": ({"status_code": 418, "detail": "teapot"}, "DystopicAPIError: Dystopic API error 418: teapot"),
    "none": ({"detail": "Not authenticated"}, "DystopicAPIError: Dystopic API error (no status): Not authenticated"),
    "structured": (
        {"detail": {"error_class": "run_token_expired", "message": "The run token has expired."}},
        "DystopicAPIError: Dystopic API error (no status): The run token has expired.",
    ),
    "only_a_class": (
        {"status": 401, "detail": {"error_class": "run_token_expired"}},
        "AuthenticationError: Dystopic API error 401: run_token_expired",
    ),
    "both": (
        {"status": 403, "message": "quota", "detail": {"x": 1}},
        "ForbiddenError: Dystopic API error 403: quota",
    ),
}


@pytest.mark.parametrize(("value", "reason"), API_ERRORS.values(), ids=API_ERRORS)
def test_an_api_error_is_named_after_its_status(value: JSON, reason: str) -> None:
    assert refused(value) == Rejection("document", "api_error", reason, HINTS["api_error"])


@pytest.mark.parametrize(
    "value",
    [
        {"message": "done"},
        {"message": "done", "status": "completed"},
        {"detail": "x", "status_code": 500, "messages": []},
        {"detail": "x", "status": 401, "final_response": None},
        {"detail": "x", "error": {"error_class": "auth_failed"}},
    ],
)
def test_a_run_is_no_api_error(value: JSON) -> None:
    body = read_body(make_document(json.dumps(value).encode()))
    assert isinstance(body, Body) and body.format == "run-body"


def test_a_reason_is_one_line_of_bounded_length_and_without_secrets() -> None:
    reason = refused({"status": 500, "detail": "Bearer abcdefghijklmnop0123\n" + "x" * 10_000}).reason
    assert reason.startswith("ServerError: Dystopic API error 500: [redacted] xxx")
    assert len(reason) < 300 and "\n" not in reason
    page = rejection_of(b"<html><title>Bearer abcdefghijklmnop0123</title>")
    assert page.reason == "a web page (“[redacted]”), probably a login or proxy page"


def test_a_path_that_cannot_be_read() -> None:
    for path, reason in (("/nowhere/runs.json", "No such file or directory"), ("a\0b", "embedded null byte")):
        (rejection,) = open_documents(path)
        assert isinstance(rejection, Rejection)
        assert (rejection.kind, rejection.reason) == ("unreadable", f"cannot be read: {reason}")


@pytest.mark.parametrize(
    "text",
    [
        b"<!--a-->" * 5000,
        b"<!--" * 10_000,
        b"<title" * 10_000 + b"</title",
        b"<html><title>" * 5000 + b"</title",
        b"<" + b" " * 60_000,
    ],
)
def test_hostile_markup_takes_no_time(text: bytes) -> None:
    assert rejection_of(text).kind in ("html", "markup")


def test_a_transcript_or_a_log_without_end_is_no_run() -> None:
    for key in ("messages", "calls", "proxy_log"):
        rejection = read_body(
            make_document(b'{"final_response": "x", "' + key.encode() + b'": [' + b"0," * 500_000 + b"0]}")
        )
        assert isinstance(rejection, Rejection)
        assert (rejection.kind, rejection.reason) == ("too_large", f"`{key}` has 500,001 entries, and may have 500,000")


def test_too_many_containers_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "_MAX_CONTAINERS", 1000)
    assert rejection_of(b'{"final_response": "x", "a": [' + b"[]," * 1000 + b"0]}").kind == "too_large"
    assert make_document(b'{"final_response": "x", "a": [' + b"[]," * 900 + b"0]}").redactions == 0


@pytest.mark.parametrize(
    ("member", "kind", "reason"),
    [
        ("[Content_Types].xml", "binary", "an Office document (a spreadsheet or a text), not JSON"),
        ("chart.png", "no_runs", "no member of this archive holds runs by its name"),
    ],
)
def test_an_archive_without_runs_is_named_for_what_it_is(member: str, kind: str, reason: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(member, b"x")
    rejection = rejection_of(packed.getvalue())
    assert (rejection.kind, rejection.reason) == (kind, reason)
