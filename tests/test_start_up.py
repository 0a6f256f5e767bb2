"""What may not be loaded before it is needed: every command, and every worker of an import, would wait for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

TABLES = {"pandas", "numpy", "pyarrow"}


def loaded_by(module: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("module", "late"),
    [
        ("trace_store", TABLES | {"streamlit", "typer", "rich"}),
        ("trace_store.importing.worker", TABLES | {"streamlit", "typer", "rich", "multiprocessing"}),
        ("trace_store.cli", TABLES | {"streamlit", "trace_store.contract.run_body_schema"}),
    ],
)
def test_what_is_heavy_is_loaded_late(module: str, late: set[str]) -> None:
    assert loaded_by(module) & late == set()
