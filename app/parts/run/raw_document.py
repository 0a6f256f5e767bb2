"""The Raw panel: the document as it was imported, to search and to download."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import streamlit as st

from app import raw_documents, render
from app.parts.run import payloads
from trace_store.model import JSON

SHOWN = 50_000
"""Characters of the document that are shown at once."""
MATCHES_SHOWN = 50
CONTEXT = 80


@dataclass(frozen=True, slots=True)
class Match:
    """One place where the text was found: its line, from 1, and the characters around it on one line."""

    line: int
    context: str


def show(run_id: str, raw: bytes, path: str = "") -> None:
    """The document, what stands at `path` in it, what is found in it, and the button that saves it."""
    _place(raw, path)
    with st.container(horizontal=True, vertical_alignment="center"):
        form = st.segmented_control(
            "Form",
            ["Indented", "As imported"],
            default="Indented",
            required=True,
            key="raw-form",
            label_visibility="collapsed",
        )
        wanted = st.text_input(
            "Find in the document", key="raw-find", placeholder="Find in the document", label_visibility="collapsed"
        )
        st.download_button(
            "Download",
            data=raw,
            file_name=f"{_file_name(run_id)}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
        )
    text = raw_documents.text_of(raw)
    if form == "Indented":
        text = indented(text)
    if wanted:
        matches, total = find(text, wanted)
        if total:
            shown = f"the first {len(matches):,} of " if total > len(matches) else ""
            render.note(f"{shown}{render.counted(total, 'match', 'matches')}, case ignored")
            st.code("\n".join(f"{match.line:>7}  {match.context}" for match in matches), language=None, wrap_lines=True)
        else:
            render.note("No match. The search is in the text below, where quotes inside strings are escaped.")
    render.note(f"{len(raw):,} bytes as imported, secrets redacted (R43, R44).")
    payloads.capped(text, cap=SHOWN, height=560)


def _place(raw: bytes, path: str) -> None:
    place = raw_documents.place_in(raw_documents.value_of(raw), path) if path else None
    if place is None:
        return
    with st.container(key="raw-place", gap="xxsmall"):
        if place.path == path:
            render.note(f"At {render.literal(path, 90)}")
        else:
            render.note(f"At {render.literal(place.path, 90)}, where {render.literal(path, 90)} is missing")
        payloads.capped(_pretty(place.value), height=None)


def indented(text: str) -> str:
    """The document indented by two, numbers as they stand; what is no JSON stays as it is."""
    try:
        return _pretty(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _pretty(value: JSON) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return text.encode("utf-8", errors="replace").decode("utf-8")  # a lone surrogate cannot travel to the browser


def find(text: str, wanted: str) -> tuple[list[Match], int]:
    """The first matches of `wanted`, case ignored, with their surroundings, and how many there are in all."""
    pattern = re.compile(re.escape(wanted), re.IGNORECASE)
    matches: list[Match] = []
    total, line, counted_to = 0, 1, 0
    for total, found in enumerate(pattern.finditer(text), start=1):
        if total > MATCHES_SHOWN:
            continue
        line += text.count("\n", counted_to, found.start())
        counted_to = found.start()
        before = text[max(0, found.start() - CONTEXT) : found.start()]
        after = text[found.end() : found.end() + CONTEXT]
        matches.append(Match(line, render.visible(f"{before}{found.group()}{after}")))
    return matches, total


def _file_name(run_id: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", run_id)[:80].strip("._") or "run"
