"""The Failures page: what failed, by layer, tool, source and rule, what retries did about it, and what that cost."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from app import glossary, reading, render, state
from app.parts import bars, breakdown, query_bar
from app.parts.bars import Bar
from trace_store.errors import QueryError
from trace_store.store.query.writing import narrow, term


def show() -> None:
    state.carry_query("failures")
    render.title("Failures", "What failed and how often, what retries did about it, and what that cost.")
    if reading.totals("").runs == 0:
        render.empty("There is nothing that could have failed yet.", "Import some runs on the Runs page.")
        st.button("To the runs", key="primary-to-the-runs", type="primary", on_click=state.go, args=(state.RUNS_PAGE,))
        return
    query = query_bar.show()
    try:
        failures = reading.failures(query)
        figures = reading.figures(query)
    except QueryError as error:
        render.query_problem(query, error)
        return
    if not figures["calls"] and failures.classes.empty:
        render.empty("Nothing matches this query.", "Take a term away, or clear the query.")
        return
    _head(query, figures)
    _layers(query, failures.classes)
    _envelopes(query)
    if not failures.tools_by_class.empty:
        render.heading("Tools and classes", help="Failed calls, injected ones included. A click opens them.")
        breakdown.heat_map("heat", query, failures.tools_by_class)
    left, right = st.columns(2, gap="medium")
    with left:
        _chains(query, failures.chains)
        _sources(query, failures.sources)
    with right:
        _attempts(query, failures.attempts)
        _rules(query, failures.rules)
    if not failures.tools.empty:
        render.heading("Tools", help="Every tool that was called, whether it failed or not.")
        breakdown.tools("tools", query, failures.tools)


def _head(query: str, figures: pd.Series) -> None:
    runs = int(figures["runs"])
    retries = render.counted(int(figures["retries"]), "retry", "retries")
    failed_in = int(reading.figures(narrow(query, breakdown.FAILED))["runs"]) if figures["failures"] else 0
    where = f" in {failed_in:,} of {render.counted(runs, 'run')} with calls" if failed_in else ""
    render.sentence(
        f"**{figures['failures']:,.0f}** of {render.counted(int(figures['calls']), 'call')} failed "
        f"({100 * figures['failure_rate']:.1f} %){where} · {retries}, {figures['wasted_ms'] / 1000:,.1f} s lost to them"
    )


def _layers(query: str, classes: pd.DataFrame) -> None:
    layers = (
        ("call", "error_class", "Failed calls", state.CALLS_PAGE),
        ("run", "run_error_class", "Runs", state.RUNS_PAGE),
        ("envelope", "envelope_class", "Envelopes", state.RUNS_PAGE),
    )
    for column, (layer, field, noun, page) in zip(st.columns(3, gap="medium"), layers, strict=True):
        with column:
            found = classes[classes["layer"] == layer].rename(columns={"error_class": field})
            render.layer(glossary.LAYERS[layer])
            if found.empty:
                render.note(glossary.NOTHING_IN_LAYER[layer])
                continue
            only = [breakdown.FAILED] if layer == "call" else []
            opened = partial(breakdown.open_list, page, query, *only)
            breakdown.counts(f"layer-{layer}", found, field, "count", heading="Class", noun=noun, opened=opened)


def _envelopes(query: str) -> None:
    codes = reading.facet("runs", query, "envelope_code", breakdown.ENVELOPE_CODES)
    if not codes:
        return
    broken = term("finding", "envelope_invalid")
    invalid = dict(reading.facet("runs", narrow(query, broken), "envelope_code", breakdown.ENVELOPE_CODES))
    render.heading("Envelopes", help="Error envelopes by their code, in runs and their calls (R39).")
    shown = pd.DataFrame(
        {
            "code": [breakdown.named(code) for code, _ in codes],
            "runs": [runs for _, runs in codes],
            "invalid": [invalid.get(code) for code, _ in codes],
        }
    )
    columns = {
        "code": st.column_config.TextColumn("Code", width=260),
        "runs": st.column_config.NumberColumn("Runs", width=90, help="With an envelope of this code"),
        "invalid": st.column_config.NumberColumn(
            "With an invalid one", width=140, help="Of these, runs in which some envelope breaks a rule of R39"
        ),
    }

    def opened(row: int, column: str | None) -> None:
        terms = [term("envelope_code", codes[row][0]), *([broken] if column == "invalid" else [])]
        breakdown.open_list(state.RUNS_PAGE, query, *terms)

    breakdown.table("envelopes", shown, columns, opened)
    if not invalid:
        render.note("Every one of them is valid.")


def _chains(query: str, chains: pd.DataFrame) -> None:
    if chains.empty:
        return
    render.heading("Retry chains", help="A chain is one logical call with its attempts (R24, R27).")
    rows = zip(chains["chain"], chains["chains"], chains["wasted_ms"], strict=True)
    shown = [
        Bar(
            glossary.CHAIN[outcome].word,
            int(number),
            glossary.CHAIN[outcome].colour,
            f" · {wasted_ms / 1000:,.1f} s lost" if wasted_ms else "",
            term("chain", outcome),
        )
        for outcome, number, wasted_ms in rows
    ]
    bars.show("chains", shown, partial(breakdown.open_list, state.CALLS_PAGE, query), alt="Chains by outcome")


def _attempts(query: str, attempts: pd.DataFrame) -> None:
    if attempts.empty:
        return
    render.heading("Attempts", help="How many calls were a first try, a second, and so on, and how many failed (R24).")
    rows = zip(attempts["attempt"], attempts["calls"], attempts["failures"], strict=True)
    shown = [
        Bar(
            f"attempt {int(attempt):,}",
            int(calls),
            "blue" if attempt == 1 else "yellow",
            f" · {failures:,} failed" if failures else "",
            f"attempt:{int(attempt)}",
        )
        for attempt, calls, failures in rows
    ]
    bars.show("attempts", shown, partial(breakdown.open_list, state.CALLS_PAGE, query), alt="Calls by attempt")


def _sources(query: str, sources: pd.DataFrame) -> None:
    if sources.empty:
        return
    render.heading("Sources", help="Who answered: the simulator, a failure rule, the live tool, or nobody (R17).")
    values = [breakdown.stored(value) for value in sources["source"]]
    shown = pd.DataFrame(
        {
            "source": [breakdown.named(value) for value in values],
            "family": [value or "unknown" for value in map(breakdown.stored, sources["family"])],
            "calls": sources["calls"],
            "failures": sources["failures"],
        }
    )
    columns = {
        "source": st.column_config.TextColumn("Source"),
        "family": st.column_config.TextColumn("Family", width=90),
        "calls": st.column_config.NumberColumn("Calls", width=70),
        "failures": st.column_config.NumberColumn("Failed", width=70),
    }
    opened = partial(breakdown.open_list, state.CALLS_PAGE, query)
    breakdown.table("sources", shown, columns, lambda row, column: opened(term("source", values[row])))


def _rules(query: str, rules: pd.DataFrame) -> None:
    render.heading("Failure rules that fired", help="By their index; 0 is a rule. These failures are deliberate (R20).")
    if rules.empty:
        render.note("No failure rule fired in what the query finds.")
        return
    indexes = [int(rule) for rule in rules["rule"]]
    shown = pd.DataFrame({"rule": indexes, "runs": rules["runs"], "calls": rules["calls"]})
    columns = {
        "rule": st.column_config.NumberColumn("Rule", format="%d"),
        "runs": st.column_config.NumberColumn("Runs", width=90),
        "calls": st.column_config.NumberColumn("Calls", width=90),
    }
    opened = partial(breakdown.open_list, state.CALLS_PAGE, query)
    breakdown.table("rules", shown, columns, lambda row, column: opened(f"rule:{indexes[row]}"))


show()
