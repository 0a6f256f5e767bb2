"""Everything that the first page imports, so that the server has loaded it before the first visitor comes."""

from __future__ import annotations

from app import cache
from app.parts.imports import import_panel
from app.parts.table import facets, listing, query_bar, run_list, selection

__all__ = ["cache", "facets", "import_panel", "listing", "query_bar", "run_list", "selection"]
