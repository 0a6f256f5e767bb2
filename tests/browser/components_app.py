"""The components' page behind a server that lays out Markdown, as the app's does."""

from __future__ import annotations

import streamlit as st

from app.markdown_route import markdown_routes

app = st.App("components_page.py", routes=markdown_routes())
