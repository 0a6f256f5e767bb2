"""The server: the script `ui.py` behind the security headers. `streamlit run app/main.py` starts it."""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from app import preload  # noqa: F401  # loaded before any visitor: sessions are threads, and must not race to it
from app.completion_route import completion_routes
from app.markdown_route import markdown_routes
from app.script_errors import show_script_error
from app.security import SecurityHeaders
from app.start_page import StartPage, start_routes

_BASE = st.get_option("server.baseUrlPath")

app = st.App(
    "ui.py",
    middleware=[Middleware(SecurityHeaders), Middleware(StartPage)],
    routes=[*completion_routes(_BASE), *markdown_routes(_BASE), *start_routes(_BASE)],
    on_script_error=show_script_error,
)
