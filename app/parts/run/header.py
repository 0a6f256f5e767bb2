"""The head of the Run page: which run it is, what the judge saw, what is unusual about it, and where it went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import LiteralString

import streamlit as st

from app import cache, glossary, path_labels, render
from app.components.answer import build_answer, draw_answer
from app.components.timeline import Figures, read_runtime_ms
from app.dropped_messages import explain_thin
from app.formatting import seconds, token_counts, utc_time
from app.glossary import Term
from app.parts.compare.choice import show_counterpart_button
from app.parts.run.panels import follow_jump, show_evidence, show_warnings
from trace_store.contract.vocabulary import FAILURE_OUTCOMES
from trace_store.model import Boundary, Run

_ANSWER = "run-answer"

_WORSE = {"answer_unverified", "response_missing", "run_failed"}
"""Findings beside which a cut answer is not all that is wrong with an answer."""


def show_run_name(run: Run) -> None:
    """Draw what the run is called and its ids, on one line."""
    with st.container(
        key="run-name", horizontal=True, vertical_alignment="center", gap="small", width="stretch", wrap=False
    ):
        with st.container(key="run-title", width="content"):
            st.text(render.visible(render.shortened(title_of(run), 120)), wrap=False)
        with st.container(key="run-ids", width="stretch"):
            st.text(render.visible(" · ".join(f"{name} {value}" for name, value in ids(run)[:3])), wrap=False)


def show_run_header(run: Run) -> None:
    """Draw the chips, the answer as the judge saw it or the error instead (R3, R4), and what went wrong.

    It is kept low, because the transcript begins below it: what is read once, if at all, is behind a disclosure.
    """
    badges = chips(run, cache.timeline(run.run_id)["figures"])
    with st.container(key="run-chips", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        with st.container(key="run-chips-line", horizontal=True, gap="xsmall", width="content"):
            for term, detail in badges:
                render.badge(term, detail)
        _details(run, badges)
    _answer(run)
    _boundary(run)


def title_of(run: Run) -> str:
    """Return what a person calls the run: its scenario, else its id. A task's id is often a bare number."""
    return run.scenario or run.run_id


def ids(run: Run) -> list[tuple[str, str]]:
    """Return the ids that the run has elsewhere, each with its name, and where it came from."""
    pairs = [
        ("run", run.run_id),
        ("task", run.task_id),
        ("check", run.check_id),
        ("agent", run.agent_id),
        ("status", run.status),
        ("started", utc_time(run.started_at) if run.started_at else None),
        ("token", run.run_token_jti),
        ("from", " ".join(part for part in (run.file, run.place) if part) or None),
    ]
    return [(name, value) for name, value in pairs if value and value != title_of(run)]


def chips(run: Run, figures: Figures) -> list[tuple[Term, str]]:
    """Return the badges of a run, each with the number in front of it: the verdict first, what is unusual last. The
    figures are those of its timeline."""
    failed = sum(call.outcome in FAILURE_OUTCOMES for call in run.calls)
    errors = sum(call.outcome == "application_error" for call in run.calls)
    undeclared = len({call.actor_id for call in run.calls if call.actor_status == "undeclared"})
    malformed = len({call.actor_id for call in run.calls if call.actor_status == "malformed"})
    exhausted = sum(chain.outcome == "exhausted" for chain in run.chains)
    retries = sum(len(chain.calls) - 1 for chain in run.chains)
    repeats = sum(chain.repeats is not None for chain in run.chains)
    candidates: list[tuple[Term, str] | None] = [
        (glossary.VERDICT[run.judge_passed], ""),
        (glossary.RUN["failed"], "") if run.failed else None,
        (glossary.RUN["response_error"], "") if run.response_error else None,
        (glossary.VIEW[run.view], ""),
        *_measures(run, figures),
        (_calls(len(run.calls), failed), "") if run.has_log else (glossary.NO_LOG, ""),
        (glossary.RUN["application_error" if errors == 1 else "application_errors"], f"{errors:,}") if errors else None,
        (glossary.RUN["retry" if retries == 1 else "retries"], f"{retries:,}") if retries else None,
        (glossary.RUN["repeat" if repeats == 1 else "repeats"], f"{repeats:,}") if repeats else None,
        (glossary.RUN["exhausted"], f"{exhausted:,}") if exhausted else None,
        (glossary.RUN["undeclared"], f"{undeclared:,}") if undeclared else None,
        (glossary.RUN["malformed"], f"{malformed:,}") if malformed else None,
        (glossary.RUN["cut"], "") if run.final_response is not None and run.final_response_cut != 0 else None,
        (glossary.RUN["warning" if len(run.warnings) == 1 else "warnings"], f"{len(run.warnings):,}")
        if run.warnings
        else None,
    ]
    return [chip for chip in candidates if chip is not None]


def _calls(total: int, failed: int) -> Term:
    if failed:
        return Term(f"{render.counted(total, 'call')}, {failed:,} failed", "red", glossary.COUNT["failures"].meaning)
    return Term(render.counted(total, "call"), "gray", glossary.COUNT["calls"].meaning)


def _measures(run: Run, figures: Figures) -> list[tuple[Term, str]]:
    metadata = run.metadata or {}
    measures: list[tuple[Term, str]] = []
    if isinstance(model := metadata.get("model"), str):
        measures.append((Term(render.literal(model, 40), "gray", "The model, as the run's metadata names it."), ""))
    used, written = metadata.get("total_input_tokens"), metadata.get("total_output_tokens")
    if tokens := token_counts(used, written):
        measures.append((Term(f"{tokens} tokens", "gray", "Tokens read and written, from the metadata."), ""))
    runtime = read_runtime_ms(run)
    if runtime is not None:
        measures.append((Term(seconds(runtime), "gray", _explain_runtime(figures)), ""))
    return measures


def _explain_runtime(figures: Figures) -> LiteralString:
    if "runtime" not in figures:
        return "The agent's running time, from the metadata."
    if figures["wall"] > figures["runtime"]:
        return f"The agent's running time, from the metadata. The log spans more: {seconds(figures['wall'])}."
    return f"The agent's running time, from the metadata. The log spans {seconds(figures['wall'])} of it."


def _answer(run: Run) -> None:
    tone = {True: "passed", False: "failed", None: "plain"}[run.judge_passed]
    tone = "failed" if run.failed else tone
    answer = build_answer(run)
    with st.container(key=f"answer-{tone}", horizontal=True, vertical_alignment="top", gap="small", wrap=False):
        if answer is None:
            render.sentence(f"**No final answer:** {render.literal(run.response_error or run.error_class)}")
            return
        with st.container(key="run-answer-text", width="stretch"):
            draw_answer(answer, run=run.run_id, key=_ANSWER, on_jump=lambda: follow_jump(_ANSWER))
        if "label" in answer:
            _show_button(run, "answer", answer["path"], glossary.RUN["response_error"])


def _details(run: Run, badges: Sequence[tuple[Term, str]]) -> None:
    """What is read once, if at all: every badge, as a narrow line hides the last ones; the run's origin, why it is
    thin, what was warned of."""
    with (
        st.popover(
            "Details",
            type="tertiary",
            width="content",
            key="run-details",
            help="Ids, source, warnings, and a run to compare with",
        ),
        st.container(key="run-details-body", gap="small", width=560),
    ):
        with st.container(horizontal=True, gap="xsmall"):
            for term, detail in badges:
                render.badge(term, detail)
        show_counterpart_button(run)
        st.text("\n".join(render.visible(f"{name}: {value}") for name, value in ids(run)))
        if run.view == "thin":
            with st.container(key="boundary-thin"):
                st.text(render.visible(f"No transcript. {explain_thin(run)}"))
        if run.final_response_cut:
            render.note(
                f"The judge saw the first 50,000 characters; {run.final_response_cut:,} more were cut. "
                "The whole answer is in the Raw panel."
            )
        elif run.final_response_cut is None and run.final_response is not None:
            render.note("The platform had cut this answer before it was exported.")
        if run.error is not None:
            render.note("The run's own error")
            st.json(run.error, expanded=2)
        show_warnings(run)


def _boundary(run: Run) -> None:
    # The first failed boundary (R38); without one, what nevertheless deserves a look, if anything does.
    boundary = run.boundary
    with st.container(key="boundary", gap="xxsmall"):
        if boundary is None:
            _without_boundary(run)
            return
        where = "boundary-cut" if is_mere_cut(run) else "boundary-text"
        cut = f"Nothing failed, but the answer was cut: {boundary.reason}"
        failed = f"First failed at {boundary.stage}: {boundary.reason}"
        text = cut if is_mere_cut(run) else failed
        term = glossary.BOUNDARY.get(boundary.stage, glossary.NO_BOUNDARY)
        with _line(run, where, text, boundary.path, term):
            if boundary.deliberate:
                render.badge(glossary.DELIBERATE)
            if boundary.corrected_by:
                render.badge(glossary.CORRECTED)
            _advice(run, boundary, text)


def _advice(run: Run, boundary: Boundary, text: str) -> None:
    with (
        st.popover("What to do", type="tertiary", width="content", key="boundary-advice"),
        st.container(key="boundary-advice-body", gap="small", width=560),
    ):
        st.text(render.visible(text))
        with st.container(key="boundary-recovery"):
            st.text(render.visible(boundary.recovery))
        if boundary.deliberate:
            with st.container(key="boundary-deliberate"):
                st.text(f"Deliberate: {glossary.DELIBERATE.meaning}")
        if boundary.corrected_by:
            with st.container(key="boundary-corrected"):
                correction = path_labels.in_words(run, boundary.corrected_by)
                st.text(
                    render.visible(f"Corrected by the model itself: {correction}, with other arguments, succeeded.")
                )
            _show_button(run, "boundary-corrected", boundary.corrected_by, glossary.CORRECTED)


def is_mere_cut(run: Run) -> bool:
    """Return whether all that is wrong at the run's boundary is that the platform cut its answer (R4)."""
    kinds = {finding.kind for finding in run.findings}
    return (
        run.boundary is not None and run.boundary.stage == "answer" and "response_cut" in kinds and not kinds & _WORSE
    )


def describe_doubts(run: Run) -> str:
    """Return what deserves a look though no boundary failed: errors, and undeclared actors; "" for nothing."""
    errors = sum(finding.severity == "error" for finding in run.findings)
    undeclared = len({call.actor_id for call in run.calls if call.actor_status == "undeclared"})
    parts = [
        render.counted(errors, "finding is an error", "findings are errors") if errors else "",
        render.counted(undeclared, "undeclared actor") if undeclared else "",
    ]
    return " · ".join(filter(None, parts))


def _without_boundary(run: Run) -> None:
    doubts = describe_doubts(run)
    if not doubts:
        return
    errors = [finding for finding in run.findings if finding.severity == "error"]
    first = next(iter(errors or [finding for finding in run.findings if finding.kind == "actor_undeclared"]), None)
    text = f"No boundary failed, but look: {doubts}."
    if first is None:
        with st.container(key="boundary-look"):
            st.text(text)
        return
    with _line(run, "boundary-look", f"{text} {first.message}", first.path, glossary.SEVERITY[first.severity]):
        pass


@contextmanager
def _line(run: Run, key: str, text: str, path: str, term: Term) -> Iterator[None]:
    """A sentence on one line, and beside it the way to what it rests on; what is drawn within follows."""
    with st.container(key=f"{key}-line", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        with st.container(key=key, width="content"):
            st.text(render.visible(text), wrap=False)
        _show_button(run, key, path, term)
        yield


def _show_button(run: Run, key: str, path: str, term: Term) -> None:
    st.button(
        f"Show {render.literal(path_labels.in_words(run, path), 36)}",
        key=f"{key}-show",
        type="tertiary",
        icon=":material/arrow_forward:",
        icon_position="right",
        on_click=show_evidence,
        args=(path,),
        help=f"{render.literal(path, 80)}: {term.meaning}",
    )
