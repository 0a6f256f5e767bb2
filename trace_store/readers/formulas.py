"""Texts that a spreadsheet would run as a formula: an apostrophe in front keeps them texts, and is taken off again."""

from __future__ import annotations

_STARTS = tuple("=+-@\t\r\n＝＋－＠")
"""What makes a spreadsheet read a text as a formula, the full-width forms of East Asian editions included."""


def guarded(text: str) -> str:
    """The text as a cell. One that begins with apostrophes before such a sign gets one more, so that it comes back."""
    return f"'{text}" if _is_formula(text) else text


def unguarded(cell: str) -> str:
    """The text that `guarded` made the cell of."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell) else cell


def _is_formula(text: str) -> bool:
    return text.lstrip("'").startswith(_STARTS)
