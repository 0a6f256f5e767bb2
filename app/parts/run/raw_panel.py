"""The Raw panel: the document as it was imported, to search and to download; and how all panels show payloads: exact,
in full up to a cap, with a note of what the cap hides."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import orjson
import streamlit as st

from app import raw_documents, render
from app.render import Height
from trace_store.model import JSON

CAP = 20_000
"""Characters of one payload that are sent to the browser."""
DOCUMENT_CAP = 50_000
"""Characters of the document that are shown at once."""
MOST_MATCHES = 50
CONTEXT = 80


@dataclass(frozen=True, slots=True)
class Match:
    """One match of the search: its line, from 1, and the characters around it on one line."""

    line: int
    context: str


def show_raw_document(run_id: str, raw: bytes, path: str = "") -> None:
    """Draw the document, the value at `path` in it, the search, and the button that saves it."""
    _value_at(raw, path)
    with st.container(horizontal=True, vertical_alignment="center"):
        form = st.segmented_control(
            "Form",
            ["Indented", "As imported"],
            default="Indented",
            required=True,
            key="raw-form",
            label_visibility="collapsed",
        )
        search = st.text_input(
            "Find in the document", key="raw-find", placeholder="Find in the document", label_visibility="collapsed"
        )
        st.download_button(
            "Download",
            data=lambda: raw,  # made when it is asked for: else the browser looks for the file of a run that is left
            file_name=f"{_file_name(run_id)}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
        )
    text = raw_documents.text_of(raw)
    if form == "Indented":
        text = indented(text)
    if search:
        matches, total = find(text, search)
        if total:
            first = f"the first {len(matches):,} of " if total > len(matches) else ""
            render.note(f"{first}{render.counted(total, 'match', 'matches')}, ignoring case")
            st.code("\n".join(f"{match.line:>7}  {match.context}" for match in matches), language=None, wrap_lines=True)
        else:
            render.note("No match. The search covers the text below, where quotes inside strings are escaped.")
    render.note(f"{len(raw):,} bytes as imported, with secrets redacted.")
    show_capped(text, cap=DOCUMENT_CAP, height=560)


def _value_at(raw: bytes, path: str) -> None:
    place = raw_documents.find_value(raw_documents.value_of(raw), path) if path else None
    if place is None:
        return
    with st.container(key="raw-place", gap="xxsmall"):
        if place.path == path:
            render.note(f"At {render.literal(path, 90)}")
        else:
            render.note(f"At {render.literal(place.path, 90)}, where {render.literal(path, 90)} is missing")
        show_capped(_pretty(place.value), height=None)


def indented(text: str) -> str:
    """Return the document indented by two, numbers as they stand; text that is not valid JSON stays as it is."""
    try:
        return _pretty(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _pretty(value: JSON) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return text.encode("utf-8", errors="replace").decode("utf-8")  # a lone surrogate cannot travel to the browser


def find(text: str, search: str) -> tuple[list[Match], int]:
    """Return the first matches of `search`, ignoring case, with their surroundings, and how many there are in all."""
    pattern = re.compile(re.escape(search), re.IGNORECASE)
    matches: list[Match] = []
    total, line, counted_to = 0, 1, 0
    for total, match in enumerate(pattern.finditer(text), start=1):
        if total > MOST_MATCHES:
            continue
        line += text.count("\n", counted_to, match.start())
        counted_to = match.start()
        before = text[max(0, match.start() - CONTEXT) : match.start()]
        after = text[match.end() : match.end() + CONTEXT]
        matches.append(Match(line, render.visible(f"{before}{match.group()}{after}")))
    return matches, total


def _file_name(run_id: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", run_id)[:80].strip("._") or "run"


def show_capped(text: str, *, cap: int = CAP, height: int | None = None) -> None:
    """Draw a text as code without a language, at most `cap` characters of it, and how much that is of the whole."""
    box: Height = height if height is not None else ("content" if text.count("\n") < 16 else 320)
    st.code(text[:cap], language=None, wrap_lines=True, height=box)
    if len(text) > cap:
        render.note(f"{cap:,} of {len(text):,} characters. The Raw panel has the whole document.")


def pretty(value: JSON) -> str:
    """Return a JSON value as text, indented by two."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS).decode()
