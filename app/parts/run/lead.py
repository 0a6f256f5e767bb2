"""The first thing that is said of a run: where it went wrong, and what may safely be done; or what to look at else."""

from __future__ import annotations

import streamlit as st

from app import glossary, path_labels, render
from app.glossary import Term
from app.parts.run import findings_panel
from trace_store.model import Run

_WORSE = {"answer_unverified", "response_missing", "run_failed"}
"""Findings beside which a cut answer is not all that is wrong with an answer."""


def show(run: Run) -> None:
    """The first failed boundary (R38); without one, what nevertheless deserves a look, if anything does."""
    boundary = run.boundary
    with st.container(key="boundary", gap="xxsmall"):
        if run.view == "thin":
            with st.container(key="boundary-thin"):
                st.text(render.visible(f"No transcript: {why_thin(run)}"))
        if boundary is None:
            _without_boundary(run)
            return
        where = "boundary-cut" if is_mere_cut(run) else "boundary-text"
        said = f"Nothing failed, but the answer was cut: {boundary.reason}"
        failed = f"First failed at {boundary.stage}: {boundary.reason}"
        term = glossary.BOUNDARY.get(boundary.stage, glossary.NO_BOUNDARY)
        _line(run, where, said if is_mere_cut(run) else failed, boundary.path, term)
        with st.container(key="boundary-recovery"):
            st.text(render.visible(boundary.recovery))
        if boundary.deliberate:
            with st.container(key="boundary-deliberate"):
                st.text("Deliberate: a failure rule of the run fired, so that one could see what the agent does then.")
        if boundary.corrected_by:
            mended = path_labels.in_words(run, boundary.corrected_by)
            said = f"Corrected by the model itself: {mended}, with other arguments, ended well."
            _line(run, "boundary-corrected", said, boundary.corrected_by, glossary.CORRECTED)


def is_mere_cut(run: Run) -> bool:
    """Whether all that is wrong at the run's boundary is that the platform cut its answer (R4)."""
    kinds = {finding.kind for finding in run.findings}
    return (
        run.boundary is not None and run.boundary.stage == "answer" and "response_cut" in kinds and not kinds & _WORSE
    )


def why_thin(run: Run) -> str:
    """Why nothing of the transcript is left, in a sentence that may quote a warning (R5, R7-R9)."""
    whole = [warning.reason for warning in run.warnings if warning.path == "messages"]
    if whole:
        return f"the messages could not be read: {whole[0]}"
    dropped = sum((warning.path or "").startswith("messages[") for warning in run.warnings)
    if dropped:
        return f"none of the {render.counted(dropped, 'message')} of the export could be kept"
    return "the export carries no messages, only the final response"


def looks(run: Run) -> str:
    """What deserves a look though no boundary failed: errors, and actors that nobody declared; "" for nothing."""
    errors = sum(finding.severity == "error" for finding in run.findings)
    undeclared = len({call.actor_id for call in run.calls if call.actor_status == "undeclared"})
    told = [
        render.counted(errors, "finding is an error", "findings are errors") if errors else "",
        render.counted(undeclared, "actor that nobody declared", "actors that nobody declared") if undeclared else "",
    ]
    return " · ".join(filter(None, told))


def _without_boundary(run: Run) -> None:
    worth = looks(run)
    if not worth:
        return
    errors = [finding for finding in run.findings if finding.severity == "error"]
    first = next(iter(errors or [finding for finding in run.findings if finding.kind == "actor_undeclared"]), None)
    said = f"No boundary failed, but look: {worth}."
    if first is None:
        with st.container(key="boundary-look"):
            st.text(said)
        return
    _line(run, "boundary-look", f"{said} {first.message}", first.path, glossary.SEVERITY[first.severity])


def _line(run: Run, key: str, said: str, path: str, term: Term) -> None:
    """A sentence, and beside it the way to what it rests on."""
    with st.container(key=f"{key}-line", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key=key, width="stretch"):
            st.text(render.visible(said))
        st.button(
            f"Show {render.literal(path_labels.in_words(run, path), 36)}",
            key=f"{key}-show",
            type="tertiary",
            icon=":material/arrow_forward:",
            icon_position="right",
            on_click=findings_panel.show_evidence,
            args=(path,),
            help=f"{render.literal(path, 80)}: {term.meaning}",
        )
