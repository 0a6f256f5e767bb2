"""What a person sees where a page's script fails: a sentence and a way on, and never a trace of the code."""

from __future__ import annotations

import logging

import streamlit as st

from app import render

_log = logging.getLogger(__name__)


def show_script_error(error: Exception) -> bool:
    """Draw the sentence, and write the error with its trace to the server's log. True: nothing else is to be drawn."""
    _log.log(logging.ERROR, "a page failed", exc_info=error)
    with st.container(key="script-error", border=True, gap="xsmall"):
        render.sentence("**This page could not be drawn.**")
        render.note(
            "Nothing in the store has changed. Reload the page, or open another one; the error is in the log of the "
            "server, for whoever looks after it."
        )
    return True
