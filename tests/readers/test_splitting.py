"""The byte scanner finds the same values whatever the window, and says where it cannot go on."""

from __future__ import annotations

import io
import json
import tracemalloc

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_store.model import JSON
from trace_store.readers.parsing.splitting import NO_WALK, Splitter, Walk
from trace_store.readers.rejections import MalformedInputError

TEXTS = st.text(st.sampled_from(list('ab"\\{}[]:,é😀\n \u0000')), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 10**6) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
# Objects that begin alike, as in an export, so that the separator recurs.
RECORDS = st.fixed_dictionaries({"run_id": TEXTS, "of": VALUES}) | st.fixed_dictionaries({"run_id": VALUES})
WINDOWS = st.integers(2, 70)
STYLES = st.sampled_from([{}, {"indent": 1}, {"indent": 0}, {"separators": (",", ":")}, {"ensure_ascii": False}])


def dumped(value: JSON, style: dict[str, JSON]) -> bytes:
    return json.dumps(value, **style).encode()


@given(st.lists(VALUES | RECORDS, max_size=8) | st.lists(RECORDS, max_size=8), WINDOWS, STYLES)
def test_the_elements_of_an_array(values: list[JSON], window: int, style: dict[str, JSON]) -> None:
    data = b" " + dumped(values, style) + b" "
    splitter = Splitter(io.BytesIO(data), window)
    spans = list(splitter.elements(1))
    assert [orjson.loads(splitter.read(span.start, span.end)) for span in spans] == values
    assert [span.value for span in spans if span.value is not None] == [
        value for span, value in zip(spans, values, strict=True) if span.value is not None
    ]


@given(st.dictionaries(TEXTS, VALUES, max_size=5), WINDOWS, STYLES)
def test_the_members_of_an_object(value: dict[str, JSON], window: int, style: dict[str, JSON]) -> None:
    data = dumped(value, style)
    splitter = Splitter(io.BytesIO(data), window)
    for walk in (NO_WALK, Walk(dict.fromkeys(value, Walk(dict.fromkeys(value, NO_WALK))))):
        outline = splitter.outline(0, walk)
        assert (outline.end, outline.fault) == (len(data), None)
        read = {member.name: orjson.loads(splitter.read(member.start, member.end or 0)) for member in outline.members}
        assert read == value


@given(VALUES, WINDOWS, STYLES, st.sampled_from([b"", b" ", b",", b"]", b"}"]))
def test_the_end_of_a_value(value: JSON, window: int, style: dict[str, JSON], after: bytes) -> None:
    data = dumped(value, style)
    assert Splitter(io.BytesIO(data + after), window).end_of_value(0) == len(data)


@given(st.lists(RECORDS, min_size=1, max_size=6), WINDOWS, st.data())
def test_an_array_that_is_cut_yields_what_is_whole(values: list[JSON], window: int, data: st.DataObject) -> None:
    text = json.dumps(values).encode()
    cut = data.draw(st.integers(1, len(text) - 1))
    splitter = Splitter(io.BytesIO(text[:cut]), window)
    whole, fault = [], None
    try:
        for span in splitter.elements(0):
            if span.fault is None:
                whole.append(orjson.loads(splitter.read(span.start, span.end)))
            else:
                fault = span.fault
    except MalformedInputError as error:
        fault = error
    assert whole == values[: len(whole)]
    assert fault is not None and fault.kind == "truncated_json"
    # What is missing is what the cut has taken.
    rest = json.dumps(values[: len(whole) + 1]).encode()[:-1]
    assert len(whole) == len(values) or not text[:cut].startswith(rest)


@pytest.mark.parametrize(
    ("text", "kind", "offset"),
    [
        (b'["a" "b"]', "broken_json", 5),
        (b'["a",]', "broken_json", 5),
        (b"[,1]", "broken_json", 1),
        (b"[1}", "broken_json", 2),
        (b"[", "truncated_json", 1),
        (b"[1", "truncated_json", 2),
        (b"[1, ", "truncated_json", 4),
    ],
)
def test_faults_between_elements(text: bytes, kind: str, offset: int) -> None:
    with pytest.raises(MalformedInputError) as caught:
        list(Splitter(io.BytesIO(text)).elements(0))
    assert (caught.value.kind, caught.value.offset) == (kind, offset)


@pytest.mark.parametrize(
    ("text", "kind", "offset", "names"),
    [
        (b'{"a": 1 "b": 2}', "broken_json", 8, ["a"]),
        (b"{a: 1}", "broken_json", 1, []),
        (b'{"a" 1}', "broken_json", 5, []),
        (b'{"a": }', "broken_json", 6, ["a"]),
        (b'{"a": [1, 2', "truncated_json", 11, ["a"]),
        (b'{"a": 1, "b', "truncated_json", 11, ["a"]),
        (b'{"a": 1, "b"', "truncated_json", 12, ["a"]),
        (b'{"a": 1', "truncated_json", 7, ["a"]),
        (b"{", "truncated_json", 1, []),
    ],
)
def test_faults_between_members(text: bytes, kind: str, offset: int, names: list[str]) -> None:
    outline = Splitter(io.BytesIO(text)).outline(0, Walk(a=NO_WALK))
    assert outline.fault is not None
    assert (outline.fault.kind, outline.fault.offset) == (kind, offset)
    assert [member.name for member in outline.members] == names


def test_a_guess_that_fails_costs_nothing_but_time() -> None:
    # The separator of the first two recurs inside of the third, and in none of the others.
    values = [{"a": 1}, {"a": 2}, {"b": [{"c": 1}, {"a": 2}, {"a": 3}]}, {"d": '}, {"a": '}, {"a": 4}, [{"a": 5}], 6]
    for separators in ((", ", ": "), (",", ":")):
        data = json.dumps(values, separators=separators).encode()
        splitter = Splitter(io.BytesIO(data))
        assert [orjson.loads(splitter.read(s.start, s.end)) for s in splitter.elements(0)] == values


def test_objects_that_begin_alike_are_found_by_their_separator() -> None:
    values = [{"run_id": f"r{i}", "a": [{"x": "}"}]} for i in range(100)]
    for style in ({}, {"indent": 2}, {"separators": (",", ":")}):
        spans = list(Splitter(io.BytesIO(dumped(values, style))).elements(0))
        assert sum(span.value is not None for span in spans) == 98


@pytest.mark.parametrize(
    "text",
    [
        b'["' + b'\\"' * 500_000,
        b"[" * 50_000,
        b'{"":' * 50_000,
        b'["",' * 50_000,
        b"[" + b'""' * 500_000,
        b"[1" + b" " * 1_000_000,
    ],
)
def test_hostile_bytes_take_no_memory(text: bytes) -> None:
    splitter = Splitter(io.BytesIO(text), 1 << 16)
    tracemalloc.start()
    with pytest.raises(MalformedInputError):
        splitter.end_of_value(0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000
