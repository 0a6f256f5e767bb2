"""The ways into a comparison: two runs by their ids, two sets of runs by their queries, or a run's counterpart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app import cache, render, state
from app.parts.table.facets import Facet
from trace_store.model import Run
from trace_store.store.query import FieldValue
from trace_store.store.query.editing import term

OFFERED_RUNS = 200
_LEFT, _RIGHT, _QUERY, _AGAINST, _EXAMPLE = (
    "compare-left", "compare-right", "compare-query", "compare-against", "compare-example",
)  # fmt: skip


FACETS = (
    Facet("model", "Model"),
    Facet("prompt", "System prompt"),
    Facet("check", "Check"),
    Facet("import", "Import"),
    Facet("agent", "Agent"),
)
"""Fields whose two most frequent values are worth comparing."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two queries of one field, for the two values that the most runs have."""

    label: str
    values: tuple[FieldValue, FieldValue]
    queries: tuple[str, str]


def show_back_to_choice() -> None:
    """Draw the way back to the choice."""
    st.button(
        "Compare something else",
        key="compare-again",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=state.write,
        kwargs=dict.fromkeys((state.LEFT, state.RIGHT, state.QUERY, state.AGAINST, state.TASK, state.PAGE)),
        help="Choose two runs, two queries or a task",
    )


def show_runs_form(left_id: str = "", right_id: str = "") -> None:
    """Draw two fields for ids of runs, to choose from or to type in."""
    offered = _run_options(left_id, right_id)
    with st.form("compare-runs", border=True):
        render.heading("Two runs", help="Their steps side by side, with equal steps folded and the others marked.")
        _show_run_field("Left run", _LEFT, left_id, offered)
        _show_run_field("Right run", _RIGHT, right_id, offered)
        st.form_submit_button(
            "Compare the runs",
            key="primary-compare-runs",
            type="primary",
            on_click=_on_runs_chosen,
            help="Step by step",
        )


def show_queries_form(query: str, against: str, *, on_a_line: bool = False) -> None:
    """Draw two fields for queries: in a box under a heading, or on one line above what they found."""
    with (
        st.form("compare-queries", border=not on_a_line),
        st.container(horizontal=on_a_line, vertical_alignment="bottom", gap="small", key="compare-fields"),
    ):
        if not on_a_line:
            render.heading(
                "Two sets of runs",
                help=(
                    "How often the runs of each pass, fail and meet errors, and which differences are more than chance."
                ),
            )
        st.text_input(
            "Left query",
            key=state.bound(_QUERY, query),
            placeholder="All runs. For example model:a",
            help="The runs on the left, such as those before a change. Empty: all runs.",
        )
        st.text_input(
            "Right query",
            key=state.bound(_AGAINST, against),
            placeholder="For example model:b",
            help="The runs on the right, to compare with those on the left.",
        )
        st.form_submit_button(
            "Compare the rates",
            key="primary-compare-rates",
            type="primary",
            on_click=_on_queries_entered,
            help="By rates",
        )


def suggested_comparisons() -> list[Suggestion]:
    """Return pairs of queries for the two most frequent values of fields that have two."""
    suggestions = []
    for facet in FACETS:
        values = cache.facet("runs", "", facet.field, 2)
        if len(values) == 2:
            (one, _), (other, _) = values
            queries = term(facet.field, one), term(facet.field, other)
            suggestions.append(Suggestion(facet.label, (one, other), queries))
    return suggestions


def show_suggestions(offered: Sequence[Suggestion]) -> None:
    """Draw a button for each suggestion: a click compares."""
    if not offered:
        return
    with st.container(key="compare-examples", horizontal=True, vertical_alignment="center", gap="small"):
        render.note("Suggested comparisons:")
        for number, example in enumerate(offered):
            one, other = example.values
            st.button(
                f"{example.label} {render.literal(one, 28)} against {render.literal(other, 28)}",
                key=f"{_EXAMPLE}-{number}",
                on_click=_compare,
                args=example.queries,
                help="The two most frequent values",
            )


def _show_run_field(label: str, key: str, run_id: str, offered: list[str]) -> None:
    options = offered if not run_id or run_id in offered else [run_id, *offered]
    st.selectbox(
        # Ours: the two labels above.
        "Left run" if label == "Left run" else "Right run",
        options,
        key=state.bound(key, run_id or None),
        format_func=render.visible,
        accept_new_options=True,
        placeholder="Choose one of the latest, or type a run's id",
        help="Ids must match exactly, including capitals.",
    )


def _run_options(left_id: str, right_id: str) -> list[str]:
    """Return the ids to choose from: those of the task of the one run that is chosen, else the latest."""
    selected = left_id or right_id
    task = (
        [row["task_id"] for row in cache.read(state.store().runs, term("run", selected), None, 1, 0).rows]
        if selected
        else []
    )
    query = term("task", str(task[0])) if task and task[0] else ""
    return [str(row["run_id"]) for row in cache.read(state.store().runs, query, "-imported", OFFERED_RUNS, 0).rows]


def _on_runs_chosen() -> None:
    left, right = ((st.session_state[key] or "").strip() for key in (_LEFT, _RIGHT))
    state.write(left=left, right=right, q=None, against=None, task=None, page=None)


def _on_queries_entered() -> None:
    _compare(st.session_state[_QUERY].strip(), st.session_state[_AGAINST].strip())


def _compare(query: str, against: str) -> None:
    state.write(q=query, against=against, left=None, right=None, task=None, page=None)


def show_counterpart_button(run: Run) -> None:
    """Draw a button that puts both side by side, where there is such a run."""
    other = cache.read(state.store().figures.counterparts, (run.run_id,)).get(run.run_id)
    if other is None:
        return
    passed = run.judge_passed is True
    st.button(
        "Compare with a failing run of this task" if passed else "Compare with a passing run of this task",
        key="run-compare",
        icon=":material/compare_arrows:",
        type="tertiary",
        on_click=state.go,
        args=(state.COMPARE_PAGE,),
        kwargs={state.LEFT: run.run_id, state.RIGHT: other},
        help="The closest run that ended the other way: of the same model if there is one, then the closest in time",
    )
