"""The import panel: files dropped on the page, a folder, or a path on this machine; and the report.

Nothing of an upload stays in the session, only the report.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from app import render, session_keys, state
from app.parts.imports.import_report import show_import_report
from trace_store.errors import StoreError
from trace_store.importing.files import import_paths, import_stream
from trace_store.reports import ImportReport

FILES, FOLDER, PATH = "Files", "Folder", "Path on this machine"
TYPES = ["json", "jsonl", "ndjson", "gz", "zip"]
SAMPLES = Path(__file__).resolve().parents[3] / "sample_runs" / "runs"

_UPLOADS = "import-uploads"

Progress = Callable[[str, int, int, int], None]


def show_import_switch() -> None:
    """Draw the button that opens and closes the panel."""
    is_open = session_keys.get(session_keys.IMPORT_IS_OPEN, bool)
    st.button(
        "Close the import" if is_open else "Import",
        icon=":material/close:" if is_open else ":material/upload_file:",
        on_click=_switch,
        help="Drop files or a folder, or enter a path",
    )


def show_import_panel() -> None:
    """Draw the panel, where it is open."""
    if session_keys.get(session_keys.IMPORT_IS_OPEN, bool):
        with st.container(border=True, key="import-panel"):
            _sources()
            _outcome()


def show_welcome() -> None:
    """Draw what an empty store shows: what the app is for, and two ways to start."""
    with st.container(key="welcome", gap="medium"):
        render.sentence(
            "**No runs yet.** Drop exported agent runs here to see which went wrong, where each first went wrong, "
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
    """Return whether a path may be entered: only on the machine itself, never over a network."""
    return state.is_loopback()


def _switch() -> None:
    st.session_state[session_keys.IMPORT_IS_OPEN] = not session_keys.get(session_keys.IMPORT_IS_OPEN, bool)
    st.session_state.pop(session_keys.IMPORT_REPORT, None)
    st.session_state.pop(session_keys.IMPORT_FAILURE, None)


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
    turn = session_keys.turn(_UPLOADS)
    uploads = st.file_uploader(
        "Drop a folder here" if folder else "Drop exported runs here: .json, .jsonl, .gz or .zip, as many as you like",
        accept_multiple_files="directory" if folder else True,
        type=TYPES if folder else None,
        key=f"import-{'folder' if folder else 'files'}-{turn}",
    )
    by_path = "“Path on this machine”, or " if may_read_paths() else ""
    render.note(f"Up to 64 MB a file. Larger files: {by_path}`trace-store import` on the command line.")
    if not uploads:
        return
    show_progress = _progress_bar()

    def read() -> ImportReport:
        report = ImportReport()
        for upload in uploads:
            report.files.append(import_stream(state.store(), upload.name, upload, show_progress))
        return report

    _run(read)
    # A new key empties the uploader and lets go of the files.
    session_keys.next_turn(_UPLOADS)
    st.session_state[session_keys.IMPORT_IS_OPEN] = True
    st.rerun()


def _path() -> None:
    roots = state.settings().import_roots
    with st.form("import-path", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "A file or folder on this machine", placeholder="exports/nightly.jsonl", key="import-path-text"
        )
        submitted = st.form_submit_button("Import", key="primary-import-path", type="primary")
    render.note(
        f"Only paths in {', '.join(render.literal(root) for root in roots)} can be read; TRACE_IMPORT_ROOTS sets them."
    )
    if not submitted or not name.strip():
        return
    path = Path(name.strip()).expanduser()
    if not state.settings().is_below_a_root(path):
        render.problem(
            StoreError("the path is outside the folders that may be read", path=name.strip()), heading="Not imported"
        )
        return
    show_progress = _progress_bar()
    _run(lambda: import_paths(state.store(), [path], show_progress))
    st.session_state[session_keys.IMPORT_IS_OPEN] = True
    st.rerun()


def _import_samples() -> None:
    _run(lambda: import_paths(state.store(), [SAMPLES]))
    st.session_state[session_keys.IMPORT_IS_OPEN] = True


def _run(read: Callable[[], ImportReport]) -> None:
    st.session_state.pop(session_keys.IMPORT_FAILURE, None)
    try:
        st.session_state[session_keys.IMPORT_REPORT] = read()
    except StoreError as error:
        st.session_state[session_keys.IMPORT_FAILURE] = error


def _progress_bar() -> Progress:
    bar = render.Progress("Reading")

    def show_progress(file: str, done: int, size: int, runs: int) -> None:
        bar.show(done / size if size else None, f"{render.literal(file)}: {render.counted(runs, 'run')}")

    return show_progress


def _outcome() -> None:
    failure = session_keys.get(session_keys.IMPORT_FAILURE, StoreError)
    if failure is not None:
        render.problem(failure, heading="This file was not imported")
    report = session_keys.get(session_keys.IMPORT_REPORT, ImportReport)
    if report is not None:
        show_import_report("import", report.files, len(report.skipped_names))
