"""A store of its own for each test, and the app's script run against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app import prefetch, state
from trace_store.importing.files import import_paths
from trace_store.model import JSON
from trace_store.store import Store

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("runs", "run", "calls", "failures", "imports")

OpenPage = Callable[..., AppTest]


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty store, which the app opens; closed after the test."""
    url = f"sqlite:///{tmp_path / 'traces.db'}"
    monkeypatch.setenv("TRACE_STORE_URL", url)
    monkeypatch.chdir(tmp_path)
    st.cache_resource.clear()
    st.cache_data.clear()
    opened = state.store
    yield url
    prefetch.wait()
    opened().close()
    st.cache_resource.clear()


@pytest.fixture
def filled(url: str, tmp_path: Path) -> Store:
    """The store with the runs of `bodies`, by the file `nightly.jsonl`; closed with the app's own."""
    write_lines(tmp_path / "nightly.jsonl", bodies())
    import_paths(state.store(), [tmp_path / "nightly.jsonl"])
    return state.store()


@pytest.fixture
def open_page(url: str) -> OpenPage:
    """`open_page("runs", q="view:thin")` runs that page at that address; the app must not have failed."""

    def opened(page: str = "runs", **params: str) -> AppTest:
        at = AppTest.from_file(str(ROOT / "app/ui.py"), default_timeout=30)
        if page != "runs":
            at.run()
            at.switch_page(f"views/{page}.py")
        for name, value in params.items():
            at.query_params[name] = value
        at.run()
        assert not at.exception, at.exception
        return at

    return opened


def write_lines(path: Path, documents: list[JSON]) -> None:
    """A JSONL file."""
    path.write_bytes(b"".join(orjson.dumps(document) + b"\n" for document in documents))


def bodies() -> list[JSON]:
    """Four runs: a good one, one with retries and a mistyped actor, a thin one without an answer, one that leaks."""
    error = {"detail": {"error_class": "lock_contention"}}
    lock: dict[str, Any] = {"source": "error", "status_code": 503, "error": error}
    return [
        {
            "run_id": "run_good",
            "final_response": "All fine.",
            "messages": [{"role": "user", "content": "hello"}],
            "judge_passed": True,
            "metadata": {"model": "heron-2"},
            "proxy_calls": [],
        },
        {
            "run_id": "run_retried",
            "scenario": "Refund",
            "final_response": "Refunded.",
            "messages": [{"role": "user", "content": "refund me"}, {"role": "developer", "content": "dropped"}],
            "judge_passed": False,
            "sub_agents": ["refund_agent"],
            "proxy_calls": [
                {"tool_name": "get_order", "arguments": {"id": 1}, "actor_id": "refund_agnt", "attempt": n, **answer}
                for n, answer in enumerate([lock, lock, {"source": "odyssey", "response": {"status": "shipped"}}])
            ]
            + [{"tool_name": "charge", "arguments": {}, "source": "injected", "matched_rule_index": 0}],
        },
        {"run_id": "run_empty", "final_response": None, "status": "failed", "error_class": "agent_timeout"},
        {
            "run_id": "run_hostile ![x](https://evil.example/x.png) `:red[a]`",
            "final_response": "![x](https://evil.example/y)",
        },
    ]
