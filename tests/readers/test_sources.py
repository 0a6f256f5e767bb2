"""Where documents come from: files, folders, streams, and texts in other encodings (R41, R43)."""

from __future__ import annotations

import errno
import io
import os
import threading
from pathlib import Path

import pytest

from tests.readers.reading import gzipped, items_of, outline_of, zipped
from trace_store.readers import Document, Rejection, list_files, open_documents

TEXT = '{"final_response": "naïve 😀"}'


class Pipe(io.RawIOBase):
    """A stream that can be read once, a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]  # typeshed's Buffer is newer than our Python
        return self._data.readinto(view[:7])


@pytest.mark.parametrize("data", [b'"a"\n"b"', b'["a", "b"]', b'{"runs": ["a", "b"]}', gzipped(b'"a"\n"b"')])
def test_a_stream_that_cannot_be_read_twice(data: bytes) -> None:
    with Pipe(data) as pipe, open_documents(pipe) as reading:  # type: ignore[arg-type]  # a raw stream reads as well
        values = [item.value for item in reading if isinstance(item, Document)]
        assert values == ["a", "b"]
        assert reading.size_bytes == len(data)


def test_a_named_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b'["a", "b"]',))
    writer.start()
    assert [place for place, _ in outline_of(list(open_documents(path)))] == ["[0]", "[1]"]
    writer.join()


def test_a_stream_is_read_from_its_start_and_left_open() -> None:
    stream = io.BytesIO(b'"a"')
    stream.read()
    assert outline_of(list(open_documents(stream))) == [("document", "a")]
    assert not stream.closed


def test_a_file_by_path_or_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "runs.txt"
    path.write_bytes(b'"a"\n"b"\n')
    for source in (path, str(path)):
        with open_documents(source) as reading:
            assert [place for place, _ in outline_of(list(reading))] == ["line 1", "line 2"]
            assert (reading.size_bytes, reading.skipped) == (8, [])


def test_a_reading_that_is_not_finished_closes_its_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.zip"
    path.write_bytes(zipped({"a.jsonl": b'"a"\n"b"\n'}))
    with open_documents(path) as reading:
        next(reading)
    with pytest.raises(StopIteration):
        next(reading)


def test_how_far_a_reading_is(tmp_path: Path) -> None:
    lines = b'{"final_response": "0123456789"}\n' * 20_000
    path = tmp_path / "runs"
    for data in (lines, gzipped(lines), zipped({"a.jsonl": lines, "b.jsonl": lines})):
        path.write_bytes(data)
        with open_documents(path) as reading:
            seen = [0]
            for index, _ in enumerate(reading):
                if index % 2_000 == 0:
                    seen.append(reading.bytes_done)
            assert reading.size_bytes == len(data)
            assert seen == sorted(seen)
            assert len(data) * 0.8 < seen[-1] <= len(data)


# ---- folders ----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "exports"
    for name in (
        "b.jsonl",
        "a/x.json",
        "a/y.ndjson.gz",
        "c.ZIP",
        "notes.txt",
        ".hidden.json",
        ".git/x.json",
        "run.json.bak",
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b'"%s"' % name.encode())
    return root


def named(paths: list[Path], root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in paths]


def test_the_files_of_a_folder(folder: Path) -> None:
    listing = list_files(folder)
    assert named(listing.files, folder) == ["a/x.json", "a/y.ndjson.gz", "b.jsonl", "c.ZIP"]
    assert named(listing.skipped, folder) == ["notes.txt", "run.json.bak"]


def test_links_lead_nowhere_outside(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.json").write_text('"secret"')
    (folder / "out.json").symlink_to(outside / "secret.json")
    (folder / "away").symlink_to(outside)
    (folder / "again").symlink_to(folder)
    (folder / "gone.json").symlink_to(folder / "nothing.json")
    (folder / "same.json").symlink_to(folder / "a" / "x.json")
    os.mkfifo(folder / "pipe.json")
    listing = list_files(folder)
    assert named(listing.files, folder) == ["a/x.json", "a/y.ndjson.gz", "b.jsonl", "c.ZIP", "same.json"]
    assert {"again", "away", "gone.json", "out.json", "pipe.json"} <= set(named(listing.skipped, folder))


def test_a_folder_that_a_link_names_is_read(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert named(list_files(link).files, link) == ["a/x.json", "a/y.ndjson.gz", "b.jsonl", "c.ZIP"]


def test_a_folder_as_one_source(folder: Path) -> None:
    (folder / "a" / "y.ndjson.gz").write_bytes(gzipped(b'"1"\n"2"'))
    (folder / "c.ZIP").write_bytes(zipped({"in.json": b'["z"]', "x.md": b""}))
    with open_documents(folder) as reading:
        assert outline_of(list(reading)) == [
            ("a/x.json: document", "a/x.json"),
            ("a/y.ndjson.gz: line 1", "1"),
            ("a/y.ndjson.gz: line 2", "2"),
            ("b.jsonl: document", "b.jsonl"),
            ("c.ZIP: in.json: [0]", "z"),
        ]
        assert reading.skipped == ["notes.txt", "run.json.bak", "c.ZIP: x.md"]


def test_a_folder_inside_that_cannot_be_listed_is_a_rejection(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked, scandir = folder / "a", os.scandir

    def refusing(path: str) -> object:
        if Path(path) == locked:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    (folder / "c.ZIP").unlink()
    assert outline_of(list(open_documents(folder))) == [
        ("a: document", "!unreadable"),
        ("b.jsonl: document", "b.jsonl"),
    ]


def test_a_stream_that_breaks_off_is_a_rejection() -> None:
    class Broken(Pipe):
        def readinto(self, buffer: object) -> int:
            raise OSError(errno.EIO, "Input/output error")

    with Broken(b"") as pipe:
        (rejection,) = open_documents(pipe)  # type: ignore[arg-type]  # a raw stream reads as well
    assert isinstance(rejection, Rejection)
    assert (rejection.kind, rejection.reason) == ("unreadable", "cannot be read: Input/output error")


def test_a_name_that_is_no_text_is_shown_as_far_as_it_is(tmp_path: Path) -> None:
    inner = tmp_path / os.fsdecode(b"\xff")
    inner.mkdir()
    (inner / os.fsdecode(b"caf\xe9.json")).write_bytes(b'"a"')
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).touch()
    with open_documents(tmp_path) as reading:
        assert outline_of(list(reading)) == [("\ufffd/caf\ufffd.json: document", "a")]
        assert reading.skipped == ["caf\ufffd.txt"]


def test_an_empty_folder_holds_nothing(tmp_path: Path) -> None:
    assert [item.place for item in open_documents(tmp_path)] == ["document"]


# ---- encodings --------------------------------------------------------------------------------------------------

ENCODINGS = ["utf-8-sig", "utf-16", "utf-32"]


@pytest.mark.parametrize("encoding", [*ENCODINGS, "utf-16-be", "utf-32-be"])
def test_a_text_with_a_byte_order_mark(encoding: str) -> None:
    mark = "\ufeff" if encoding.endswith("be") else ""
    data = (mark + TEXT + "\r\n").encode(encoding)
    (document,) = items_of(data)
    assert isinstance(document, Document)
    assert document.value == {"final_response": "naïve 😀"}
    assert document.raw == data  # byte for byte, the mark too


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_lines_and_arrays_with_a_byte_order_mark(encoding: str) -> None:
    lines, array = f"{TEXT}\n{TEXT}\n".encode(encoding), f"[\n{TEXT},\n{TEXT}\n]".encode(encoding)
    for data, places in ((lines, ["line 1", "line 2"]), (array, ["[0]", "[1]"])):
        items = items_of(data)
        assert [item.place for item in items] == places
        assert all(isinstance(item, Document) and item.raw == TEXT.encode() for item in items)


def test_a_mark_at_the_start_of_any_line() -> None:
    data = b'"a"\n\xef\xbb\xbf"b"\n'
    assert outline_of(items_of(data)) == [("line 1", "a"), ("line 2", "b")]


def test_lines_and_columns_count_from_after_the_mark() -> None:
    (rejection,) = items_of(b"\xef\xbb\xbf{x}")
    assert rejection.reason.startswith("broken JSON at line 1, column 2:")  # type: ignore[union-attr]


def test_a_wide_character_that_two_chunks_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trace_store.readers.files.unpacking._CHUNK", 3)
    for encoding in ("utf-16", "utf-32"):
        assert outline_of(items_of(TEXT.encode(encoding))) == [("document", {"final_response": "naïve 😀"})]
    assert items_of(b'\xff\xfe"\x00a\x00\x00\xd8')[0].reason == "invalid UTF-16 at byte 6"  # type: ignore[union-attr]


def test_a_bug_of_the_reader_is_not_an_unreadable_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a bug")

    path = tmp_path / "run.json"
    path.write_text('{"final_response": "hi"}')
    monkeypatch.setattr("trace_store.readers.documents.Layout", fail)
    with pytest.raises(ValueError, match="a bug"):
        list(open_documents(path))
