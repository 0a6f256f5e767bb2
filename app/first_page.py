"""Everything that the first page imports, so that the server has loaded it before the first visitor comes."""

from __future__ import annotations

from app import reading
from app.parts import facets, figures, import_panel, listing, query_bar, run_list

__all__ = ["facets", "figures", "import_panel", "listing", "query_bar", "reading", "run_list"]
