"""Gzip and zip (R41, R43): read through a spool, bounded, and never to a path."""

from __future__ import annotations

import gzip
import io
import json
import stat
import struct
import zipfile

import pytest

from tests.readers.reading import gzipped, items_of, outline_of, rejection_of, rejections_of, zipped
from trace_store.readers import Limits, Rejection, open_documents
from trace_store.readers.files.unpacking import LIMITS

LINES = b'"a"\n"b"\n'
SMALL = Limits(unpacked_bytes=1 << 20, archive_bytes=3 << 20, ratio=10, ratio_from_bytes=1000)


# ---- gzip -------------------------------------------------------------------------------------------------------


def test_gzip_is_told_by_content() -> None:
    assert outline_of(items_of(gzipped(LINES))) == [("line 1", "a"), ("line 2", "b")]


def test_gzip_files_after_one_another_are_one() -> None:
    assert [place for place, _ in outline_of(items_of(gzipped(LINES) + gzipped(b'"c"\n') + b"\0" * 600))] == [
        "line 1",
        "line 2",
        "line 3",
    ]


def test_a_gzip_that_is_cut_short_gives_what_it_can() -> None:
    lines = b"".join(b'{"final_response": "%d"}\n' % (i * 7919) for i in range(2000))
    items = items_of(gzipped(lines)[:-2000])
    assert outline_of(items)[0] == ("line 1", {"final_response": "0"})
    assert len(items) > 500
    assert isinstance(items[-1], Rejection)
    assert (items[-1].place, items[-1].kind, items[-1].reason) == (
        "document",
        "broken_archive",
        "the gzip data is cut short",
    )


def test_a_damaged_gzip() -> None:
    data = bytearray(gzipped(LINES))
    data[-5] ^= 0xFF  # the checksum
    assert [r.reason for r in rejections_of(bytes(data))][-1] == "the gzip data is damaged"
    assert rejection_of(b"\x1f\x8bnot really").kind == "broken_archive"  # and not an empty file besides


def test_what_follows_a_gzip_is_not_passed_over_in_silence() -> None:
    items = items_of(gzipped(LINES) + b'{"final_response": "c"}\n')
    assert outline_of(items) == [("line 1", "a"), ("line 2", "b"), ("document", "!broken_archive")]
    assert rejections_of(gzipped(LINES) + b"x")[0].reason == "something else follows the gzip data"


def test_a_gzip_bomb_is_refused_before_anything_of_it_is_read() -> None:
    bomb = gzipped(b'"a"\n' + b" " * 100_000)
    assert rejection_of(bomb, SMALL).reason == "unpacks to more than 10 times its size"
    large = gzipped(bytes(range(256)) * 10 * 1024)
    assert rejection_of(large, Limits(unpacked_bytes=1 << 20)).reason == "unpacks to more than 1 MB"


def test_an_archive_in_a_gzip_is_not_opened() -> None:
    for inner in (gzipped(LINES), zipped({"a.jsonl": LINES})):
        assert rejection_of(gzipped(inner)).kind == "nested_archive"


# ---- zip --------------------------------------------------------------------------------------------------------


def test_the_members_of_a_zip_in_the_order_of_their_names() -> None:
    data = zipped(
        {
            "b.json": b'{"runs": ["x"]}',
            "a/inner.jsonl": LINES,
            "c.NDJSON.GZ": gzipped(b'"z"\n"y"'),
            "a/one.json": b'{"final_response": "1"}',
        }
    )
    assert outline_of(items_of(data)) == [
        ("a/inner.jsonl: line 1", "a"),
        ("a/inner.jsonl: line 2", "b"),
        ("a/one.json: document", {"final_response": "1"}),
        ("b.json: runs[0]", "x"),
        ("c.NDJSON.GZ: line 1", "z"),
        ("c.NDJSON.GZ: line 2", "y"),
    ]


def test_what_else_a_zip_holds_is_skipped_by_name_or_not_even_named() -> None:
    data = zipped(
        {
            "a.jsonl": LINES,
            "README.md": b"#",
            "x.tar.gz": b"",
            ".DS_Store": b"",
            "__MACOSX/a.json": b"{",
            "d/.h/b.json": b"{",
        }
    )
    with open_documents(io.BytesIO(data)) as reading:
        assert len(list(reading)) == 2
        assert reading.skipped == ["README.md", "x.tar.gz"]


def test_an_empty_zip_holds_nothing() -> None:
    assert outline_of(items_of(zipped({}))) == [("document", "!no_runs")]


def member_with(name: str, *, mode: int = 0, content: bytes = LINES) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        archive.writestr(info, content)
        archive.writestr("z.json", '"fine"')
    return memory.getvalue()


@pytest.mark.parametrize(
    "name",
    [
        "../a.json",
        "x/../../a.json",
        "/etc/a.json",
        "C:\\a.json",
        "..\\a.json",
        "x\\..\\a.json",
        "../.hidden",
        "\\a.json",
    ],
)
def test_a_name_that_leads_out_is_refused(name: str) -> None:
    items = items_of(member_with(name))
    assert sorted(outline_of(items)) == sorted([(name, "!unsafe_member"), ("z.json: document", "fine")])


@pytest.mark.parametrize("name", ["a..b.json", "x/...json", "a/b..", "c.json"])
def test_dots_in_a_name_are_no_way_out(name: str) -> None:
    assert not [item for item in rejections_of(member_with(name)) if item.kind == "unsafe_member"]


def test_a_symbolic_link_is_refused() -> None:
    items = items_of(member_with("a.json", mode=stat.S_IFLNK | 0o777, content=b"/etc/passwd"))
    assert outline_of(items) == [("a.json", "!unsafe_member"), ("z.json: document", "fine")]


def test_an_archive_in_a_zip_is_refused_by_name_and_by_content() -> None:
    inner = zipped({"x.json": b'"x"'})
    assert outline_of(items_of(zipped({"a.zip": inner, "b.json": inner, "c.json.gz": gzipped(inner)}))) == [
        ("a.zip", "!nested_archive"),
        ("b.json", "!nested_archive"),
        ("c.json.gz", "!nested_archive"),
    ]


def test_an_encrypted_member_is_refused() -> None:
    data = bytearray(zipped({"a.json": b'"a"', "b.json": b'"b"'}))
    # The flag stands in the member's own header and in the directory's entry.
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert outline_of(items_of(bytes(data))) == [("a.json", "!encrypted_member"), ("b.json: document", "b")]


def test_members_over_the_limits_are_refused() -> None:
    noise = json.dumps(list(range(300_000))).encode()
    assert outline_of(items_of(zipped({"a.json": noise + b" " * (1 << 20), "b.json": b'"b"'}), SMALL)) == [
        ("a.json", "!too_large"),
        ("b.json: document", "b"),
    ]
    bomb = zipped({"a.json": b'"' + b" " * 100_000 + b'"', "b.json": b'"b"'})
    assert outline_of(items_of(bomb, SMALL)) == [("a.json", "!archive_bomb"), ("b.json: document", "b")]
    flat = zipped({f"{i}.json": b'"' + b"x" * (1 << 19) + b'"' for i in range(8)}, zipfile.ZIP_STORED)
    kinds = [item.kind if isinstance(item, Rejection) else "read" for item in items_of(flat, SMALL)]
    assert kinds == ["read"] * 5 + ["archive_bomb"] * 3


def test_a_member_that_is_more_than_its_directory_says() -> None:
    data = bytearray(zipped({"a.json": b'"' + b"x" * 5000 + b'"', "b.json": b'"b"'}))
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 10)
    assert outline_of(items_of(bytes(data))) == [("a.json", "!broken_archive"), ("b.json: document", "b")]


def test_a_damaged_member_does_not_cost_the_others() -> None:
    data = bytearray(zipped({"a.json": b'"aaaa"', "b.json": b'"b"'}, zipfile.ZIP_STORED))
    data[data.index(b"aaaa")] ^= 1
    items = items_of(bytes(data))
    assert outline_of(items) == [("a.json", "!broken_archive"), ("b.json: document", "b")]


def test_a_damaged_archive() -> None:
    data = zipped({"a.json": b'"a"'})
    for broken in (data[:-10], data[: len(data) // 2], b"PK\x03\x04" + b"\0" * 100):
        assert rejection_of(broken).kind == "broken_archive"


def test_an_archive_with_too_many_members_is_not_listed() -> None:
    data = zipped({f"{i}.json": b'"x"' for i in range(40)})
    assert rejection_of(data, Limits(members=5)).reason == "the archive has more than 5 members"
    assert len(items_of(data, LIMITS)) == 40


def test_any_damage_to_an_archive_is_a_rejection() -> None:
    data = zipped({"a.json": b'{"final_response": "a"}', "b/c.jsonl.gz": gzipped(LINES)})
    for at in range(len(data)):
        for byte in (0x00, 0xFF, data[at] ^ 0x01):
            items_of(data[:at] + bytes([byte]) + data[at + 1 :])


def test_any_damage_to_a_gzip_is_a_rejection() -> None:
    data = gzip.compress(LINES * 20)
    for at in range(len(data)):
        items_of(data[:at])
        items_of(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
