"""The head of the Run page: which run this is, what the judge saw, and what is unusual about it."""

from __future__ import annotations

import streamlit as st

from app import glossary, render
from app.components.answer import draw_answer
from app.formatting import is_number, seconds, token_counts
from app.glossary import Term
from app.parts.compare.choice import show_counterpart_button
from app.parts.run import findings_panel, lead
from trace_store.model import Run

_ANSWER = "run-answer"


def show(run: Run) -> None:
    """Title, ids, chips and the final answer as the judge saw it, or the error in its place (R3, R4)."""
    with st.container(key="run-name", gap="xxsmall"):
        with st.container(key="run-title"):
            st.text(render.visible(render.shortened(title_of(run), 120)))
        with st.container(key="run-ids"):
            st.text(render.visible(" · ".join(ids(run))))
    with st.container(key="run-chips", horizontal=True, vertical_alignment="center", gap="xsmall"):
        for term, detail in chips(run):
            render.badge(term, detail)
        show_counterpart_button(run)
    _answer(run)
    lead.show(run)


def title_of(run: Run) -> str:
    """What a person calls the run: its scenario, else its id. A task's id is often a bare number."""
    return run.scenario or run.run_id


def ids(run: Run) -> list[str]:
    """What the run goes by elsewhere, each with its name, and where it came from."""
    named = [
        ("run", run.run_id),
        ("task", run.task_id),
        ("check", run.check_id),
        ("agent", run.agent_id),
        ("status", run.status),
        ("started", run.started_at),
        ("token", run.run_token_jti),
        ("from", " ".join(part for part in (run.file, run.place) if part) or None),
    ]
    return [f"{name} {value}" for name, value in named if value and value != title_of(run)]


def chips(run: Run) -> list[tuple[Term, str]]:
    """The badges of a run, each with the number in front of it: the verdict first, what is unusual last."""
    failed = sum(call.outcome in {"failed", "injected_failure"} for call in run.calls)
    undeclared = len({call.actor_id for call in run.calls if call.actor_status == "undeclared"})
    malformed = len({call.actor_id for call in run.calls if call.actor_status == "malformed"})
    exhausted = sum(chain.outcome == "exhausted" for chain in run.chains)
    retries = sum(len(chain.calls) - 1 for chain in run.chains)
    shown: list[tuple[Term, str] | None] = [
        (glossary.VERDICT[run.judge_passed], ""),
        (glossary.RUN["failed"], "") if run.failed else None,
        (glossary.RUN["response_error"], "") if run.response_error else None,
        (glossary.VIEW[run.view], ""),
        *_measures(run),
        (_calls(len(run.calls), failed), "") if run.has_log else (glossary.NO_LOG, ""),
        (glossary.RUN["retry" if retries == 1 else "retries"], f"{retries:,}") if retries else None,
        (glossary.RUN["exhausted"], f"{exhausted:,}") if exhausted else None,
        (glossary.RUN["undeclared"], f"{undeclared:,}") if undeclared else None,
        (glossary.RUN["malformed"], f"{malformed:,}") if malformed else None,
        (glossary.RUN["cut"], "") if run.final_response is not None and run.final_response_cut != 0 else None,
        (glossary.RUN["warning" if len(run.warnings) == 1 else "warnings"], f"{len(run.warnings):,}")
        if run.warnings
        else None,
    ]
    return [chip for chip in shown if chip is not None]


def _calls(total: int, failed: int) -> Term:
    if failed:
        return Term(f"{render.counted(total, 'call')}, {failed:,} failed", "red", glossary.OUTCOME["failed"].meaning)
    return Term(render.counted(total, "call"), "gray", "Entries of the run's proxy log (R16).")


def _measures(run: Run) -> list[tuple[Term, str]]:
    metadata = run.metadata or {}
    measures: list[tuple[Term, str]] = []
    if isinstance(model := metadata.get("model"), str):
        measures.append((Term(render.literal(model, 40), "gray", "The model, as the run's metadata names it."), ""))
    used, written = metadata.get("total_input_tokens"), metadata.get("total_output_tokens")
    if tokens := token_counts(used, written):
        measures.append((Term(f"{tokens} tokens", "gray", "Tokens read and written, from the metadata (R13)."), ""))
    runtime = metadata.get("agent_runtime_ms")
    if is_number(runtime):
        measures.append((Term(seconds(runtime), "gray", "The agent's running time (R13)."), ""))
    return measures


def _answer(run: Run) -> None:
    tone = {True: "passed", False: "failed", None: "plain"}[run.judge_passed]
    tone = "failed" if run.failed else tone
    with st.container(key=f"answer-{tone}"):
        if run.final_response is None:
            render.sentence(f"**No final answer:** {render.literal(run.response_error or run.error_class)}")
        else:
            draw_answer(run, key=_ANSWER, on_jump=lambda: findings_panel.follow(_ANSWER))
    if run.final_response_cut:
        render.note(
            f"The judge saw the first 50,000 characters; {run.final_response_cut:,} more were cut (R4). "
            "The whole answer is in the Raw panel."
        )
    elif run.final_response_cut is None and run.final_response is not None:
        render.note("The platform had cut this answer before it was exported (R4).")
    if run.error is not None:
        with st.expander("The run's own error"):
            st.json(run.error, expanded=2)
