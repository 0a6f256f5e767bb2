"""The layers of the program: which package may import which, and what the app may use of each."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

MAY_IMPORT = {
    "model": set(),
    "errors": set(),
    "contract": {"model", "errors"},
    "evidence": {"contract", "model", "errors"},
    "comparing": {"contract", "model", "errors"},
    "readers": {"contract", "model", "errors"},
    "reports": {"model", "errors"},
    "settings": {"errors"},
    "store": {"contract", "model", "errors", "reports"},
    "exports": {"readers", "store", "evidence", "contract", "model", "errors", "reports"},
    "importing": {"readers", "store", "evidence", "contract", "model", "errors", "reports", "settings"},
}
"""Packages and modules of `trace_store`, and which others they may import. The command line may import all."""

APP_MAY_IMPORT = {
    "model": {""},
    "errors": {""},
    "reports": {""},
    "settings": {""},
    "store": {"", "query", "query.completion", "query.editing"},
    "importing": {"", "files", "review_files"},
    "exports": {"documents", "tables"},
    "comparing": {"", "intervals"},
    "contract": {"arguments", "findings.registry", "retries", "times", "transcript", "vocabulary"},
    "evidence": {""},
    "readers": {"parsing.tolerant"},  # raw documents are shown as the import reads them
}
"""What the app may import of each: its face (""), and the modules that are named."""

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


def modules_of(path: Path) -> set[str]:
    """The modules of trace_store that a file imports, without the name of the package."""
    return {
        name.removeprefix("trace_store.")
        for name in imported(path)
        if name.startswith("trace_store.") and is_module(name)
    }


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def files_of(package: str) -> list[Path]:
    path = ROOT / "trace_store" / package
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def test_every_package_has_its_layer() -> None:
    packages = {path.stem for path in (ROOT / "trace_store").iterdir() if path.name != "py.typed"}
    assert packages - {"__init__", "__main__", "__pycache__", "cli"} == set(MAY_IMPORT)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_run_one_way(package: str) -> None:
    for path in files_of(package):
        assert {name.split(".")[0] for name in modules_of(path)} - {package} <= MAY_IMPORT[package], path


def test_the_app_imports_the_faces_of_packages_and_the_modules_that_are_named() -> None:
    allowed = {f"{package}.{module}".rstrip(".") for package, modules in APP_MAY_IMPORT.items() for module in modules}
    allowed |= {name[: match.start()] for name in allowed for match in re.finditer(r"\.", name)}
    others = {(str(path.relative_to(ROOT)), name) for path in (ROOT / "app").rglob("*.py") for name in modules_of(path)}
    assert {(path, name) for path, name in others if name not in allowed} == set()


@pytest.mark.parametrize("package", ["model", "contract", "evidence", "comparing"])
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
        for path in (ROOT / "trace_store").rglob("*.py")
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
