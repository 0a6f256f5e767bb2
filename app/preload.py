"""Everything that the first page imports, so that the server has loaded it before the first visitor comes."""

from __future__ import annotations

from app import store_reads
from app.parts.imports import import_panel
from app.parts.table import facets, figures, listing, query_bar, run_list

__all__ = ["facets", "figures", "import_panel", "listing", "query_bar", "run_list", "store_reads"]
