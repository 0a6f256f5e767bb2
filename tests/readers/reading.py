"""Reading bytes in tests: everything at once, documents apart from rejections."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Mapping

from trace_store.model import JSON
from trace_store.readers import LIMITS, Document, Limits, Rejection, open_documents


def items_of(data: bytes, limits: Limits = LIMITS) -> list[Document | Rejection]:
    with open_documents(io.BytesIO(data), limits=limits) as reading:
        return list(reading)


def documents_of(data: bytes, limits: Limits = LIMITS) -> list[Document]:
    """The documents of data in which nothing is rejected."""
    documents = []
    for item in items_of(data, limits):
        assert isinstance(item, Document), item
        documents.append(item)
    return documents


def make_document(data: bytes) -> Document:
    """The only document of data in which nothing is rejected."""
    (document,) = documents_of(data)
    return document


def rejections_of(data: bytes, limits: Limits = LIMITS) -> list[Rejection]:
    return [item for item in items_of(data, limits) if isinstance(item, Rejection)]


def rejection_of(data: bytes, limits: Limits = LIMITS) -> Rejection:
    """The only rejection of data that holds nothing else."""
    (rejection,) = items_of(data, limits)
    assert isinstance(rejection, Rejection), rejection
    return rejection


def outline_of(items: list[Document | Rejection]) -> list[tuple[str, JSON]]:
    """Place and value of each document, place and kind of each rejection, in order."""
    return [(item.place, item.value if isinstance(item, Document) else f"!{item.kind}") for item in items]


def zipped(members: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return memory.getvalue()


def gzipped(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)
