"""The page frame: title, icon and navigation. Streamlit runs this script for every page of the app."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import render, state
from app.components import browser_storage, keys
from trace_store.errors import TraceError

st.set_page_config(
    page_icon=Path(__file__).with_name("icon.svg"),
    layout="wide",
    initial_sidebar_state="auto",
)
page = st.navigation(
    [
        # It is served at the root, yet reserves a path, which must not be the hidden page's below.
        st.Page(
            state.RUNS_PAGE,
            title="Runs",
            url_path="start",
            default=True,
            help="Which runs went wrong, and where to start.",
        ),
        st.Page(state.RUN_PAGE, title="Run", help="One run in full: transcript, calls, actors, raw document."),
        st.Page(state.CALLS_PAGE, title="Calls", help="Every logged call of every run."),
        st.Page(
            state.FAILURES_PAGE, title="Failures", help="Which failures belong together, and how often they occur."
        ),
        st.Page(state.ACTORS_PAGE, title="Actors", help="Which actors made calls, and which of them are undeclared."),
        st.Page(state.COMPARE_PAGE, title="Compare", help="Two runs, two sets of runs, or a task's repeats."),
        st.Page(
            state.REVIEW_PAGE, title="Review", help="Review queues, one review for many runs, and reviews as files."
        ),
        st.Page(state.JUDGE_PAGE, title="Judge", help="Where the judge, the evidence and the reviewers disagree."),
        st.Page(state.IMPORTS_PAGE, title="Imports", help="Every import with its report."),
        st.Page(state.RUNS_PAGE, title="Runs", url_path=state.TYPED_PATH, visibility="hidden"),
    ],
    position="top",
)
st.set_page_config(page_title=render.tab_title(page.title, state.param(state.RUN)))
state.depart(page.url_path)
render.style()
browser_storage.mount()
keys.mount(page.title)
try:
    page.run()
except TraceError as error:
    render.problem(error, heading="This page cannot be shown")
