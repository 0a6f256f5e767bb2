"""The Timeline panel of one run: when each actor's calls ran, what retries waited, and when nothing did."""

from __future__ import annotations

from app import cache, render
from app.components.timeline import draw_timeline
from app.parts.run import findings_panel
from trace_store.model import Run

_KEY = "run-timeline"


def show(run: Run) -> None:
    """The timeline, or a sentence where there is no call to draw; a call that is chosen opens in its panel."""
    if not run.calls:
        render.empty(
            "There is nothing to draw.",
            "The log is empty." if run.has_log else "This export has no proxy log, and only that knows when calls ran.",
        )
        return
    draw_timeline(cache.timeline(run.run_id), run=run.run_id, key=_KEY, on_jump=lambda: findings_panel.follow(_KEY))
