"""The list of runs: its columns, its orders, and what a click on a row does."""

from __future__ import annotations

from typing import cast

import pandas as pd
import streamlit as st

from app import cache, glossary, render, state
from app.formatting import timestamp
from app.glossary import COUNT
from app.parts.table.columns import word_column
from app.parts.table.listing import Listing, Order, Rows
from app.parts.table.selection import show_export, show_selection_actions

REVIEWS = glossary.REVIEW | {"": glossary.NOTED, "stale": glossary.STALE_REVIEW}

WORST = {severity: glossary.SEVERITY[severity] for severity in ("error", "warning")}

_Text, _Number = st.column_config.TextColumn, st.column_config.NumberColumn

RUN_COLUMNS = {
    "run_id": _Text("Run", help=glossary.SHORT_NAMES),
    "verdict": word_column("Judge", glossary.JUDGED, width=66),
    "state": word_column("Run state", glossary.RUN_STATE, width=84),
    "boundary": word_column("First failed at", glossary.BOUNDARY, width=104),
    "worst": word_column("Worst finding", WORST, width=96, help="The highest severity among the run's findings"),
    "errors": _Number("Error findings", width=94, help="Findings of severity error"),
    "answer": _Text("Final answer", help="How it begins"),
    "calls": _Number("Calls", width=46, help=COUNT["calls"].meaning),
    "failures": _Number("Failed calls", width=78, help=COUNT["failures"].meaning),
    "retries": _Number("Retries", width=54, help=COUNT["retries"].meaning),
    "undeclared": _Number("Undeclared calls", width=108, help="Calls of undeclared actors"),
    "warnings": _Number("Warnings", width=66, help="Soft warnings"),
    "model": _Text("Model", width=96),
    "started": _Text("Started", width=114, help="UTC"),
    "review": word_column("Reviewer", REVIEWS, width=72, help="The reviewer's verdict"),
    "task": _Text("Task", width=110),
    "scenario": _Text("Scenario", width=150),
    "check": _Text("Check", width=110),
    "agent": _Text("Agent", width=110),
    "prompt": _Text("System prompt", width=110, help="Id of the system prompt"),
    "status": _Text("Status", width=96, help="As in the export"),
    "class": _Text("Run's error class", width=136, help="Error class of the run itself, not of its calls"),
    "exhausted": _Number("Exhausted chains", width=112, help="Retry chains in which every attempt failed"),
    "gave_up": _Number("Given-up chains", width=106, help="Retry chains that ended before a fourth attempt"),
    "malformed": _Number("Malformed calls", width=106, help="Calls whose actor label breaks the rules"),
    "messages": _Number("Messages", width=70, help="In the transcript"),
    "tokens": _Number("Tokens", width=74, help="Input and output together"),
    "runtime": _Number("Runtime, s", width=76, format="%.1f", help="Running time of the agent"),
    "wasted": _Number("Wasted, s", width=74, format="%.1f", help=COUNT["wasted_ms"].meaning),
    "mode": _Text("Failure mode", width=120, help="As the reviewer named it"),
    "tags": st.column_config.ListColumn("Tags", width=130, help="Set by the reviewer"),
    "imported": _Text("Imported", width=114, help="When it was last imported, UTC"),
    "import": _Number("Import", width=54, format="%d", help="Number of the run's latest import"),
    "file": _Text("File", width=150, help="The end of its path"),
    "place": _Text("Place", width=110, help="Where the run stands in its file"),
    "format": _Text("Format", width=96),
}

USUAL_RUN_COLUMNS = (
    "run_id", "verdict", "state", "boundary", "worst", "errors", "answer", "calls", "failures", "retries",
    "undeclared", "warnings", "model", "started", "review",
)  # fmt: skip

RUN_FIELDS = {
    "run_id": "run", "verdict": "verdict", "state": "failed", "boundary": "boundary", "worst": "severity",
    "errors": "errors", "calls": "calls", "failures": "failures", "retries": "retries", "undeclared": "actor_status",
    "warnings": "warnings", "model": "model", "started": "started", "review": "review", "task": "task",
    "scenario": "scenario", "check": "check", "agent": "agent", "prompt": "prompt", "status": "run_status",
    "class": "run_error_class", "exhausted": "chain", "tokens": "tokens", "mode": "failure_mode", "tags": "tag",
    "imported": "imported", "import": "import", "file": "file", "format": "format",
}  # fmt: skip
"""The field of a query that each column tells of: where a query asks for it, the column comes forward."""

RUN_ORDERS = {
    "run_id": Order("run", "id", "Z to A", "A to Z"),
    "started": Order("started", "started", "latest first", "earliest first"),
    "errors": Order("errors", "error findings"),
    "worst": Order("errors", "error findings"),
    "calls": Order("calls", "calls"),
    "failures": Order("failures", "failed calls"),
    "retries": Order("retries", "retries"),
    "undeclared": Order("undeclared", "calls of undeclared actors"),
    "warnings": Order("warnings", "warnings"),
    "model": Order("model", "model", "Z to A", "A to Z"),
    "imported": Order("imported", "imported", "latest first", "earliest first"),
    "task": Order("task", "task", "Z to A", "A to Z"),
    "scenario": Order("scenario", "scenario", "Z to A", "A to Z"),
    "check": Order("check", "check", "Z to A", "A to Z"),
    "agent": Order("agent", "agent", "Z to A", "A to Z"),
    "prompt": Order("prompt", "system prompt", "Z to A", "A to Z"),
    "status": Order("run_status", "status", "Z to A", "A to Z"),
    "exhausted": Order("exhausted", "exhausted chains"),
    "gave_up": Order("gave_up", "given-up chains"),
    "malformed": Order("malformed", "malformed calls"),
    "messages": Order("messages", "messages"),
    "tokens": Order("tokens", "tokens"),
    "runtime": Order("runtime_ms", "runtime", "longest first", "shortest first"),
    "wasted": Order("wasted_ms", "time wasted", "longest first", "shortest first"),
    "import": Order("import", "import", "latest first", "earliest first"),
    "file": Order("file", "file", "Z to A", "A to Z"),
}


def read_runs(query: str, sort: str, limit: int, offset: int) -> Rows:
    """Return one page of the runs that the query finds. Raises QueryError."""
    page = cache.read(state.store().runs, query, sort, limit, offset)
    total = cache.read(state.store().runs, "", None, 0, 0).total if query else page.total
    return Rows(run_frame(page.rows), page.total, total)


def run_frame(rows: list[dict[str, object]]) -> pd.DataFrame:
    """Return the rows as the table shows them."""
    cells = [
        {
            "run_id": render.visible(str(row["run_id"])),
            "verdict": verdict_words(row),
            "state": state_words(row),
            "boundary": [str(row["boundary"])] if row["boundary"] else [],
            "worst": severity_words(row),
            "errors": row["errors"] or None,
            "answer": render.visible(" ".join(str(row["answer"] or "").split())),
            "calls": row["calls"],
            "failures": row["failures"] or None,
            "retries": row["retries"] or None,
            "undeclared": row["undeclared"] or None,
            "warnings": row["warnings"] or None,
            "model": render.visible(str(row["model"] or "")),
            "started": timestamp(row["started_at"]),
            "review": review_words(row),
            "task": render.visible(str(row["task_id"] or "")),
            "scenario": render.visible(str(row["scenario"] or "")),
            "check": render.visible(str(row["check_id"] or "")),
            "agent": render.visible(str(row["agent_id"] or "")),
            "prompt": render.visible(str(row["system_prompt_id"] or "")),
            "status": render.visible(str(row["status"] or "")),
            "class": render.visible(str(row["error_class"] or "")),
            "exhausted": row["exhausted"] or None,
            "gave_up": row["gave_up"] or None,
            "malformed": row["malformed"] or None,
            "messages": row["messages"],
            "tokens": tokens(row),
            "runtime": seconds(row["agent_runtime_ms"]),
            "wasted": seconds(row["wasted_ms"]) or None,
            "mode": render.visible(str(row["failure_mode"] or "")),
            "tags": [render.visible(tag) for tag in cast("list[str]", row["tags"])],
            "imported": timestamp(row["imported_at"]),
            "import": row["import_id"],
            "file": render.visible(render.tail_of_path(str(row["file"] or ""))),
            "place": render.visible(str(row["place"] or "")),
            "format": row["format"],
            "id": row["run_id"],
        }
        for row in rows
    ]
    return pd.DataFrame(cells, columns=[*RUN_COLUMNS, "id"])


def verdict_words(row: dict[str, object]) -> list[str]:
    """Return the judge's verdict, or nothing."""
    passed = row["judge_passed"]
    return [] if passed is None else [glossary.JUDGED[bool(passed)].word]


def severity_words(row: dict[str, object]) -> list[str]:
    """Return the worst severity of the run's findings, or nothing; infos are not a reason to open a run."""
    if row["errors"]:
        return [glossary.SEVERITY["error"].word]
    return [glossary.SEVERITY["warning"].word] if row["cautions"] else []


def state_words(row: dict[str, object]) -> list[str]:
    """Return the worst that can be said of the run itself, or nothing."""
    if row["response_error"]:
        return [glossary.RUN_STATE["response_error"].word]
    if row["failed"]:
        return [glossary.RUN_STATE["failed"].word]
    return [glossary.RUN_STATE["thin"].word] if row["view"] == "thin" else []


def review_words(row: dict[str, object]) -> list[str]:
    """Return the reviewer's verdict, and whether the run has changed since."""
    if not row["reviewed"]:
        return []
    verdict = [glossary.REVIEW[str(row["review"])].word] if row["review"] else [glossary.NOTED.word]
    return [*verdict, glossary.STALE_REVIEW.word] if row["review_stale"] else verdict


def tokens(row: dict[str, object]) -> int | None:
    """Return input and output together; null where the export has neither."""
    counts = [int(str(row[key])) for key in ("total_input_tokens", "total_output_tokens") if row[key] is not None]
    return sum(counts) if counts else None


def seconds(milliseconds: object) -> float | None:
    """Return a duration of the store in seconds, or null."""
    return None if milliseconds is None else float(str(milliseconds)) / 1000


def _open_run(row: pd.Series) -> None:
    state.go(
        state.RUN_PAGE,
        run=str(row["id"]),
        q=state.param(state.QUERY),
        sort=state.param(state.SORT),
    )


RUN_LISTING = Listing(
    key="runs",
    noun="runs",
    orders=RUN_ORDERS,
    default_sort="-imported",
    columns=RUN_COLUMNS,
    usual=USUAL_RUN_COLUMNS,
    fields=RUN_FIELDS,
    flexible={"run_id": 1, "answer": 1},
    dispensable=("model", "warnings", "retries", "errors", "started", "undeclared", "state"),
    names=("run_id", "task", "scenario", "check", "agent", "prompt", "model", "mode", "place"),
    read=read_runs,
    open=_open_run,
    actions=show_selection_actions,
    export=show_export,
)
