"""Files of any size are read in constant memory (the promise on imports)."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trace_store.readers import Document, Limits, open_documents

RUNS = 3_000
RUN = {
    "final_response": "The refund of $79.50 has been issued.",
    "messages": [{"role": "user", "content": "Refund order #4521, please. " * 40}] * 8,
    "calls": [{"tool_name": "get_order", "arguments": {"order_id": "4521"}, "source": "odyssey", "latency_ms": 412.5}]
    * 20,
}
ALLOWED_BYTES = 20_000_000


def runs() -> Iterator[str]:
    for index in range(RUNS):
        yield json.dumps({"run_id": f"run-{index}"} | RUN)


def write_lines(path: Path) -> None:
    with path.open("w") as file:
        file.writelines(f"{run}\n" for run in runs())


def write_joined(path: Path, before: str, after: str) -> None:
    with path.open("w") as file:
        file.write(before)
        for index, run in enumerate(runs()):
            file.write(f", {run}" if index else run)
        file.write(after)


def write_members(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for index, run in enumerate(runs()):
            archive.writestr(f"runs/{index:05}.json", run)


LAYOUTS: dict[str, Callable[[Path], None]] = {
    "lines": write_lines,
    "array": lambda path: write_joined(path, "[", "]"),
    "wrapper": lambda path: write_joined(path, '{"next": null, "runs": [', '], "total": 3000}'),
    "rollup": lambda path: write_joined(path, '{"scenarios": [{"runs": [', '], "name": "n"}], "check_id": "c"}'),
    "members": write_members,
}


@pytest.mark.parametrize("write", LAYOUTS.values(), ids=LAYOUTS)
def test_memory_does_not_grow_with_the_file(write: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "runs"
    write(path)
    assert path.stat().st_size > (30_000_000 if write is not write_members else 300_000)
    tracemalloc.start()
    try:
        with open_documents(path) as reading:
            last, count = None, 0
            for item in reading:
                last, count = item, count + 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == RUNS
    assert isinstance(last, Document) and last.value["run_id"] == f"run-{RUNS - 1}"
    assert peak < ALLOWED_BYTES


def test_a_value_too_large_to_be_a_document_takes_no_memory_either(tmp_path: Path) -> None:
    path = tmp_path / "runs"
    with path.open("w") as file:
        file.write('["a", "')
        for _ in range(60):
            file.write("x" * (1 << 20))
        file.write('", "b"]')
    with open_documents(path, limits=Limits(document_bytes=1 << 20)) as reading:
        tracemalloc.start()
        try:
            kinds = [item.value if isinstance(item, Document) else item.kind for item in reading]
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert kinds == ["a", "too_large", "b"]
    assert peak < ALLOWED_BYTES
