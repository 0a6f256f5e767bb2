"""The walls of the house: which package may import which."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

MAY_IMPORT = {
    "trace_store.model": set(),
    "trace_store.errors": set(),
    "trace_store.contract": {"model", "errors"},
    "trace_store.evidence": {"contract", "model", "errors"},
    "trace_store.comparing": {"contract", "model", "errors"},
    "trace_store.readers": {"contract", "model", "errors"},
    "trace_store.reports": {"model", "errors"},
    "trace_store.store": {"contract", "model", "errors", "reports"},
    "trace_store.exports": {"readers", "store", "evidence", "contract", "model", "errors", "reports"},
    "trace_store.importing.pipeline": {"readers", "store", "evidence", "contract", "model", "errors"},
    "trace_store.importing.worker_pool": {"preparing", "readers", "errors"},
    "trace_store.importing.worker": {"crew", "preparing", "readers", "evidence", "errors"},
    "trace_store.importing.files.review_files": {"readers", "store"},
    "trace_store.importing.importer": {"crew", "preparing", "readers", "store", "evidence", "contract", "reports"},
    "trace_store.importing.files": {"intake", "crew", "preparing", "readers", "store", "evidence", "model", "reports"},
}
EFFECTS = {"sqlite3", "sqlalchemy", "pathlib", "os", "io", "logging", "time", "streamlit", "pandas"}


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def files_of(package: str) -> list[Path]:
    path = ROOT / package.replace(".", "/")
    return sorted(path.rglob("*.py")) if path.is_dir() else [p for p in [path.with_suffix(".py")] if p.exists()]


def parts_of_trace_store(names: set[str]) -> set[str]:
    parts = {name.split(".")[1] for name in names if name.startswith("trace_store.")}
    return parts & {package.split(".")[1] for package in MAY_IMPORT} | parts & {"cli", "settings"}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_run_one_way(package: str) -> None:
    own = package.split(".")[1]
    for path in files_of(package):
        assert parts_of_trace_store(imported(path)) - {own} <= MAY_IMPORT[package], path


@pytest.mark.parametrize(
    "package", ["trace_store.model", "trace_store.contract", "trace_store.evidence", "trace_store.comparing"]
)
def test_what_is_pure_has_no_effects(package: str) -> None:
    for path in files_of(package):
        assert {name.split(".")[0] for name in imported(path)} & EFFECTS == set(), path


def test_streamlit_stays_in_the_app() -> None:
    for path in (ROOT / "trace_store").rglob("*.py"):
        assert not any(name.split(".")[0] in {"streamlit", "app"} for name in imported(path)), path


def test_sql_stays_in_the_store() -> None:
    outside = [
        p for p in (ROOT / "trace_store").rglob("*.py") if "store" not in p.relative_to(ROOT / "trace_store").parts
    ]
    for path in [*outside, *(ROOT / "app").rglob("*.py")]:
        assert not any(name.split(".")[0] in {"sqlalchemy", "sqlite3"} for name in imported(path)), path


def test_no_expression_repeats_a_group_possessively() -> None:
    """CPython 3.11 may match such a repeat wrongly, depending on what its memory held before."""
    repeats = [
        f"{path}: {text}"
        for path in files_of("trace_store")
        for text in constants(path)
        # In a set of characters a parenthesis is one of them.
        if re.search(r"\)[*+?]\+", re.sub(r"\[(?:\\.|[^]\\])*\]", "x", text))
    ]
    assert repeats == []


def constants(path: Path) -> list[str]:
    return [
        node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    ]
