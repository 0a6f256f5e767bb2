"""Whatever the bytes: the reader never raises, and what is JSON comes back as it was."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st

from tests.readers.reading import documents_of, gzipped, items_of, zipped
from trace_store.model import JSON
from trace_store.readers import Document, Rejection, read_body
from trace_store.readers.rejections import HINTS

TEXTS = st.text(max_size=8) | st.text(st.sampled_from(list('"\\{}[]:,\ud800\x00é😀')), max_size=5)
NUMBERS = st.integers(-(2**70), 2**70) | st.floats() | st.integers(-9, 9)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=10,
)
KEYS = st.sampled_from(
    ["final_response", "messages", "calls", "run_id", "runs", "items", "scenarios", "output", "detail"]
)
OBJECTS = st.dictionaries(KEYS, VALUES | st.lists(st.dictionaries(KEYS, VALUES, max_size=3), max_size=3), max_size=4)

# Pieces of JSON, put together as they come.
PIECES = st.sampled_from(
    [*(bytes([byte]) for byte in b'{}[],:"\\\n 1<\xff\x00'), b"\r\n", b'"a"', b'{"final_response": "x"}', b'"runs"',
     b'"scenarios"', b"null", b"NaN", b"<html>", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"PK\x03\x04"]
)  # fmt: skip


def check(items: list[Document | Rejection]) -> None:
    for item in items:
        found = read_body(item) if isinstance(item, Document) else item
        if isinstance(found, Rejection):
            assert found.hint == HINTS[found.kind]
            assert found.place and found.reason and "\n" not in found.reason


@given(st.binary(max_size=200) | st.lists(PIECES, max_size=20).map(b"".join))
@example(b"[" * 5000)
@example(b'{"runs":[' * 500)
def test_no_bytes_raise(data: bytes) -> None:
    check(items_of(data))
    check(items_of(b'{"final_response": "x"}\n' + data))
    check(items_of(b"[" + data))
    check(items_of(b'{"runs": [' + data))
    check(items_of(b'{"scenarios": [{"runs": [' + data))
    check(items_of(gzipped(data)))
    check(items_of(zipped({"a.json": data})))


@given(OBJECTS, st.data())
def test_no_cut_raises(value: JSON, data: st.DataObject) -> None:
    text = json.dumps(value).encode()
    check(items_of(text[: data.draw(st.integers(0, len(text)))]))


@given(st.lists(OBJECTS | TEXTS, min_size=2, max_size=5), st.sampled_from([None, 0, 2]))
def test_lines_arrays_and_elements_give_the_same_documents(values: list[JSON], indent: int | None) -> None:
    """The same bytes of a value are the same document, wherever they stand."""
    lines = b"\n".join(json.dumps(value).encode() for value in values)
    array = json.dumps(values, indent=indent).encode()
    found = [(item.place.partition(": ")[2], item.value, item.digest) for item in _documents(lines + b"\n\n")]
    other = [(_below(item.place), item.value, item.digest) for item in _documents(array)]
    assert found == other


def _documents(data: bytes) -> list[Document]:
    return [item for item in items_of(data) if isinstance(item, Document)]


def _below(place: str) -> str:
    return place.partition("]")[2].removeprefix(".")


@given(st.lists(VALUES, min_size=2, max_size=5))
def test_a_line_keeps_its_bytes(values: list[JSON]) -> None:
    texts = [json.dumps({"final_response": value}).encode() for value in values]
    documents = documents_of(b"\r\n".join(texts))
    assert [document.raw for document in documents] == texts


@given(
    VALUES,
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.sampled_from([b"", b"\n", b" \r\n\n"]),
    st.sampled_from([None, 1]),
)
def test_a_file_keeps_its_bytes(value: JSON, before: bytes, after: bytes, indent: int | None) -> None:
    data = before + json.dumps({"final_response": value}, indent=indent).encode() + after
    (document,) = documents_of(data)
    assert document.raw == data
    if _is_plain(value):
        assert document.value == {"final_response": value}
        assert document.warnings == []


def _is_plain(value: JSON) -> bool:
    """Whether orjson and Python agree on the value: no NaN, no long integer, no lone surrogate."""
    text = json.dumps(value)
    return not any(word in text for word in ("NaN", "Infinity", "\\ud")) and not _long(value)


def _long(value: JSON) -> bool:
    if isinstance(value, dict | list):
        return any(map(_long, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and not -(2**63) <= value < 2**64


@given(VALUES)
def test_reading_what_was_kept_gives_the_same_document(value: JSON) -> None:
    first = documents_of(json.dumps({"final_response": value}).encode())[0]
    (again,) = documents_of(first.raw)
    assert (again.value, again.digest, again.raw) == (first.value, first.digest, first.raw)
