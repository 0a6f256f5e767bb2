"""The way in: files dropped on the page, a folder, or a path on this machine; and the report of what came of it.

An upload is read and gone: nothing of it stays in the session, only the report.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from app import render, state
from app.parts.imports import import_report
from trace_store.errors import StoreError
from trace_store.importing.files import import_paths, import_stream
from trace_store.reports import ImportReport

FILES, FOLDER, PATH = "Files", "Folder", "Path on this machine"
TYPES = ["json", "jsonl", "ndjson", "gz", "zip"]
SAMPLES = Path(__file__).resolve().parents[3] / "sample_runs" / "runs"

_OPEN, _REPORT, _FAILURE, _TURN = "import-open", "import-report", "import-failure", "import-turn"

Progress = Callable[[str, int, int, int], None]


def switch() -> None:
    """The button that opens and closes the panel."""
    opened = st.session_state.get(_OPEN, False)
    st.button(
        "Close the import" if opened else "Import",
        icon=":material/close:" if opened else ":material/upload_file:",
        on_click=_switch,
        help="Drop files or a folder, or name a path",
    )


def show() -> None:
    """The panel, where it is open."""
    if st.session_state.get(_OPEN, False):
        with st.container(border=True, key="import-panel"):
            _sources()
            _outcome()


def welcome() -> None:
    """The empty store: what this is for, and two ways to begin."""
    with st.container(key="welcome", gap="medium"):
        render.sentence(
            "**No runs yet.** Drop exported agent runs here, and see which went wrong, where each first went wrong, "
            "and whether the answers are backed by what the tools returned."
        )
        if SAMPLES.is_dir():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button("Load the sample runs", key="primary-samples", type="primary", on_click=_import_samples)
                with st.container(width="stretch"):
                    render.note("A few made-up runs that show every feature: retries, undeclared actors, thin runs.")
        with st.container(border=True, key="import-panel"):
            _sources()
            _outcome()


def may_read_paths() -> bool:
    """Whether a path may be named: only on the machine itself, never over a network."""
    return state.is_loopback()


def _switch() -> None:
    st.session_state[_OPEN] = not st.session_state.get(_OPEN, False)
    st.session_state.pop(_REPORT, None)
    st.session_state.pop(_FAILURE, None)


def _sources() -> None:
    ways = [FILES, FOLDER, PATH] if may_read_paths() else [FILES, FOLDER]
    way = st.segmented_control(
        "Import from", ways, default=FILES, required=True, key="import-way", label_visibility="collapsed"
    )
    if way == PATH:
        _path()
    else:
        _uploads(folder=way == FOLDER)


def _uploads(*, folder: bool) -> None:
    turn = st.session_state.get(_TURN, 0)
    uploads = st.file_uploader(
        "Drop a folder here" if folder else "Drop exported runs here: .json, .jsonl, .gz or .zip, as many as you like",
        accept_multiple_files="directory" if folder else True,
        type=TYPES if folder else None,
        key=f"import-{'folder' if folder else 'files'}-{turn}",
        help="Up to 64 MB a file. What is larger is imported by its path, or by the command trace-store import.",
    )
    if not uploads:
        return
    told = _progress_bar()

    def read() -> ImportReport:
        report = ImportReport()
        for upload in uploads:
            report.files.append(import_stream(state.store(), upload.name, upload, told))
        return report

    _run(read)
    # A new key empties the uploader and lets go of the files.
    st.session_state[_TURN] = turn + 1
    st.session_state[_OPEN] = True
    st.rerun()


def _path() -> None:
    roots = state.settings().import_roots
    with st.form("import-path", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        named = st.text_input(
            "A file or folder on this machine", placeholder="exports/nightly.jsonl", key="import-path-text"
        )
        submitted = st.form_submit_button("Import", key="primary-import-path", type="primary")
    render.note(f"Read below {', '.join(render.literal(root) for root in roots)}; TRACE_IMPORT_ROOTS says where.")
    if not submitted or not named.strip():
        return
    path = Path(named.strip()).expanduser()
    if not state.settings().is_below_a_root(path):
        render.problem(
            StoreError("the path is outside the folders that may be read", path=named.strip()), heading="Not imported"
        )
        return
    told = _progress_bar()
    _run(lambda: import_paths(state.store(), [path], told))
    st.session_state[_OPEN] = True
    st.rerun()


def _import_samples() -> None:
    _run(lambda: import_paths(state.store(), [SAMPLES]))
    st.session_state[_OPEN] = True


def _run(read: Callable[[], ImportReport]) -> None:
    st.session_state.pop(_FAILURE, None)
    try:
        st.session_state[_REPORT] = read()
    except StoreError as error:
        st.session_state[_FAILURE] = error


def _progress_bar() -> Progress:
    bar = render.Progress("Reading")

    def told(file: str, done: int, size: int, runs: int) -> None:
        bar.show(done / size if size else None, f"{render.literal(file)}: {render.counted(runs, 'run')}")

    return told


def _outcome() -> None:
    failure = st.session_state.get(_FAILURE)
    if failure is not None:
        render.problem(failure, heading="Nothing of this file was imported")
    report = st.session_state.get(_REPORT)
    if report is not None:
        import_report.show("import", report.files, len(report.skipped_names))
