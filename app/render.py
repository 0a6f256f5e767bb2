"""The only module that may emit Markdown or HTML.

Streamlit reads labels, captions and headings as Markdown, and Markdown fetches remote images without a click. Run data
comes from models and web pages, so it never becomes Markdown: the pages show it with `st.text`, `st.code`, `st.json`,
table cells or our components. Where a label must name something out of a run, the name passes through `literal`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, LiteralString, TypeAlias

import streamlit as st

from app import state
from app.glossary import Term
from trace_store.errors import QueryError, TraceError

Height: TypeAlias = int | Literal["content", "stretch"]
"""Of an element: pixels, or what its content or its surroundings need."""

_STYLE = Path(__file__).with_name("style.css")
_BACKTICKS = re.compile("`+")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Return the text on one line, with control and direction characters as visible symbols (R43)."""
    return _UNPRINTABLE.sub(_symbol, text)


def visible_lines(lines: Iterable[str]) -> str:
    """Return some texts, each on a line of its own."""
    return "\n".join(map(visible, lines))


def _symbol(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def shortened(text: str, limit: int) -> str:
    """Return at most `limit` characters, the middle left out, since both ends of an id or a label tell it apart."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return f"{text[: limit - 1 - tail]}…{text[-tail:]}"


def tail_of_path(path: str, limit: int = 40) -> str:
    """Return a path by its end, which tells files of one folder apart: whole parts, as many as fit; always the file's
    name."""
    parts = path.replace("\\", "/").split("/")
    tail = parts.pop()
    while parts and len(tail) + len(parts[-1]) + 3 <= limit:
        tail = f"{parts.pop()}/{tail}"
    return f"…/{tail}" if parts and any(parts) else f"/{tail}" if parts else tail


def literal(value: object, limit: int = 48) -> str:
    """Return a name out of a run as a Markdown code span, in which nothing means anything."""
    text = visible(shortened(str(value), limit)) or " "
    fence = "`" * (max((len(run) for run in _BACKTICKS.findall(text)), default=0) + 1)
    # The inner spaces keep a leading or trailing backtick apart from the fence; Markdown drops them again.
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"


def counted(number: int, noun: LiteralString, plural: LiteralString = "") -> LiteralString:
    """Return a number with its noun: 1 run, 2 runs, 1,204 runs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def style() -> None:
    """Draw the few rules that the theme has no option for. They address only keys that the pages give."""
    st.html(f"<style>{_STYLE.read_text(encoding='utf-8')}</style>")


def tab_title(page: str, run_id: str) -> str:
    """Return the title of the browser's tab: the open run, then the page, since tabs show how a title begins."""
    return " · ".join(filter(None, (visible(shortened(run_id, 60)), page, "Trace Inspector")))


def title(text: str, purpose: str) -> None:
    """Draw the head of a page: its name, and in one line what it answers."""
    with st.container(key="page-head", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.header(text, anchor=False, width="content")
        st.caption(purpose, width="stretch")


def heading(text: str, *, help: str | None = None) -> None:
    """Draw the heading of a part of a page; without an anchor, which would spell what it names in an address."""
    st.subheader(text, anchor=False, help=help)


def layer(term: Term) -> None:
    """Draw the heading of one layer of error classes, explained on hover."""
    heading(term.word, help=term.meaning)


def note(markdown: str, *, help: str | None = None) -> None:
    """Draw a quiet sentence of ours; names in it have passed through `literal`."""
    st.caption(markdown, help=help)


def sentence(markdown: str, *, help: str | None = None) -> None:
    """Draw a sentence of ours in the body's size; names in it have passed through `literal`."""
    st.markdown(markdown, help=help)


def badge(term: Term, detail: str = "") -> None:
    """Draw a word of the glossary in its colour, explained on hover."""
    st.badge(f"{detail} {term.word}".strip(), color=term.colour, help=term.meaning)


def problem(error: TraceError, *, heading: str) -> None:
    """Draw an error of ours as a designed state: what is wrong, where, and what to do. Its text may quote run data."""
    with st.container(key=f"problem-{heading.lower().replace(' ', '-')}", gap="xsmall"):
        st.error(heading, icon=":material/error:")
        st.text(visible(str(error)))


def query_problem(query: str, error: QueryError) -> None:
    """Draw a query that means nothing: the place marked under the text, and the hint."""
    with st.container(key="query-problem", gap="xsmall"):
        st.error("This query cannot be understood.", icon=":material/search_off:")
        st.code(f"{visible(query)}\n{' ' * error.position}^", language=None)
        st.text(visible(error.message[:1].upper() + error.message[1:]))
        if error.hint:
            st.text(visible(error.hint[:1].upper() + error.hint[1:]))


def done(text: LiteralString) -> None:
    """Show a toast that something is done."""
    st.toast(text, icon=":material/check:", duration="long")


def progress(share: float, markdown: str) -> None:
    """Draw a bar filled by `share`, from 0 to 1, under its words; names in them have passed through `literal`."""
    st.progress(share, markdown)


class Progress:
    """A bar that fills while something is read, and says what."""

    def __init__(self, text: str) -> None:
        self._bar = st.progress(0.0, text)

    def show(self, share: float | None, markdown: str) -> None:
        """`share` from 0 to 1, null where the whole is unknown; names in the text have passed through `literal`."""
        self._bar.progress(min(1.0, share) if share is not None else 0.0, markdown)


def empty(heading: str, next_step: str) -> None:
    """Draw a sentence in place of an empty table, with the next step."""
    with st.container(key="empty-state", border=True, gap="xsmall"):
        st.markdown(f"**{heading}**")
        st.caption(next_step)


def empty_store(heading: LiteralString, next_step: LiteralString = "Import some runs on the Runs page.") -> None:
    """Draw what every page shows instead of its contents while the store has no runs, with the way to the import."""
    empty(heading, next_step)
    st.button("To the runs", key="primary-to-the-runs", type="primary", on_click=state.go, args=(state.RUNS_PAGE,))
