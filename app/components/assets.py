"""The browser side of a component, put together from the files beside it.

Streamlit takes one script and one style sheet a component. Ours are written as several small files, without a build
step: they are joined in the order given, the shared `kit/` first, and run as one module. So a file may use what an
earlier one declares, only the last one exports, and names are unique over the files of a component.
"""

from __future__ import annotations

from pathlib import Path

COMPONENTS = Path(__file__).parent


def source(*names: str) -> str:
    """The files `names` (below `app/components`) as one text. Raises FileNotFoundError for one that is missing."""
    return "\n".join((COMPONENTS / name).read_text(encoding="utf-8") for name in names)
