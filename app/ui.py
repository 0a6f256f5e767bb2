"""The page frame: title, icon and navigation. Streamlit runs this script for every page of the app."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import pages, render

st.set_page_config(
    page_title="Trace Inspector",
    page_icon=Path(__file__).with_name("icon.svg"),
    layout="wide",
    initial_sidebar_state="expanded",
)
page = st.navigation(pages.ALL, position="top")
render.style()
page.run()
