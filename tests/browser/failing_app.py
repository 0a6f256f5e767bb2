"""An app whose page fails, behind the handler that the real one has."""

from __future__ import annotations

import streamlit as st

from app.script_errors import show_script_error

app = st.App("failing_page.py", on_script_error=show_script_error)
