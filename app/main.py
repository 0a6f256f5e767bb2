"""The server: the script `ui.py` behind the security headers. `streamlit run app/main.py` starts it."""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from app import preload  # noqa: F401  # loaded before any visitor: sessions are threads, and must not race to it
from app.markdown_route import markdown_routes
from app.security import SecurityHeaders

app = st.App(
    "ui.py",
    middleware=[Middleware(SecurityHeaders)],
    routes=markdown_routes(st.get_option("server.baseUrlPath")),
)
