"""What the environment decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from trace_store.settings import Settings


def test_the_defaults_are_a_database_and_a_root_in_the_working_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TRACE_STORE_URL", raising=False)
    monkeypatch.delenv("TRACE_IMPORT_ROOTS", raising=False)
    monkeypatch.chdir(tmp_path)
    assert Settings().store_url == "sqlite:///traces.db"
    assert Settings().import_roots == [tmp_path.resolve()]


def test_several_roots_are_separated_like_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRACE_IMPORT_ROOTS", f"{tmp_path / 'a'}:{tmp_path / 'b'}:")
    assert Settings().import_roots == [(tmp_path / "a").resolve(), (tmp_path / "b").resolve()]


def test_only_what_lies_below_a_root_may_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root, outside = tmp_path / "exports", tmp_path / "elsewhere"
    root.mkdir()
    outside.mkdir()
    (root / "link").symlink_to(outside)
    monkeypatch.setenv("TRACE_IMPORT_ROOTS", str(root))
    settings = Settings()
    assert settings.is_below_a_root(root / "nightly.jsonl")
    assert settings.is_below_a_root(root)
    assert not settings.is_below_a_root(outside / "x.jsonl")
    assert not settings.is_below_a_root(root / ".." / "elsewhere" / "x.jsonl")
    assert not settings.is_below_a_root(root / "link" / "x.jsonl")
    assert not settings.is_below_a_root(tmp_path / "exports-of-others")
