"""The Findings panel of one run: what a reviewer should know, the gravest first, each by its evidence."""

from __future__ import annotations

from app import render, state
from app.components.findings import build_findings, draw_findings
from app.components.frontend import get_jump
from trace_store.model import Run

_KEY = "run-findings"


def show(run: Run) -> None:
    """The findings with what their kinds mean, or a sentence where there are none."""
    if not run.findings:
        render.empty("Nothing was found.", "No rule of the evidence speaks against this run; read the transcript.")
        return
    draw_findings(build_findings(run), run=run.run_id, key=_KEY, on_jump=lambda: follow(_KEY))


def follow(key: str) -> None:
    """Goes to the evidence that the reader has asked the component `key` for."""
    path = get_jump(key)
    if path is not None:
        show_evidence(path)


def panel_of(path: str) -> str | None:
    """The panel that shows what stands at a path; null is the transcript. Tools, warnings of fields and the like stand
    in the raw document only."""
    if path.startswith(("messages[", "final_response")):
        return None
    if path.startswith("calls["):
        return "calls"
    return "actors" if path.startswith("sub_agents") else "raw"


def show_evidence(path: str) -> None:
    """Goes to the panel and the place of a path."""
    state.write(panel=panel_of(path), step=path)
