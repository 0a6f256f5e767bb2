"""Breakdowns of failures: by error class in each layer (R22), by tool, by retry, and by source and rule."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from app import cache, glossary, render, state
from app.formatting import seconds
from app.parts.failures.charts import Bar, show_bars
from app.parts.table.cells import (
    APPLICATION_ERRORS,
    FAILED,
    MOST_ROWS,
    cell_text,
    note_cut,
    open_list,
    query_value,
    show_cells,
    show_counts,
)
from trace_store.store import VIOLATIONS, FailureTable
from trace_store.store.query import FieldValue
from trace_store.store.query.editing import add_query, term

HEAT_TOOLS, HEAT_CLASSES = 16, 8
ENVELOPE_CODES = 40


def show_error_classes(query: str, tables: dict[FailureTable, pd.DataFrame]) -> None:
    """Draw the three layers side by side, envelopes by their code, and the map. Raises QueryError."""
    by_tool = tables["tools_by_class"]
    # What the map counts, without the tools: it need not be counted again.
    of_calls = by_tool.groupby("error_class", dropna=False, sort=False)["calls"].sum().reset_index()
    layers = (
        ("call", "error_class", "Failed calls", state.CALLS_PAGE, of_calls, "calls"),
        ("run", "run_error_class", "Runs", state.RUNS_PAGE, tables["run_classes"], "count"),
        ("envelope", "envelope_class", "Envelopes", state.RUNS_PAGE, tables["envelope_classes"], "count"),
    )
    for column, (layer, field, noun, page, frame, count) in zip(st.columns(3, gap="medium"), layers, strict=True):
        with column:
            render.layer(glossary.LAYERS[layer])
            if frame.empty:
                render.note(glossary.NOTHING_IN_LAYER[layer])
                continue
            only = [FAILED] if layer == "call" else []
            on_click = partial(open_list, page, query, *only)
            ordered = frame.sort_values(count, ascending=False, kind="stable").rename(columns={"error_class": field})
            show_counts(f"layer-{layer}", ordered, field, count, heading="Class", noun=noun, on_click=on_click)
    if not tables["envelope_classes"].empty:
        _show_envelopes(query)
    if not by_tool.empty:
        render.heading(
            "Tools and classes", help="Failed calls, including injected failures. Click a number to open its calls."
        )
        _show_heat_map("heat", query, by_tool)


def _show_envelopes(query: str) -> None:
    codes = cache.facet("runs", query, "envelope_code", ENVELOPE_CODES)
    if not codes:
        return
    broken = term("finding", "envelope_invalid")
    invalid = dict(cache.facet("runs", add_query(query, broken), "envelope_code", ENVELOPE_CODES))
    render.heading("Envelopes", help="Error envelopes by their code, in runs and their calls.")
    table = pd.DataFrame(
        {
            "code": [cell_text(code) for code, _ in codes],
            "runs": [runs for _, runs in codes],
            "invalid": [invalid.get(code) for code, _ in codes],
        }
    )
    columns = {
        "code": st.column_config.TextColumn("Code", width=260),
        "runs": st.column_config.NumberColumn("Runs", width=90, help="Runs with an envelope of this code"),
        "invalid": st.column_config.NumberColumn(
            "With an invalid one", width=140, help="Of these, runs in which an envelope is not valid"
        ),
    }

    def on_click(row: int, column: str | None) -> None:
        terms = [term("envelope_code", codes[row][0]), *([broken] if column == "invalid" else [])]
        open_list(state.RUNS_PAGE, query, *terms)

    show_cells("envelopes", table, columns, on_click)
    if not invalid:
        render.note("All of them are valid.")


def _show_heat_map(key: str, query: str, frame: pd.DataFrame) -> None:
    """Draw failed calls by tool and class, the darker the more; a click on a number opens those calls."""
    named_tools, named_classes = _largest(frame, "tool", HEAT_TOOLS), _largest(frame, "error_class", HEAT_CLASSES)
    cells = {
        (query_value(tool), query_value(error_class)): calls
        for tool, error_class, calls in zip(frame["tool"], frame["error_class"], frame["calls"], strict=True)
    }
    numbers = [f"class {number}" for number in range(len(named_classes))]
    table = pd.DataFrame(
        [[cells.get((tool, error_class)) for error_class in named_classes] for tool in named_tools],
        columns=numbers,
        dtype="Int64",
    )
    tinted = table.assign(tool=[cell_text(tool) for tool in named_tools])
    columns: dict[str, Any] = {"tool": st.column_config.TextColumn("Tool", width=180, pinned=True)}
    columns |= {
        number: st.column_config.NumberColumn(render.shortened(cell_text(error_class), 34), format="%d")
        for number, error_class in zip(numbers, named_classes, strict=True)
    }

    def on_click(row: int, column: str | None) -> None:
        terms = [FAILED, term("tool", named_tools[row])]
        if column in numbers:
            terms.append(term("error_class", named_classes[numbers.index(column)]))
        open_list(state.CALLS_PAGE, query, *terms)

    most = max(1, int(frame["calls"].max()))
    style = tinted[["tool", *numbers]].style.map(partial(_tint, most=most), subset=list[Hashable](numbers))
    show_cells(key, style, columns, on_click, rows=len(named_tools), in_sight=HEAT_TOOLS, placeholder="")
    all_tools, all_classes = frame["tool"].nunique(dropna=False), frame["error_class"].nunique(dropna=False)
    if all_tools > len(named_tools) or all_classes > len(named_classes):
        render.note(
            f"Tools: {len(named_tools):,} of {all_tools:,}. Classes: {len(named_classes):,} of {all_classes:,}. "
            "The ones with the most failures are shown."
        )


def _largest(frame: pd.DataFrame, by: str, limit: int) -> Sequence[FieldValue | None]:
    sums = frame.groupby(by, dropna=False)["calls"].sum().sort_values(ascending=False, kind="stable")
    return [query_value(value) for value in sums.index[:limit]]


def _tint(count: Any, most: int) -> str:
    # One tint over either theme's ground; the text keeps the theme's own colour.
    return "" if pd.isna(count) else f"background-color: rgba(200, 60, 50, {0.1 + 0.45 * int(count) / most:.2f})"


TOOL_COLUMNS: dict[str, Any] = {
    "tool": st.column_config.TextColumn("Tool"),
    "mode": st.column_config.TextColumn("Mode", width=110, help="As the runs declare it; several where they differ"),
    "calls": st.column_config.NumberColumn("Calls", width=70),
    "failures": st.column_config.NumberColumn("Failed", width=62, help=glossary.COUNT["failures"].meaning),
    "errors": st.column_config.NumberColumn(
        "App. errors", width=84, help=f"Application errors: {glossary.COUNT['application_errors'].meaning}"
    ),
    "rate": st.column_config.ProgressColumn(
        "Failure rate",
        format="%.1f %%",
        min_value=0,
        max_value=100,
        width=110,
        help=glossary.COUNT["failure_rate"].meaning,
    ),
    "p95": st.column_config.NumberColumn(
        "p95 ms", width=70, format="%.0f", help="95 % of the calls were faster. Click to open the others."
    ),
    "retries": st.column_config.NumberColumn("Retries", width=66, help=glossary.COUNT["retries"].meaning),
    "lost": st.column_config.NumberColumn("Lost, s", width=66, format="%.1f", help=glossary.COUNT["wasted_ms"].meaning),
    "violations": st.column_config.NumberColumn(
        "Off schema",
        width=84,
        help="Logged calls whose arguments or response do not fit the declared schema. Click to open their runs.",
    ),
}


def show_tools(query: str) -> None:
    """Draw the table of the tools that the query's calls went to. Raises QueryError."""
    figures = cache.read(state.store().figures.tools, query)
    if figures.empty:
        render.note("The runs of this query have no logged calls.")
        return
    top = figures.head(MOST_ROWS)
    tools = [query_value(value) for value in top["tool"]]
    slowest = [query_value(value) for value in top["p95_ms"]]
    table = pd.DataFrame(
        {
            "tool": [cell_text(tool) for tool in tools],
            "mode": [", ".join(modes) if isinstance(modes, list) else None for modes in top["modes"]],
            "calls": top["calls"],
            "failures": top["failures"],
            "errors": top["application_errors"],
            "rate": 100 * top["failure_rate"],
            "p95": top["p95_ms"],
            "retries": top["retries"],
            "lost": top["wasted_ms"] / 1000,
            "violations": top["violations"],
        }
    )

    def on_click(row: int, column: str | None) -> None:
        page, terms = tool_target(tools[row], slowest[row], column)
        open_list(page, query, *terms)

    show_cells("tools", table, TOOL_COLUMNS, on_click)
    note_cut(len(top), len(figures), "The ones with the most calls are shown.")


def tool_target(tool: FieldValue | None, p95_ms: FieldValue | None, column: str | None) -> tuple[str, list[str]]:
    """Return the page, and the terms on it, of what a number of a tool's row counts."""
    own = term("tool", tool)
    match column:
        case "failures" | "rate":
            return state.CALLS_PAGE, [FAILED, own]
        case "errors":
            return state.CALLS_PAGE, [APPLICATION_ERRORS, own]
        case "p95" if p95_ms is not None:
            return state.CALLS_PAGE, [own, f"latency_ms>={float(p95_ms):.0f}"]
        case "retries" | "lost":
            return state.CALLS_PAGE, [own, "attempt>1"]
        case "violations":
            return state.RUNS_PAGE, [own, f"finding:{','.join(VIOLATIONS)}"]
        case _:
            return state.CALLS_PAGE, [own]


MOST_ATTEMPTS = 12
"""Bars: a chain may have any number of attempts, and the policy allows four (R26)."""


def show_retries(query: str, tables: dict[FailureTable, pd.DataFrame]) -> None:
    """Draw the chains by outcome and the calls by attempt, side by side."""
    if tables["attempts"].empty:
        render.note("The runs of this query have no logged calls.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _show_chains(query, tables["chains"])
    with right:
        _show_attempts(query, tables["attempts"])


def _show_chains(query: str, chains: pd.DataFrame) -> None:
    render.heading("Retry chains", help="A chain is one call with all its attempts.")
    rows = zip(chains["chain"], chains["chains"], chains["wasted_ms"], strict=True)
    table = [
        Bar(
            glossary.CHAIN[outcome].word,
            int(number),
            glossary.CHAIN[outcome].colour,
            f" · {seconds(wasted_ms)} lost" if wasted_ms else "",
            term("chain", outcome),
        )
        for outcome, number, wasted_ms in rows
    ]
    show_bars("chains", table, partial(open_list, state.CALLS_PAGE, query), alt="Chains by outcome")


def _show_attempts(query: str, attempts: pd.DataFrame) -> None:
    render.heading("Attempts", help="How many calls were a first try, a second, and so on, and how many failed.")
    top = attempts.head(MOST_ATTEMPTS)
    rows = zip(top["attempt"], top["calls"], top["failures"], strict=True)
    table = [
        Bar(
            f"attempt {int(attempt):,}",
            int(calls),
            "blue" if attempt == 1 else "yellow",
            f" · {failures:,} failed" if failures else "",
            f"attempt:{int(attempt)}",
        )
        for attempt, calls, failures in rows
    ]
    show_bars("attempts", table, partial(open_list, state.CALLS_PAGE, query), alt="Calls by attempt")
    note_cut(len(top), len(attempts), "The first attempts are shown.")


def show_sources_and_rules(query: str, tables: dict[FailureTable, pd.DataFrame]) -> None:
    """Draw who answered the calls, and which failure rules fired, side by side."""
    left, right = st.columns(2, gap="medium")
    with left:
        _show_sources(query, tables["sources"])
    with right:
        _show_rules(query, tables["rules"])


def _show_sources(query: str, sources: pd.DataFrame) -> None:
    render.heading("Sources", help="Who answered: the simulator, a failure rule, the live tool, or nobody.")
    if sources.empty:
        render.note("The runs of this query have no logged calls.")
        return
    top = sources.head(MOST_ROWS)
    values = [query_value(value) for value in top["source"]]
    table = pd.DataFrame(
        {
            "source": [cell_text(value) for value in values],
            "family": [value or "unknown" for value in map(query_value, top["family"])],
            "calls": top["calls"],
            "failures": top["failures"],
        }
    )
    columns = {
        "source": st.column_config.TextColumn("Source"),
        "family": st.column_config.TextColumn("Family", width=90),
        "calls": st.column_config.NumberColumn("Calls", width=70),
        "failures": st.column_config.NumberColumn("Failed", width=70, help="Click to open only these."),
    }

    def on_click(row: int, column: str | None) -> None:
        only = [FAILED] if column == "failures" else []
        open_list(state.CALLS_PAGE, query, *only, term("source", values[row]))

    show_cells("sources", table, columns, on_click)
    note_cut(len(top), len(sources), "The ones with the most calls are shown.")


def _show_rules(query: str, rules: pd.DataFrame) -> None:
    render.heading("Failure rules that fired", help="By their index, from 0. These failures are deliberate.")
    if rules.empty:
        render.note("No failure rule fired in the runs of this query.")
        return
    top = rules.head(MOST_ROWS)
    indexes = [int(rule) for rule in top["rule"]]
    table = pd.DataFrame({"rule": indexes, "runs": top["runs"], "calls": top["calls"]})
    columns = {
        "rule": st.column_config.NumberColumn("Rule", format="%d"),
        "runs": st.column_config.NumberColumn("Runs", width=90, help="Click to open the runs."),
        "calls": st.column_config.NumberColumn("Calls", width=90, help="Click to open the calls."),
    }

    def on_click(row: int, column: str | None) -> None:
        page = state.RUNS_PAGE if column == "runs" else state.CALLS_PAGE
        open_list(page, query, f"rule:{indexes[row]}")

    show_cells("rules", table, columns, on_click)
    note_cut(len(top), len(rules), "The ones with the lowest indexes are shown.")
