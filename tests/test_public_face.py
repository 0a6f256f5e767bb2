"""What `import trace_store` promises, used the way the README shows."""

from __future__ import annotations

import json
from pathlib import Path

import trace_store


def test_the_public_face_is_three_names() -> None:
    assert trace_store.__all__ == ["Store", "import_paths", "read_documents"]


def test_a_program_imports_queries_and_reads(tmp_path: Path) -> None:
    failed = {"tool_name": "get_order", "source": "error", "status_code": 500, "actor_id": "refund_agnt"}
    body = {"run_id": "run_81", "final_response": "Done.", "sub_agents": ["refund_agent"], "proxy_calls": [failed]}
    (tmp_path / "runs.jsonl").write_text(json.dumps(body) + "\n")

    with trace_store.Store.open(f"sqlite:///{tmp_path / 'traces.db'}") as store:
        report = trace_store.import_paths(store, [tmp_path])
        page = store.calls("outcome:failed actor_status:undeclared", sort="-latency_ms", limit=50, offset=0)
        run = store.run("run_81")
        table = store.stats("outcome:failed", by=["error_class", "tool"])

    assert [file.imported for file in report.files] == [1]
    assert (page.total, page.rows[0]["run_id"], page.rows[0]["tool_name"]) == (1, "run_81", "get_order")
    assert (run.final_response, run.calls[0].actor_status) == ("Done.", "undeclared")
    assert table["calls"].tolist() == [1]


def test_documents_are_read_without_a_store(tmp_path: Path) -> None:
    (tmp_path / "runs.jsonl").write_text('"done"\n\n{"final_response": "x"}\n')
    with trace_store.read_documents(tmp_path / "runs.jsonl") as documents:
        assert [document.place for document in documents] == ["line 1", "line 3"]
