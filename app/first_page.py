"""Everything that the first page imports, so that one import loads it ahead of the first visitor."""

from __future__ import annotations

from app import reading
from app.parts import facets, figures, import_panel, listing, query_bar, run_list

__all__ = ["facets", "figures", "import_panel", "listing", "query_bar", "reading", "run_list"]
