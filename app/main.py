"""The server: the script `ui.py` behind the security headers. `streamlit run app/main.py` starts it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Thread

import streamlit as st
from starlette.middleware import Middleware

from app.security import SecurityHeaders


@asynccontextmanager
async def _lifespan(app: st.App) -> AsyncIterator[None]:
    # While the browser loads its part, the server loads its own: the first page need not wait for both in turn. The
    # page's script imports the same module first, and so waits for this thread at its lock.
    Thread(target=import_module, args=("app.first_page",), daemon=True).start()
    yield


app = st.App("ui.py", middleware=[Middleware(SecurityHeaders)], lifespan=_lifespan)
