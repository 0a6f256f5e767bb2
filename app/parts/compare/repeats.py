"""The repeats of tasks: which passed and failed, how sure a pass rate is, and from a failing run to a passing one."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import cache, render, state
from app.formatting import percent, shares, timestamp
from app.glossary import COUNT, JUDGED, RUN_STATE
from app.parts.compare.choice import show_back_to_choice
from app.parts.table.cells import cell_text, open_list, show_cells
from app.parts.table.columns import columns_with_values, word_column
from app.parts.table.listing import PAGE_ROWS
from app.parts.table.run_list import state_words, verdict_words
from trace_store.comparing import interval
from trace_store.errors import QueryError
from trace_store.store.query.editing import term

GROUPS = 40
_OTHER = "other"


def show_tasks(query: str) -> None:
    """Draw tasks that ran more than once, those with both verdicts first."""
    page = _requested_page()
    try:
        tasks = cache.read(state.store().figures.repeats, query, ("task",), 2, PAGE_ROWS, (page - 1) * PAGE_ROWS)
    except QueryError as error:
        render.query_problem(query, error)
        return
    render.heading(
        "A task's repeats", help="Tasks with two runs or more. Those with both passing and failing runs come first."
    )
    if not tasks.total:
        render.note("No task has two runs here. Runs name their task in `task_id`.")
        return
    within = f" in {render.literal(query, 60)}" if query else ""
    part = f", {(page - 1) * PAGE_ROWS + 1:,} to {(page - 1) * PAGE_ROWS + len(tasks.rows):,} here"
    render.sentence(
        f"**{render.counted(tasks.total, 'task')}** with repeats{within}{part if tasks.total > PAGE_ROWS else ''}. "
        "Click a task to see its runs."
    )
    names = [str(row["task"]) for row in tasks.rows]
    frame = pd.DataFrame(
        {"task": [render.visible(name) for name in names], **_rate_cells(tasks.rows), **_time_cells(tasks.rows)}
    )
    config = {
        "task": st.column_config.TextColumn("Task"),
        **_RATE_COLUMNS,
        "first": st.column_config.TextColumn("First started", width=130, help="UTC"),
        "last": st.column_config.TextColumn("Last started", width=130, help="UTC"),
    }

    def on_click(row: int, column: str | None) -> None:
        state.write(task=names[row], page=None, left=None, right=None, against=None)

    show_cells("compare-tasks", frame, config, on_click)
    _show_pager(tasks.total, page)


def show_task(task: str) -> None:
    """Draw one task: its pass rate, by model and prompt too, and its runs, each with its counterpart."""
    query = term("task", task)
    page = _requested_page()
    runs = cache.read(state.store().runs, query, "-started", PAGE_ROWS, (page - 1) * PAGE_ROWS)
    with st.container(key="compare-doing", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Open in Runs",
            key="compare-task-runs",
            icon=":material/list:",
            type="tertiary",
            on_click=state.go,
            args=(state.RUNS_PAGE,),
            kwargs={state.QUERY: query},
            help="The runs of this task on the Runs page",
        )
        show_back_to_choice()
    render.heading(f"Task {render.literal(task, 80)}")
    if not runs.total:
        render.empty("There are no runs of this task.", "Its runs may have been deleted; choose another task.")
        return
    _show_pass_rate(query)
    _show_groups(query)
    render.heading("Its runs over time", help="The latest first.")
    render.note("Click a run to open it. Click the run beside it, which ended the other way, to compare the two.")
    _show_runs(runs.rows)
    _show_pager(runs.total, page)


def _show_pass_rate(query: str) -> None:
    (whole,) = cache.read(state.store().figures.repeats, query, ("task",), 1, 1, 0).rows
    passed, judged = int(str(whole["passed"])), int(str(whole["passed"])) + int(str(whole["failed"]))
    if not judged:
        render.sentence(f"**{render.counted(int(str(whole['runs'])), 'run')}**, none of them judged.")
        return
    low, high = interval(passed, judged)
    render.sentence(
        f"**{passed:,} of {judged:,}** judged runs passed, {percent(passed, judged)}: with this many runs, the true "
        f"rate may be anywhere from {shares(low, high)} (95 % interval)."
    )


def _show_groups(query: str) -> None:
    groups = cache.read(state.store().figures.repeats, query, ("model", "prompt"), 1, GROUPS, 0)
    if groups.total < 2:
        return
    render.heading("By model and system prompt", help="Click a row to open its runs.")
    values = [(_text(row["model"]), _text(row["prompt"])) for row in groups.rows]
    frame = pd.DataFrame(
        {
            "model": [cell_text(model) for model, _ in values],
            "prompt": [cell_text(prompt) for _, prompt in values],
            **_rate_cells(groups.rows),
        }
    )
    config = {
        "model": st.column_config.TextColumn("Model"),
        "prompt": st.column_config.TextColumn("System prompt"),
        **_RATE_COLUMNS,
    }

    def on_click(row: int, column: str | None) -> None:
        model, prompt = values[row]
        open_list(state.RUNS_PAGE, query, term("model", model), term("prompt", prompt))

    show_cells("compare-groups", frame, config, on_click)
    if groups.total > GROUPS:
        render.note(f"{GROUPS:,} of {groups.total:,} groups: those with both verdicts first.")


def _show_runs(rows: list[dict[str, object]]) -> None:
    ids = [str(row["run_id"]) for row in rows]
    others = cache.read(state.store().figures.counterparts, tuple(ids))
    frame = pd.DataFrame(
        {
            "run": [render.visible(run_id) for run_id in ids],
            "verdict": [verdict_words(row) for row in rows],
            "state": [state_words(row) for row in rows],
            _OTHER: [render.visible(others[run_id]) if run_id in others else None for run_id in ids],
            "model": [render.visible(str(row["model"] or "")) for row in rows],
            "prompt": [render.visible(str(row["system_prompt_id"] or "")) for row in rows],
            "calls": [row["calls"] for row in rows],
            "failures": [row["failures"] or None for row in rows],
            "started": [timestamp(row["started_at"]) for row in rows],
        }
    )
    config = {
        "run": st.column_config.TextColumn("Run", help="A click opens the run"),
        "verdict": word_column("Judge", JUDGED, width=70),
        "state": word_column("State", RUN_STATE, width=90),
        _OTHER: st.column_config.TextColumn(
            "Compare with",
            help="The closest run of the task that ended the other way: of the same model if there is one, then the "
            "closest in time. Click to put the two side by side.",
        ),
        "model": st.column_config.TextColumn("Model", width=120),
        "prompt": st.column_config.TextColumn("System prompt", width=100),
        "calls": st.column_config.NumberColumn("Calls", width=50),
        "failures": st.column_config.NumberColumn("Failed", width=52, help=COUNT["failures"].meaning),
        "started": st.column_config.TextColumn("Started", width=120, help="UTC"),
    }

    def on_click(row: int, column: str | None) -> None:
        run_id = ids[row]
        if column == _OTHER and run_id in others:
            state.write(left=run_id, right=others[run_id], task=None, page=None)
        else:
            state.go(state.RUN_PAGE, run=run_id)

    telling = columns_with_values(frame, config)
    show_cells("compare-runs", frame[telling], {name: config[name] for name in telling}, on_click)


_RATE_COLUMNS = {
    "runs": st.column_config.NumberColumn("Runs", width=60),
    "passed": st.column_config.NumberColumn("Passed", width=64, help="Passed by the judge"),
    "failed": st.column_config.NumberColumn("Failed", width=60, help="Failed by the judge"),
    "unjudged": st.column_config.NumberColumn("Not judged", width=80, help="The export has no verdict"),
    "rate": st.column_config.ProgressColumn("Pass rate", format="%.0f %%", min_value=0, max_value=100, width=110),
    "interval": st.column_config.TextColumn(
        "95 % interval", width=100, help="Where the true rate may lie with this many runs (Wilson)"
    ),
}


def _rate_cells(rows: list[dict[str, object]]) -> dict[str, list[object]]:
    counts = [(int(str(row["passed"])), int(str(row["failed"]))) for row in rows]
    intervals = [interval(passed, passed + failed) for passed, failed in counts]
    return {
        "runs": [row["runs"] for row in rows],
        "passed": [passed for passed, _ in counts],
        "failed": [failed for _, failed in counts],
        "unjudged": [row["unjudged"] or None for row in rows],
        "rate": [100 * passed / (passed + failed) if passed + failed else None for passed, failed in counts],
        "interval": [
            shares(low, high) if passed + failed else None
            for (low, high), (passed, failed) in zip(intervals, counts, strict=True)
        ],
    }


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _time_cells(rows: list[dict[str, object]]) -> dict[str, list[object]]:
    return {name: [timestamp(row[name]) for row in rows] for name in ("first", "last")}


def _requested_page() -> int:
    requested = state.param(state.PAGE, "1")
    return max(1, int(requested)) if requested.isdecimal() else 1


def _show_pager(total: int, page: int) -> None:
    pages = -(-total // PAGE_ROWS)
    if pages > 1:
        with st.container(horizontal=True, horizontal_alignment="center"):
            st.pagination(pages, key=state.bound("compare-page", min(page, pages)), on_change=_on_page_chosen)


def _on_page_chosen() -> None:
    state.write(page=str(st.session_state["compare-page"]))
